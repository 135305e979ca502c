#include "model/gradient_bound.h"

#include <cassert>
#include <cmath>
#include <cstddef>
#include <span>

#include "model/layers.h"
#include "model/rounding.h"

namespace lockstep {
namespace {

void add_to_all(Matrix<double>& matrix, double value) {
  for (double& element : matrix.values) element += value;
}

/// Adds xᵀ·d to a layer's part of a flat vector: the weight (out, in), then the bias, for which x
/// is 1.
void add_products(const Matrix<double>& x, const Matrix<double>& d, std::span<double> layer) {
  const auto outputs = static_cast<std::size_t>(d.columns);
  const std::size_t weights = outputs * static_cast<std::size_t>(x.columns);
  assert(layer.size() == weights + outputs);
  linear_backward_weight<double>(x, d, {d.columns, x.columns, layer.first(weights)},
                                 layer.subspan(weights));
}

/// A layer's part of a flat vector of the whole model.
std::span<double> layer_part(const MlpSpec& spec, int layer, std::span<double> flat) {
  return flat.subspan(parameter_count(spec, 0, layer), parameter_count(spec, layer, layer + 1));
}

/// 2 |output - target| / elements, in float64.
template <typename T>
Matrix<double> output_gradient_sizes(const Matrix<T>& outputs, const Batch<T>& batch) {
  Matrix<double> sizes(outputs.rows, outputs.columns);
  for (std::size_t i = 0; i < sizes.values.size(); ++i) {
    sizes.values[i] = 2 *
                      std::abs(static_cast<double>(outputs.values[i]) -
                               static_cast<double>(batch.targets.values[i])) /
                      static_cast<double>(batch.element_count());
  }
  return sizes;
}

/// Forward with error bounds: the input of every layer, and the output of every layer before relu.
template <typename T>
struct ApproximateForward {
  std::vector<Approximate<T>> inputs;
  std::vector<Approximate<T>> outputs;
};

template <typename T>
ApproximateForward<T> approximate_forward(const Stage<T>& model, const Matrix<T>& inputs) {
  ApproximateForward<T> forward;
  forward.inputs.push_back({inputs, Matrix<double>(inputs.rows, inputs.columns)});
  for (int layer = 0; layer < model.last_block(); ++layer) {
    forward.outputs.push_back(
        approximate_linear<T>(forward.inputs.back(), model.weight(layer), model.bias(layer)));
    if (!model.has_relu(layer)) break;
    forward.inputs.push_back(forward.outputs.back());
    relu_forward<T>(forward.inputs.back().values);
  }
  return forward;
}

/// The gradient by a relu's input, given that by its output, which is replaced.
template <typename T>
void approximate_relu_backward(const Approximate<T>& input, Approximate<T>& gradient) {
  for (std::size_t i = 0; i < input.values.values.size(); ++i) {
    const double value = static_cast<double>(input.values.values[i]);
    double& error = gradient.errors.values[i];
    T& slope = gradient.values.values[i];
    if (std::abs(value) <= input.errors.values[i]) {
      error += static_cast<double>(std::abs(slope));
    } else if (value < 0) {
      error = 0;
    }
    if (!(value > 0)) slope = T{0};
  }
}

/// The gradient by a linear layer's input, given that by its output.
template <typename T>
Approximate<T> approximate_backward_input(const Approximate<T>& dy, MatrixView<const T> weight) {
  const Matrix<double> weight_sizes = magnitudes<T>(weight);
  Matrix<double> terms(dy.values.rows, weight.columns);
  add_to_all(terms, underflow_allowance<T>(weight.rows));
  add_matmul<double>(magnitudes<T>(dy.values), weight_sizes, terms);
  Matrix<double> errors(terms.rows, terms.columns);
  add_matmul<double>(dy.errors, weight_sizes, errors);
  for (std::size_t i = 0; i < errors.values.size(); ++i) {
    errors.values[i] =
        (errors.values[i] + rounding_share<T>(weight.rows) * terms.values[i]) * kBoundSlack;
  }
  return {linear_backward_input<T>(dy.values, weight), std::move(errors)};
}

/// The bound of a layer's weight and bias gradients: of rounding in the sum over rows, gamma_rows
/// Σ |x| |dy|, and of the errors a of x and b of dy, Σ |x| b + |dy| a + a b.
template <typename T>
void put_layer_errors(const Approximate<T>& x, const Approximate<T>& dy, std::span<double> layer) {
  const int rows = x.values.rows;
  const Matrix<double> x_sizes = magnitudes<T>(x.values);
  Matrix<double> dy_sizes = magnitudes<T>(dy.values);
  add_products(x_sizes, dy_sizes, layer);
  for (double& value : layer) {
    value = (value + underflow_allowance<T>(rows)) * rounding_share<T>(rows);
  }
  add_products(x_sizes, dy.errors, layer);
  for (std::size_t i = 0; i < dy_sizes.values.size(); ++i) {
    dy_sizes.values[i] += dy.errors.values[i];
  }
  // The bias has no part in this: its x is exactly 1.
  const std::size_t weights = layer.size() - static_cast<std::size_t>(dy_sizes.columns);
  add_matmul_transposed_left<double>(dy_sizes, x.errors,
                                     {dy_sizes.columns, x.errors.columns, layer.first(weights)});
  for (double& value : layer) value *= kBoundSlack;
}

}  // namespace

template <typename T>
std::vector<double> gradient_bound(const Stage<T>& model, const Batch<T>& batch, int parts) {
  const MlpSpec& spec = model.spec();
  assert(model.is_whole() && parts >= 1);
  const int rows = batch.inputs.rows;
  Stash<T> stash;
  Matrix<double> sizes = output_gradient_sizes(model.forward(batch.inputs, stash), batch);
  add_to_all(sizes, underflow_allowance<T>(1));

  std::vector<double> bound(parameter_count(spec));
  std::int64_t roundings = std::int64_t{5} + rows + parts;
  for (int layer = spec.layer_count() - 1; layer >= 0; --layer) {
    const Matrix<T>& x = stash.activations[static_cast<std::size_t>(layer)];
    const double share = 2 * rounding_share<T>(roundings) * kBoundSlack;
    const std::span<double> part = layer_part(spec, layer, bound);
    add_products(magnitudes<T>(x), sizes, part);
    for (double& value : part) value = (value + underflow_allowance<T>(rows + 1)) * share;
    if (layer == 0) break;
    Matrix<double> input_sizes(rows, spec.inputs(layer));
    add_to_all(input_sizes, underflow_allowance<T>(spec.outputs(layer)));
    add_matmul<double>(sizes, magnitudes<T>(model.weight(layer)), input_sizes);
    relu_backward<double>(magnitudes<T>(x), input_sizes);
    sizes = std::move(input_sizes);
    roundings += spec.outputs(layer);
  }
  return bound;
}

template <typename T>
std::vector<double> gradient_error_bound(const Stage<T>& model, const Batch<T>& batch) {
  const MlpSpec& spec = model.spec();
  assert(model.is_whole());
  const ApproximateForward<T> forward = approximate_forward(model, batch.inputs);
  const Approximate<T>& outputs = forward.outputs.back();
  const auto elements = static_cast<double>(batch.element_count());
  Approximate<T> gradient{
      squared_error_gradient<T>(outputs.values, batch.targets, batch.element_count()),
      output_gradient_sizes(outputs.values, batch)};
  for (std::size_t i = 0; i < gradient.errors.values.size(); ++i) {
    double& error = gradient.errors.values[i];
    error = (rounding_share<T>(3) * (error + underflow_allowance<T>(1)) +
             2 * outputs.errors.values[i] / elements) *
            kBoundSlack;
  }

  std::vector<double> bound(parameter_count(spec));
  for (int layer = spec.layer_count() - 1; layer >= 0; --layer) {
    const auto index = static_cast<std::size_t>(layer);
    if (model.has_relu(layer)) approximate_relu_backward(forward.outputs[index], gradient);
    put_layer_errors(forward.inputs[index], gradient, layer_part(spec, layer, bound));
    if (layer > 0) gradient = approximate_backward_input<T>(gradient, model.weight(layer));
  }
  return bound;
}

template std::vector<double> gradient_bound(const Stage<float>&, const Batch<float>&, int);
template std::vector<double> gradient_bound(const Stage<double>&, const Batch<double>&, int);
template std::vector<double> gradient_error_bound(const Stage<float>&, const Batch<float>&);
template std::vector<double> gradient_error_bound(const Stage<double>&, const Batch<double>&);

}  // namespace lockstep
