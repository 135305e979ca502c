// Consecutive blocks of a transformer on one device, or a tensor-parallel shard of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/gpt_block.h"
#include "model/gpt_spec.h"
#include "tensor/matrix.h"

namespace lockstep {

/// Of a stage, by block.
template <typename T>
struct GptStash {
  std::vector<BlockStash<T>> blocks;

  /// Numbers held, for measuring memory.
  std::size_t value_count() const;
};

/// A stage of several blocks is for one shard only: between the parts that shards make their sum is
/// needed. With a tied head, the stage that has the head has the embedding too.
template <typename T>
class GptStage {
 public:
  /// Draws the parameters of a checked spec: the same numbers whatever the cut and the shards.
  /// Norms begin as 1 and 0.
  GptStage(const GptSpec& spec, int first_block, int last_block, const Shard& shard,
           std::uint64_t seed);

  /// The whole model.
  GptStage(const GptSpec& spec, std::uint64_t seed)
      : GptStage(spec, 0, spec.block_count(), {}, seed) {}

  Matrix<T> forward(const Matrix<T>& input, GptStash<T>& keep) const;

  /// The gradient of the loss by the stage's input, given that by its output; of tokens there is
  /// none, and the result has no columns.
  Matrix<T> backward_input(const Matrix<T>& output_gradient, GptStash<T>& keep) const;

  /// After backward_input: continues the gradient sums in `into`, which is laid out like
  /// parameters(). What is not split is, in an attention or MLP block of several shards, a part.
  void backward_weight(const GptStash<T>& keep, std::span<T> into) const;

  std::span<T> parameters() { return parameters_; }
  std::span<const T> parameters() const { return parameters_; }
  const GptSpec& spec() const { return spec_; }

 private:
  GptBlock<T> block(int number) const;

  template <typename Value>
  std::vector<MatrixView<Value>> tensors_of(int number, std::span<Value> flat) const;

  GptSpec spec_;
  int first_block_;
  int last_block_;
  Shard shard_;
  std::vector<T> parameters_;
};

}  // namespace lockstep
