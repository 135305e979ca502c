#include "model/gpt_stage.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "core/random.h"
#include "model/tokens.h"

using namespace lockstep;

namespace {

constexpr int kSequences = 2;

const std::vector<GptSpec> kSpecs = {
    {.vocabulary = 7, .sequence_length = 3, .hidden = 4, .heads = 2, .layers = 1},
    {.vocabulary = 5,
     .sequence_length = 4,
     .hidden = 6,
     .heads = 3,
     .layers = 2,
     .expansion = 2,
     .activation = Activation::gelu_erf,
     .tied_head = true},
    {.vocabulary = 6,
     .sequence_length = 3,
     .hidden = 4,
     .heads = 4,
     .layers = 1,
     .activation = Activation::silu,
     .gated = true},
    {.vocabulary = 3, .sequence_length = 1, .hidden = 2, .heads = 1, .layers = 1},
};

Matrix<double> drawn_tokens(const GptSpec& spec, std::uint64_t stream) {
  Matrix<double> tokens(kSequences * spec.sequence_length, 1);
  for (std::size_t i = 0; i < tokens.values.size(); ++i) {
    tokens.values[i] = random_below(3, stream, i, static_cast<std::uint64_t>(spec.vocabulary));
  }
  return tokens;
}

std::vector<int> drawn_targets(const GptSpec& spec) {
  const Matrix<double> tokens = drawn_tokens(spec, 1);
  return {tokens.values.begin(), tokens.values.end()};
}

double loss_of(const GptStage<double>& model) {
  GptStash<double> stash;
  const Matrix<double> logits = model.forward(drawn_tokens(model.spec(), 0), stash);
  return add_cross_entropy(logits, drawn_targets(model.spec()), 0) / logits.rows;
}

std::vector<double> gradient_of(const GptStage<double>& model) {
  GptStash<double> stash;
  const Matrix<double> logits = model.forward(drawn_tokens(model.spec(), 0), stash);
  model.backward_input(cross_entropy_gradient(logits, drawn_targets(model.spec()), logits.rows),
                       stash);
  std::vector<double> gradient(model.parameters().size());
  model.backward_weight(stash, gradient);
  return gradient;
}

/// Moves all parameters a little, so that no bias is 0 and no norm plain.
GptStage<double> moved(const GptSpec& spec) {
  GptStage<double> model(spec, 1);
  for (std::size_t i = 0; i < model.parameters().size(); ++i) {
    model.parameters()[i] += random_symmetric(5, 9, i) / 4;
  }
  return model;
}

Matrix<double> drawn_matrix(std::uint64_t stream, int rows, int columns) {
  Matrix<double> matrix(rows, columns);
  for (std::size_t i = 0; i < matrix.values.size(); ++i) {
    matrix.values[i] = random_symmetric(8, stream, i);
  }
  return matrix;
}

void require_close(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) REQUIRE(std::abs(a[i] - b[i]) < 1e-13);
}

}  // namespace

TEST_CASE("every parameter's gradient is the slope of the loss, by finite differences") {
  for (const GptSpec& spec : kSpecs) {
    GptStage<double> model = moved(spec);
    const std::vector<double> gradient = gradient_of(model);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      // Two central differences, the error h² of which is taken out (Richardson).
      const auto slope = [&](double step) {
        double& parameter = model.parameters()[i];
        const double before = parameter;
        parameter = before + step;
        const double above = loss_of(model);
        parameter = before - step;
        const double below = loss_of(model);
        parameter = before;
        return (above - below) / (2 * step);
      };
      const double expected = (4 * slope(5e-4) - slope(1e-3)) / 3;
      CAPTURE(describe_parameter(spec, i), gradient[i], expected);
      REQUIRE(std::abs(gradient[i] - expected) < 2e-9);
    }
  }
}

TEST_CASE("a model cut into stages computes the bits of the whole") {
  for (const GptSpec& spec : kSpecs) {
    if (spec.tied_head) continue;
    const GptStage<double> whole(spec, 4);
    GptStash<double> stash;
    const Matrix<double> logits = whole.forward(drawn_tokens(spec, 0), stash);
    for (int cut = 1; cut < spec.block_count(); ++cut) {
      const GptStage<double> first(spec, 0, cut, {}, 4);
      const GptStage<double> second(spec, cut, spec.block_count(), {}, 4);
      GptStash<double> kept;
      GptStash<double> kept_too;
      const Matrix<double> between = first.forward(drawn_tokens(spec, 0), kept);
      REQUIRE(same_bits<double>(second.forward(between, kept_too).values, logits.values));
    }
  }
}

TEST_CASE("the parts that shards of a block make add up to what the whole block makes") {
  for (const GptSpec& spec : kSpecs) {
    for (int block = 1; block + 1 < spec.block_count(); ++block) {
      for (int count = 1; count <= spec.heads; ++count) {
        if (spec.heads % count != 0) continue;
        CAPTURE(block, count);
        const int rows = kSequences * spec.sequence_length;
        const Matrix<double> x = drawn_matrix(1, rows, spec.hidden);
        const Matrix<double> dy = drawn_matrix(2, rows, spec.hidden);
        const GptStage<double> whole(spec, block, block + 1, {}, 4);
        GptStash<double> stash;
        const Matrix<double> y = whole.forward(x, stash);
        const Matrix<double> dx = whole.backward_input(dy, stash);
        std::vector<double> gradient(whole.parameters().size());
        whole.backward_weight(stash, gradient);

        Matrix<double> y_sum(y.rows, y.columns);
        Matrix<double> dx_sum(y.rows, y.columns);
        std::vector<double> gradient_sum(gradient.size());
        for (int index = 0; index < count; ++index) {
          const Shard shard = {index, count};
          const GptStage<double> part(spec, block, block + 1, shard, 4);
          GptStash<double> kept;
          const Matrix<double> y_part = part.forward(x, kept);
          const Matrix<double> dx_part = part.backward_input(dy, kept);
          std::vector<double> gradient_part(part.parameters().size());
          part.backward_weight(kept, gradient_part);
          for (std::size_t i = 0; i < y.values.size(); ++i) {
            y_sum.values[i] += y_part.values[i];
            dx_sum.values[i] += dx_part.values[i];
          }
          const std::vector<std::size_t> indices = block_indices(spec, block, shard);
          REQUIRE(indices.size() == gradient_part.size());
          for (std::size_t i = 0; i < indices.size(); ++i) {
            gradient_sum[indices[i]] += gradient_part[i];
            REQUIRE(part.parameters()[i] == whole.parameters()[indices[i]]);
          }
        }
        require_close(y_sum.values, y.values);
        require_close(dx_sum.values, dx.values);
        require_close(gradient_sum, gradient);
      }
    }
  }
}

TEST_CASE("shards have every parameter that is split once, and the others each") {
  for (const GptSpec& spec : kSpecs) {
    for (int block = 0; block < spec.block_count(); ++block) {
      const std::size_t whole = parameter_count(spec, block, block + 1);
      for (int count = 1; count <= spec.heads; ++count) {
        if (spec.heads % count != 0) continue;
        const std::size_t unsplit = unsplit_count(spec, block, {0, count});
        std::set<std::size_t> seen;
        std::size_t held = 0;
        for (int index = 0; index < count; ++index) {
          const std::vector<std::size_t> indices = block_indices(spec, block, {index, count});
          seen.insert(indices.begin(), indices.end());
          held += indices.size();
          for (std::size_t i = 0; i < unsplit; ++i) REQUIRE(indices[i] == i);
        }
        REQUIRE(seen.size() == whole);
        REQUIRE(held == whole + unsplit * static_cast<std::size_t>(count - 1));
      }
    }
  }
}

TEST_CASE("a transformer has 12 L h² parameters, and the ones that are small beside them") {
  const GptSpec spec = {.vocabulary = 50,
                        .sequence_length = 10,
                        .hidden = 32,
                        .heads = 4,
                        .layers = 3,
                        .tied_head = true};
  const std::size_t h = 32;
  // Per layer 4 h² + 8 h² weights, 4 h + 4 h + h biases and 4 h of norms; Vh + sh, and 2 h at the
  // end.
  CHECK(parameter_count(spec, 0, spec.block_count()) ==
        3 * (12 * h * h + 13 * h) + 50 * h + 10 * h + 2 * h);
}

TEST_CASE("a transformer that cannot be is refused at the field that is wrong") {
  const auto where = [](GptSpec spec) {
    const Status status = check_spec(spec);
    return status.ok() ? std::string() : status.error().code + " " + status.error().where;
  };
  CHECK(where({}).empty());
  CHECK(where({.vocabulary = 0}) == "out_of_range vocabulary");
  CHECK(where({.sequence_length = 513}) == "out_of_range sequence_length");
  CHECK(where({.hidden = 6, .heads = 4}) == "heads_not_divisible heads");
  CHECK(where({.hidden = 6, .heads = 7}) == "out_of_range heads");
  CHECK(where({.layers = 17}) == "out_of_range layers");
  CHECK(where({.expansion = 0}) == "out_of_range expansion");
}

TEST_CASE("a parameter is named by its tensor, row and column") {
  const GptSpec spec = kSpecs.front();
  CHECK(describe_parameter(spec, 0) == "token embedding, row 0, column 0");
  CHECK(describe_parameter(spec, 7 * 4 + 3 * 4 + 12 + 5) == "layer 0 qkv weight, row 1, column 1");
}
