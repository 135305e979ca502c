// Derivatives of the loss by moving one parameter and computing the loss anew: slow, and free of
// any backward code, so a check of it.
//
// While no relu changes side, every output is linear in any one parameter and the mean-squared
// error is a quadratic in it, whose central difference (L(p + h) - L(p - h)) / 2h is exact for any
// step h. So big steps are taken, where rounding of the losses hurts least. The parameter values
// for which all relus are on given sides form an interval: if both ends of the step are in the
// same one, all between are, and the only error left is rounding, which is bounded.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/compare.h"
#include "model/gradient.h"
#include "model/stage.h"

namespace lockstep {

inline constexpr double kLargestStep = 0x1p-2;    ///< weights are at most 1
inline constexpr double kSmallestStep = 0x1p-20;  ///< below, rounding of the losses would drown it
inline constexpr double kStepRatio = 0x1p-3;      ///< from one step to the next smaller one

struct FiniteDifference {
  std::size_t parameter = 0;  ///< flat index
  double derivative = 0;
  double tolerance = 0;  ///< the derivative in exact arithmetic is within this
  double step = 0;
};

struct FiniteDifferences {
  std::vector<FiniteDifference> taken;

  /// Parameters for which even the smallest step moved a relu to its other side, or too near to
  /// tell: their derivatives are not known.
  std::vector<std::size_t> skipped;
};

/// The loss's derivatives by some parameters of the whole model, in float64 from the very numbers
/// of model and batch. The batch has passed check_batch. Work: some forward passes a parameter.
template <typename T>
FiniteDifferences finite_differences(const Stage<T>& model, const Batch<T>& batch,
                                     std::span<const std::size_t> parameters);

/// At most `count` flat indices, spread evenly over all `all` of a model, the first parameter among
/// them.
std::vector<std::size_t> spread_parameters(std::size_t all, std::size_t count);

/// Compares a gradient of the whole model with the differences taken; each difference's bound is
/// its tolerance plus `error_bound` (gradient_error_bound) of the parameter.
template <typename T>
GradientComparison compare_with_finite_differences(std::span<const T> gradient,
                                                   std::span<const double> error_bound,
                                                   const FiniteDifferences& differences);

}  // namespace lockstep
