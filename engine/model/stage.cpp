#include "model/stage.h"

#include <cassert>

#include "model/draw.h"
#include "model/layers.h"

namespace lockstep {
namespace {

/// One linear layer's part of a flat vector of parameters or of their gradients.
template <typename T>
struct LayerView {
  MatrixView<T> weight;
  std::span<T> bias;
};

template <typename T>
LayerView<T> layer_view(const MlpSpec& spec, int layer, std::span<T> from_layer_on) {
  const auto outputs = static_cast<std::size_t>(spec.outputs(layer));
  const std::size_t weights = outputs * static_cast<std::size_t>(spec.inputs(layer));
  return {{spec.outputs(layer), spec.inputs(layer), from_layer_on.first(weights)},
          from_layer_on.subspan(weights, outputs)};
}

}  // namespace

template <typename T>
std::size_t Stash<T>::value_count() const {
  std::size_t count = 0;
  for (const Matrix<T>& matrix : activations) count += matrix.values.size();
  for (const Matrix<T>& matrix : output_gradients) count += matrix.values.size();
  return count;
}

template <typename T>
Stage<T>::Stage(const MlpSpec& spec, int first_block, int last_block, std::uint64_t seed)
    : spec_(spec), first_block_(first_block), last_block_(last_block) {
  assert(check_spec(spec).ok());
  assert(0 <= first_block && first_block < last_block && last_block <= spec.layer_count());
  parameters_.reserve(parameter_count(spec, first_block, last_block));
  for (int layer = first_block; layer < last_block; ++layer) {
    const std::size_t count = parameter_count(spec, layer, layer + 1);
    for (std::size_t i = 0; i < count; ++i) {
      parameters_.push_back(static_cast<T>(draw_parameter(spec, seed, layer, i)));
    }
  }
}

template <typename T>
MatrixView<const T> Stage<T>::weight(int block) const {
  return layer_view(spec_, block, parameters().subspan(offset(block))).weight;
}

template <typename T>
std::span<const T> Stage<T>::bias(int block) const {
  return layer_view(spec_, block, parameters().subspan(offset(block))).bias;
}

template <typename T>
Matrix<T> Stage<T>::forward(const Matrix<T>& input, Stash<T>& keep) const {
  assert(input.columns == input_width());
  keep = {};
  keep.activations.push_back(input);
  for (int block = first_block_; block < last_block_; ++block) {
    Matrix<T> output = linear_forward<T>(keep.activations.back(), weight(block), bias(block));
    if (!has_relu(block)) return output;
    relu_forward<T>(output);
    keep.activations.push_back(std::move(output));
  }
  return keep.activations.back();
}

template <typename T>
Matrix<T> Stage<T>::backward_input(const Matrix<T>& output_gradient, Stash<T>& keep) const {
  assert(!keep.activations.empty() && keep.output_gradients.empty());
  assert(output_gradient.rows == keep.activations.front().rows);
  assert(output_gradient.columns == output_width());
  keep.output_gradients.resize(static_cast<std::size_t>(last_block_ - first_block_));
  Matrix<T> gradient = output_gradient;
  for (int block = last_block_ - 1; block >= first_block_; --block) {
    const auto place = static_cast<std::size_t>(block - first_block_);
    if (has_relu(block)) relu_backward<T>(keep.activations[place + 1], gradient);
    Matrix<T> input_gradient = linear_backward_input<T>(gradient, weight(block));
    keep.output_gradients[place] = std::move(gradient);
    gradient = std::move(input_gradient);
  }
  return gradient;
}

template <typename T>
void Stage<T>::backward_weight(const Stash<T>& keep, std::span<T> into) const {
  assert(!keep.output_gradients.empty() && into.size() == parameters_.size());
  for (int block = first_block_; block < last_block_; ++block) {
    const auto place = static_cast<std::size_t>(block - first_block_);
    const LayerView<T> gradient = layer_view(spec_, block, into.subspan(offset(block)));
    linear_backward_weight<T>(keep.activations[place], keep.output_gradients[place],
                              gradient.weight, gradient.bias);
  }
}

template struct Stash<float>;
template struct Stash<double>;
template class Stage<float>;
template class Stage<double>;

}  // namespace lockstep
