#include "model/finite_difference.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

#include "model/layers.h"
#include "model/rounding.h"

namespace lockstep {
namespace {

/// The loss at one value of the parameter.
struct Evaluation {
  double loss = 0;
  double loss_error = 0;          ///< the loss in exact arithmetic is within this
  std::vector<bool> relus_above;  ///< by relu, whether its input is above 0
  bool sides_certain = true;      ///< no relu's input is within its rounding error of 0
};

Evaluation evaluate(const Stage<double>& stage, const Approximate<double>& inputs,
                    const Matrix<double>& targets) {
  Evaluation result;
  Approximate<double> x = inputs;
  for (int block = stage.first_block(); block < stage.last_block(); ++block) {
    x = approximate_linear<double>(x, stage.weight(block), stage.bias(block));
    if (!stage.has_relu(block)) break;
    for (std::size_t i = 0; i < x.values.values.size(); ++i) {
      const double value = x.values.values[i];
      result.relus_above.push_back(value > 0);
      if (!(std::abs(value) > x.errors.values[i])) result.sides_certain = false;
    }
    relu_forward<double>(x.values);
  }
  const auto elements = static_cast<std::int64_t>(targets.values.size());
  double error_sum = 0;  // |(r + e)² - r²| <= 2 |r| |e| + e²
  for (std::size_t i = 0; i < targets.values.size(); ++i) {
    const double error = x.errors.values[i];
    const double residual = std::abs(x.values.values[i] - targets.values[i]);
    error_sum += error * (2 * residual + error);
  }
  const auto divisor = static_cast<double>(elements);
  result.loss = add_squared_error<double>(x.values, targets, 0.0) / divisor;
  // An element's square passes at most elements + 4 roundings; twice that covers the division by
  // 1 - gamma that turns a share of the exact loss into one of the computed loss.
  result.loss_error =
      (rounding_share<double>(2 * (elements + 4)) * result.loss + error_sum / divisor) *
      kBoundSlack;
  return result;
}

/// The model from a layer on, with what reaches that layer; its parameters may be moved.
struct Rest {
  Stage<double> stage;
  Approximate<double> inputs;
  Evaluation unmoved;
};

/// The central difference with this step, or nothing where a relu changes sides.
std::optional<FiniteDifference> difference_with_step(Rest& rest, std::size_t in_stage, double step,
                                                     const Matrix<double>& targets) {
  double& parameter = rest.stage.parameters()[in_stage];
  const double middle = parameter;
  const double high = middle + step;
  const double low = middle - step;
  parameter = high;
  const Evaluation above = evaluate(rest.stage, rest.inputs, targets);
  parameter = low;
  const Evaluation below = evaluate(rest.stage, rest.inputs, targets);
  parameter = middle;
  for (const Evaluation* end : {&above, &below}) {
    if (!end->sides_certain || end->relus_above != rest.unmoved.relus_above) return std::nullopt;
  }
  FiniteDifference difference;
  difference.step = step;
  difference.derivative = (above.loss - below.loss) / (high - low);
  // Of the losses; of the four operations above; and, since rounding may put `middle` off the
  // middle by u (|middle| + step), of the curvature, which is at most the losses' sum / step².
  const double losses = above.loss + below.loss + above.loss_error + below.loss_error;
  const double u = 0x1p-53;
  difference.tolerance =
      ((above.loss_error + below.loss_error) / (2 * step) + 4 * u * losses / (2 * step) +
       2 * u * (std::abs(middle) + step) * losses / (step * step)) *
      kBoundSlack;
  if (!std::isfinite(difference.derivative) || !std::isfinite(difference.tolerance)) {
    return std::nullopt;
  }
  return difference;
}

std::optional<FiniteDifference> difference_by(Rest& rest, std::size_t in_stage,
                                              const Matrix<double>& targets) {
  for (double step = kLargestStep; step >= kSmallestStep; step *= kStepRatio) {
    if (auto difference = difference_with_step(rest, in_stage, step, targets)) return difference;
  }
  return std::nullopt;
}

template <typename T>
Matrix<double> widened(const Matrix<T>& matrix) {
  Matrix<double> wide(matrix.rows, matrix.columns);
  std::ranges::copy(matrix.values, wide.values.begin());
  return wide;
}

/// The layers from `layer` on, which get `inputs`.
template <typename T>
Rest rest_from(const Stage<T>& model, int layer, const Approximate<double>& inputs,
               const Matrix<double>& targets) {
  Rest rest{Stage<double>(model.spec(), layer, model.last_block(), 0), inputs, {}};
  std::ranges::copy(model.parameters().subspan(parameter_count(model.spec(), 0, layer)),
                    rest.stage.parameters().begin());
  rest.unmoved = evaluate(rest.stage, rest.inputs, targets);
  return rest;
}

}  // namespace

template <typename T>
FiniteDifferences finite_differences(const Stage<T>& model, const Batch<T>& batch,
                                     std::span<const std::size_t> parameters) {
  assert(model.is_whole() && check_batch(model.spec(), batch).ok());
  const Matrix<double> targets = widened(batch.targets);
  Approximate<double> inputs{widened(batch.inputs),
                             Matrix<double>(batch.inputs.rows, batch.inputs.columns)};
  FiniteDifferences result;
  for (int layer = 0; layer < model.last_block(); ++layer) {
    Rest rest = rest_from(model, layer, inputs, targets);
    const std::size_t first = parameter_count(model.spec(), 0, layer);
    const std::size_t end = parameter_count(model.spec(), 0, layer + 1);
    for (const std::size_t parameter : parameters) {
      if (parameter < first || parameter >= end) continue;
      auto difference = difference_by(rest, parameter - first, targets);
      if (difference) {
        difference->parameter = parameter;
        result.taken.push_back(*difference);
      } else {
        result.skipped.push_back(parameter);
      }
    }
    inputs = approximate_linear<double>(inputs, rest.stage.weight(layer), rest.stage.bias(layer));
    relu_forward<double>(inputs.values);
  }
  return result;
}

std::vector<std::size_t> spread_parameters(std::size_t all, std::size_t count) {
  const std::size_t taken = std::min(count, all);
  std::vector<std::size_t> parameters(taken);
  for (std::size_t i = 0; i < taken; ++i) parameters[i] = i * all / taken;
  return parameters;
}

template <typename T>
GradientComparison compare_with_finite_differences(std::span<const T> gradient,
                                                   std::span<const double> error_bound,
                                                   const FiniteDifferences& differences) {
  assert(error_bound.size() == gradient.size());
  GradientComparison comparison;
  comparison.bit_equal = false;
  for (const FiniteDifference& difference : differences.taken) {
    const std::size_t i = difference.parameter;
    compare_values(static_cast<double>(gradient[i]), difference.derivative,
                   error_bound[i] + difference.tolerance, i, comparison);
  }
  return comparison;
}

template FiniteDifferences finite_differences(const Stage<float>&, const Batch<float>&,
                                              std::span<const std::size_t>);
template GradientComparison compare_with_finite_differences(std::span<const float>,
                                                            std::span<const double>,
                                                            const FiniteDifferences&);
template FiniteDifferences finite_differences(const Stage<double>&, const Batch<double>&,
                                              std::span<const std::size_t>);
template GradientComparison compare_with_finite_differences(std::span<const double>,
                                                            std::span<const double>,
                                                            const FiniteDifferences&);

}  // namespace lockstep
