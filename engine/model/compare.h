// Two gradients side by side: how far apart, where, and whether rounding explains it.
#pragma once

#include <cstddef>
#include <span>

namespace lockstep {

struct GradientComparison {
  /// The largest |a - b|; infinite where either is not a finite number.
  double largest_difference = 0;

  /// The largest |a - b| / max(|a|, |b|), 0 where both are 0; so at most 2, and 1 where one is 0.
  double largest_relative_difference = 0;

  /// The largest |a - b| / bound, 0 where a = b; above 1 rounding does not explain the difference.
  double largest_share_of_bound = 0;

  /// Index of the parameter with the largest share of its bound; the first where all agree.
  std::size_t worst = 0;

  /// Whether both hold the same numbers bit for bit.
  bool bit_equal = true;

  bool within_bound() const { return largest_share_of_bound <= 1; }
};

/// Compares two gradients of the whole model, given the bound of each difference (gradient_bound).
template <typename T>
GradientComparison compare_gradients(std::span<const T> a, std::span<const T> b,
                                     std::span<const double> bound);

/// Takes one more pair of values of the same parameter into a comparison, but for bit_equal.
void compare_values(double a, double b, double bound, std::size_t parameter,
                    GradientComparison& into);

}  // namespace lockstep
