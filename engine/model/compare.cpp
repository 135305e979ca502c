#include "model/compare.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

#include "tensor/matrix.h"

namespace lockstep {

template <typename T>
GradientComparison compare_gradients(std::span<const T> a, std::span<const T> b,
                                     std::span<const double> bound) {
  assert(b.size() == a.size() && bound.size() == a.size());
  GradientComparison comparison;
  comparison.bit_equal = same_bits<T>(a, b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    compare_values(static_cast<double>(a[i]), static_cast<double>(b[i]), bound[i], i, comparison);
  }
  return comparison;
}

void compare_values(double a, double b, double bound, std::size_t parameter,
                    GradientComparison& into) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const bool finite = std::isfinite(a) && std::isfinite(b);
  const double difference = finite ? std::abs(a - b) : kInfinity;
  if (difference == 0) return;
  const double relative = finite ? difference / std::max(std::abs(a), std::abs(b)) : kInfinity;
  const double share = finite && bound > 0 ? difference / bound : kInfinity;
  into.largest_difference = std::max(into.largest_difference, difference);
  into.largest_relative_difference = std::max(into.largest_relative_difference, relative);
  if (share > into.largest_share_of_bound) {
    into.largest_share_of_bound = share;
    into.worst = parameter;
  }
}

template GradientComparison compare_gradients(std::span<const float>, std::span<const float>,
                                              std::span<const double>);
template GradientComparison compare_gradients(std::span<const double>, std::span<const double>,
                                              std::span<const double>);

}  // namespace lockstep
