// A contiguous part of the model on one device: what it holds, and its forward and backward work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/mlp_spec.h"
#include "tensor/matrix.h"

namespace lockstep {

/// What the forward work on one microbatch leaves for its backward work. Assign {} to free it.
template <typename T>
struct Stash {
  /// The input of the stage, then the output of each of its blocks, but for a last block without
  /// relu: nothing needs that one.
  std::vector<Matrix<T>> activations;

  /// By linear layer, the gradient of the loss by its output; filled by backward_input.
  std::vector<Matrix<T>> output_gradients;

  /// Numbers held, for measuring memory.
  std::size_t value_count() const;
};

/// The blocks [first_block, last_block) of an MLP with their own parameters; the whole model is the
/// stage of all blocks. Bits do not depend on where the model is cut, nor on the batch's cut into
/// microbatches when their gradients are accumulated in row order.
template <typename T>
class Stage {
 public:
  /// Draws the parameters (see draw_parameter) of a checked spec; at least one block.
  Stage(const MlpSpec& spec, int first_block, int last_block, std::uint64_t seed);

  /// The whole model.
  Stage(const MlpSpec& spec, std::uint64_t seed) : Stage(spec, 0, spec.layer_count(), seed) {}

  /// The stage's output for input (rows, width of its first layer); fills `keep`.
  Matrix<T> forward(const Matrix<T>& input, Stash<T>& keep) const;

  /// The gradient of the loss by the stage's input, given that by its output. Keeps in the stash
  /// what backward_weight needs.
  Matrix<T> backward_input(const Matrix<T>& output_gradient, Stash<T>& keep) const;

  /// After backward_input: continues the gradient sums in `into`, which has the order and size of
  /// parameters() and starts as zeros.
  void backward_weight(const Stash<T>& keep, std::span<T> into) const;

  /// The stage's part of the model's flat parameter vector.
  std::span<T> parameters() { return parameters_; }
  std::span<const T> parameters() const { return parameters_; }

  const MlpSpec& spec() const { return spec_; }
  int first_block() const { return first_block_; }
  int last_block() const { return last_block_; }
  bool is_whole() const { return first_block_ == 0 && last_block_ == spec_.layer_count(); }
  int input_width() const { return spec_.inputs(first_block_); }
  int output_width() const { return spec_.outputs(last_block_ - 1); }

  /// Whether a relu follows the linear layer of this block.
  bool has_relu(int block) const { return block + 1 < spec_.layer_count(); }

  /// The weight (out, in) of this block's linear layer.
  MatrixView<const T> weight(int block) const;
  std::span<const T> bias(int block) const;

 private:
  std::size_t offset(int block) const { return parameter_count(spec_, first_block_, block); }

  MlpSpec spec_;
  int first_block_;
  int last_block_;
  std::vector<T> parameters_;
};

}  // namespace lockstep
