#include "model/model_spec.h"

#include <cassert>
#include <vector>

#include "core/random.h"
#include "model/draw.h"
#include "model/layers.h"
#include "model/tokens.h"

namespace lockstep {
namespace {

/// Calls the function that fits the model: a struct of lambdas, one for each.
template <typename... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Match(Cases...) -> Match<Cases...>;

/// Tokens [0, sequence_length] of a row: one more than its inputs, since targets are shifted by
/// one.
std::vector<int> draw_sequence(const GptSpec& spec, std::uint64_t seed, int row) {
  const auto vocabulary = static_cast<std::uint64_t>(spec.vocabulary);
  std::uint64_t token =
      random_below(seed, kInputStream, static_cast<std::uint64_t>(row), vocabulary);
  std::vector<int> tokens;
  for (int i = 0; i <= spec.sequence_length; ++i) {
    tokens.push_back(static_cast<int>(token));
    token = (3 * token + 1) % vocabulary;
  }
  return tokens;
}

/// One token a row; `shift` 0 for inputs, 1 for targets.
template <typename T>
Matrix<T> draw_tokens(const GptSpec& spec, std::uint64_t seed, int first_row, int rows, int shift) {
  Matrix<T> tokens(rows * spec.sequence_length, 1);
  std::size_t at = 0;
  for (int row = first_row; row < first_row + rows; ++row) {
    const std::vector<int> sequence = draw_sequence(spec, seed, row);
    for (int i = 0; i < spec.sequence_length; ++i) {
      tokens.values[at++] = static_cast<T>(sequence[static_cast<std::size_t>(i + shift)]);
    }
  }
  return tokens;
}

}  // namespace

Status check_spec(const ModelSpec& spec) {
  return std::visit([](const auto& model) { return check_spec(model); }, spec);
}

Status check_rows(const ModelSpec& spec, int rows) {
  return std::visit(Match{[rows](const MlpSpec& mlp) { return check_rows(mlp, rows); },
                          [rows](const GptSpec& gpt) -> Status {
                            if (rows >= 1 && rows <= kRowsMax / gpt.sequence_length) return fine();
                            return Error{"rows_out_of_range", "rows",
                                         "there are " + std::to_string(rows) + " rows of " +
                                             std::to_string(gpt.sequence_length) +
                                             " tokens: there may be 1 to " +
                                             std::to_string(kRowsMax / gpt.sequence_length)};
                          }},
                    spec);
}

int block_count(const ModelSpec& spec) {
  return std::visit(Match{[](const MlpSpec& mlp) { return mlp.layer_count(); },
                          [](const GptSpec& gpt) { return gpt.block_count(); }},
                    spec);
}

Status check_shards(const ModelSpec& spec, int shards) {
  if (shards == 1) return fine();
  const GptSpec* gpt = std::get_if<GptSpec>(&spec);
  if (gpt == nullptr) {
    return Error{"not_for_model", "shards",
                 "an MLP with relu behind every layer is not cut into tensor-parallel shards: use "
                 "the transformer"};
  }
  if (gpt->heads % shards == 0) return fine();
  return Error{"heads_not_divisible", "tensor",
               std::to_string(gpt->heads) + " heads cannot be shared by " + std::to_string(shards) +
                   " devices equally"};
}

std::size_t parameter_count(const ModelSpec& spec, int first_block, int last_block,
                            const Shard& shard) {
  return std::visit(
      Match{
          [&](const MlpSpec& mlp) { return parameter_count(mlp, first_block, last_block); },
          [&](const GptSpec& gpt) { return parameter_count(gpt, first_block, last_block, shard); }},
      spec);
}

std::size_t parameter_count(const ModelSpec& spec) {
  return parameter_count(spec, 0, block_count(spec));
}

std::vector<std::size_t> parameter_indices(const ModelSpec& spec, int first_block, int last_block,
                                           const Shard& shard) {
  std::vector<std::size_t> indices;
  for (int block = first_block; block < last_block; ++block) {
    const std::size_t first = parameter_count(spec, 0, block);
    if (const GptSpec* gpt = std::get_if<GptSpec>(&spec)) {
      for (const std::size_t index : block_indices(*gpt, block, shard)) {
        indices.push_back(first + index);
      }
    } else {
      const std::size_t end = parameter_count(spec, 0, block + 1);
      for (std::size_t index = first; index < end; ++index) indices.push_back(index);
    }
  }
  return indices;
}

std::size_t shared_count(const ModelSpec& spec, int block, const Shard& shard) {
  return std::visit(
      Match{[block](const MlpSpec& mlp) { return parameter_count(mlp, block, block + 1); },
            [&](const GptSpec& gpt) { return unsplit_count(gpt, block, shard); }},
      spec);
}

std::string describe_parameter(const ModelSpec& spec, std::size_t index) {
  return std::visit(
      Match{[index](const MlpSpec& mlp) { return describe(locate_parameter(mlp, index)); },
            [index](const GptSpec& gpt) { return describe_parameter(gpt, index); }},
      spec);
}

int positions_per_row(const ModelSpec& spec) {
  const GptSpec* gpt = std::get_if<GptSpec>(&spec);
  return gpt == nullptr ? 1 : gpt->sequence_length;
}

int input_columns(const ModelSpec& spec) {
  const MlpSpec* mlp = std::get_if<MlpSpec>(&spec);
  return mlp == nullptr ? 1 : mlp->widths.front();
}

int output_columns(const ModelSpec& spec, int block) {
  return std::visit(Match{[block](const MlpSpec& mlp) { return mlp.outputs(block); },
                          [block](const GptSpec& gpt) {
                            return block_kind(gpt, block) == BlockKind::head ? gpt.vocabulary
                                                                             : gpt.hidden;
                          }},
                    spec);
}

int target_columns(const ModelSpec& spec) {
  const MlpSpec* mlp = std::get_if<MlpSpec>(&spec);
  return mlp == nullptr ? 1 : mlp->widths.back();
}

std::int64_t loss_terms(const ModelSpec& spec, int rows) {
  return std::int64_t{rows} * positions_per_row(spec) * target_columns(spec);
}

template <typename T>
Matrix<T> draw_inputs(const ModelSpec& spec, std::uint64_t seed, int first_row, int rows) {
  return std::visit(
      Match{[&](const MlpSpec& mlp) { return draw_inputs<T>(mlp, seed, first_row, rows); },
            [&](const GptSpec& gpt) { return draw_tokens<T>(gpt, seed, first_row, rows, 0); }},
      spec);
}

template <typename T>
Matrix<T> draw_targets(const ModelSpec& spec, std::uint64_t seed, int first_row, int rows) {
  return std::visit(
      Match{[&](const MlpSpec& mlp) { return draw_targets<T>(mlp, seed, first_row, rows); },
            [&](const GptSpec& gpt) { return draw_tokens<T>(gpt, seed, first_row, rows, 1); }},
      spec);
}

template <typename T>
double add_loss(const ModelSpec& spec, const Matrix<T>& outputs, const Matrix<T>& targets,
                double sum) {
  return std::visit(
      Match{[&](const MlpSpec&) { return add_squared_error<T>(outputs, targets, sum); },
            [&](const GptSpec&) { return add_cross_entropy(outputs, tokens_of(targets), sum); }},
      spec);
}

template <typename T>
Matrix<T> loss_gradient(const ModelSpec& spec, const Matrix<T>& outputs, const Matrix<T>& targets,
                        std::int64_t divisor) {
  return std::visit(
      Match{[&](const MlpSpec&) { return squared_error_gradient<T>(outputs, targets, divisor); },
            [&](const GptSpec&) {
              return cross_entropy_gradient(outputs, tokens_of(targets), divisor);
            }},
      spec);
}

template Matrix<float> draw_inputs(const ModelSpec&, std::uint64_t, int, int);
template Matrix<double> draw_inputs(const ModelSpec&, std::uint64_t, int, int);
template Matrix<float> draw_targets(const ModelSpec&, std::uint64_t, int, int);
template Matrix<double> draw_targets(const ModelSpec&, std::uint64_t, int, int);
template double add_loss(const ModelSpec&, const Matrix<float>&, const Matrix<float>&, double);
template double add_loss(const ModelSpec&, const Matrix<double>&, const Matrix<double>&, double);
template Matrix<float> loss_gradient(const ModelSpec&, const Matrix<float>&, const Matrix<float>&,
                                     std::int64_t);
template Matrix<double> loss_gradient(const ModelSpec&, const Matrix<double>&,
                                      const Matrix<double>&, std::int64_t);

}  // namespace lockstep
