// The models that can be trained, as one type: what all of them have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "core/result.h"
#include "model/gpt_spec.h"
#include "model/mlp_spec.h"
#include "tensor/matrix.h"

namespace lockstep {

/// A model, cut between blocks into pipeline stages, and blocks, where they can be, into shards.
using ModelSpec = std::variant<MlpSpec, GptSpec>;

/// What check_spec of the model refuses.
Status check_spec(const ModelSpec& spec);

/// What check_rows of an MLP refuses; of a transformer, rows times tokens outside 1 … kRowsMax.
Status check_rows(const ModelSpec& spec, int rows);

int block_count(const ModelSpec& spec);

/// Refuses shards that the model cannot be cut into: `not_for_model` for an MLP, and
/// `heads_not_divisible`.
Status check_shards(const ModelSpec& spec, int shards);

/// How many parameters a shard of the blocks [first, last) holds; of the whole model.
std::size_t parameter_count(const ModelSpec& spec, int first_block, int last_block,
                            const Shard& shard = {});
std::size_t parameter_count(const ModelSpec& spec);

/// By parameter of a shard of the blocks [first, last), its index in the whole model's flat vector.
std::vector<std::size_t> parameter_indices(const ModelSpec& spec, int first_block, int last_block,
                                           const Shard& shard);

/// How many of a shard's parameters of a block all shards have; they are the block's first.
std::size_t shared_count(const ModelSpec& spec, int block, const Shard& shard);

/// The parameter with this index in the whole model, in words.
std::string describe_parameter(const ModelSpec& spec, std::size_t index);

/// Rows of a matrix of activations for each row of the batch: 1, or the tokens of a sequence.
int positions_per_row(const ModelSpec& spec);

/// Columns of the model's inputs, of the activations behind a block, and of the targets.
int input_columns(const ModelSpec& spec);
int output_columns(const ModelSpec& spec, int block);
int target_columns(const ModelSpec& spec);

/// What the sum of losses over this many rows of the batch is divided by for the mean.
std::int64_t loss_terms(const ModelSpec& spec, int rows);

/// Rows [first_row, first_row + rows) of the batch. Of an MLP uniform in ±1; of a transformer
/// tokens, as whole numbers: the first of a sequence is drawn, each of the others follows from the
/// one before, and the targets are the tokens that come next.
template <typename T>
Matrix<T> draw_inputs(const ModelSpec& spec, std::uint64_t seed, int first_row, int rows);
template <typename T>
Matrix<T> draw_targets(const ModelSpec& spec, std::uint64_t seed, int first_row, int rows);

/// Continues `sum` by the loss of each row: squared errors, or cross entropies.
template <typename T>
double add_loss(const ModelSpec& spec, const Matrix<T>& outputs, const Matrix<T>& targets,
                double sum);

/// The gradient of Σ losses / divisor by the outputs.
template <typename T>
Matrix<T> loss_gradient(const ModelSpec& spec, const Matrix<T>& outputs, const Matrix<T>& targets,
                        std::int64_t divisor);

}  // namespace lockstep
