// A-priori bounds of rounding errors, after N. J. Higham, Accuracy and Stability of Numerical
// Algorithms, 2nd edition, chapters 2 and 3.
//
// With u the unit roundoff of T, one operation gives fl(x op y) = (x op y)(1 + d), |d| <= u. A term
// that passes through k roundings on its way into a sum of terms is off by at most
// gamma_k = k u / (1 - k u) of itself, in whatever order the sum is taken. Where a product may
// underflow its error is u |x y| or half the smallest subnormal number, which is u times the
// smallest normal number: so a bound that counts |x y| plus that number for each product holds for
// all numbers that do not overflow.
//
// Bounds are float64 sums of terms >= 0, computed with rounding themselves: they are off by less
// than 2^-32 of themselves for any model and batch within our limits (at most 2^19 roundings of
// 2^-53 each), and kBoundSlack makes up for that.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "tensor/kernels.h"
#include "tensor/matrix.h"

namespace lockstep {

inline constexpr double kBoundSlack = 1 + 0x1p-28;

/// gamma_k of T, for at most `count` roundings of a term; count times u is far below 1.
template <typename T>
double rounding_share(std::int64_t count) {
  const double roundoff = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
  const double sum = static_cast<double>(count) * roundoff;
  return sum / (1 - sum);
}

/// What to add to |x y| for each product of T, because it may underflow.
template <typename T>
double underflow_allowance(std::int64_t products) {
  return static_cast<double>(products) * static_cast<double>(std::numeric_limits<T>::min());
}

/// The absolute values, exact in float64.
template <typename T>
Matrix<double> magnitudes(MatrixView<const T> matrix);

/// Computed numbers, and how far from each the number is that exact arithmetic would give.
template <typename T>
struct Approximate {
  Matrix<T> values;
  Matrix<double> errors;
};

/// The linear layer's output with what its rounding and the errors of x make of its error:
/// |fl(y) - y| <= gamma_{in+1} (|bias| + |x| |weight|ᵀ) + errors |weight|ᵀ.
template <typename T>
Approximate<T> approximate_linear(const Approximate<T>& x, MatrixView<const T> weight,
                                  std::span<const T> bias);

}  // namespace lockstep
