// One block of a transformer, or a tensor-parallel shard of it: its forward and backward work.
#pragma once

#include <span>
#include <vector>

#include "model/gpt_spec.h"
#include "tensor/matrix.h"

namespace lockstep {

/// What the forward work on one microbatch leaves for its backward work, and backward_input for
/// backward_weight. Which matrices they are is known to gpt_block.cpp alone.
template <typename T>
struct BlockStash {
  std::vector<Matrix<T>> forward;
  std::vector<Matrix<T>> backward;
};

/// Works on the tensors of block_tensors, in their order, as they lie in a flat vector. Rows of
/// activations are positions, sequence by sequence; the embedding's input is tokens, one a row, as
/// whole numbers, and the head's output logits.
///
/// A shard of more than one gives a part of an attention or MLP block's output and of the gradient
/// by its input: the residual and the output's bias count in shard 0 alone, so that the sum over
/// shards is the whole. The other two blocks are not split.
template <typename T>
class GptBlock {
 public:
  using Tensors = std::vector<MatrixView<const T>>;
  using Gradients = std::vector<MatrixView<T>>;

  /// `tensors` are the block's; with a tied head, of the head the embedding's first is the last.
  GptBlock(const GptSpec& spec, int block, const Shard& shard, Tensors tensors)
      : spec_(spec), block_(block), shard_(shard), tensors_(std::move(tensors)) {}

  Matrix<T> forward(const Matrix<T>& x, BlockStash<T>& keep) const;

  /// The gradient by x, given that by the output; by tokens there is none, and it has no columns.
  Matrix<T> backward_input(const Matrix<T>& dy, BlockStash<T>& keep) const;

  /// Continues the gradient sums, which are laid out like the tensors.
  void backward_weight(const BlockStash<T>& keep, const Gradients& into) const;

 private:
  bool counts_unsplit() const { return shard_.index == 0; }
  std::span<const T> vector(std::size_t tensor) const { return tensors_[tensor].values; }

  Matrix<T> embed(const Matrix<T>& tokens, BlockStash<T>& keep) const;
  void embed_backward_weight(const BlockStash<T>& keep, const Gradients& into) const;

  Matrix<T> attend(const Matrix<T>& x, BlockStash<T>& keep) const;
  Matrix<T> attend_backward(const Matrix<T>& dy, BlockStash<T>& keep) const;
  void attend_backward_weight(const BlockStash<T>& keep, const Gradients& into) const;

  Matrix<T> mlp(const Matrix<T>& x, BlockStash<T>& keep) const;
  Matrix<T> mlp_backward(const Matrix<T>& dy, BlockStash<T>& keep) const;
  void mlp_backward_weight(const BlockStash<T>& keep, const Gradients& into) const;

  Matrix<T> logits(const Matrix<T>& x, BlockStash<T>& keep) const;
  Matrix<T> logits_backward(const Matrix<T>& dy, BlockStash<T>& keep) const;
  void logits_backward_weight(const BlockStash<T>& keep, const Gradients& into) const;

  /// The norm at the block's beginning, which is its first two tensors.
  Matrix<T> normalized(const Matrix<T>& x) const;
  Matrix<T> normalized_backward(const Matrix<T>& x, const Matrix<T>& dn) const;
  void normalized_backward_weight(const Matrix<T>& x, const Matrix<T>& dn,
                                  const Gradients& into) const;

  /// The projection back to the residual stream, with its bias and the residual x in shard 0.
  Matrix<T> onto_residual(const Matrix<T>& x, const Matrix<T>& inner,
                          const MatrixView<const T>& weight) const;
  void onto_residual_backward_weight(const Matrix<T>& inner, const Matrix<T>& dy,
                                     const Gradients& into) const;

  GptSpec spec_;
  int block_;
  Shard shard_;
  Tensors tensors_;
};

}  // namespace lockstep
