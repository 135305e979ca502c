// A number as the unevaluated sum of two float64, for about 106 bits: the working precision of
// engine/core/math. Only for its .cpp files.
//
// After T. J. Dekker, A floating-point technique for extending the available precision (1971), and
// D. E. Knuth, The Art of Computer Programming 2, 4.2.2. Needs round to nearest, no overflow, and
// no fused multiply-add.
#pragma once

namespace lockstep::math {

/// high + low, |low| at most half a unit in the last place of high.
struct Pair {
  double high = 0;
  double low = 0;
};

/// a + b exactly, for |a| >= |b| or a = 0.
inline Pair ordered_sum(double a, double b) {
  const double high = a + b;
  return {high, b - (high - a)};
}

/// a + b exactly.
inline Pair exact_sum(double a, double b) {
  const double high = a + b;
  const double b_in_high = high - a;
  return {high, (a - (high - b_in_high)) + (b - b_in_high)};
}

/// a · b exactly, by halves of 26 bits; |a| and |b| below 2^996, |a · b| not below 2^-968 or 0.
inline Pair exact_product(double a, double b) {
  constexpr double kSplit = 0x1p27 + 1;
  const double a_scaled = a * kSplit;
  const double b_scaled = b * kSplit;
  const double a_top = a_scaled - (a_scaled - a);
  const double b_top = b_scaled - (b_scaled - b);
  const double a_rest = a - a_top;
  const double b_rest = b - b_top;
  const double high = a * b;
  return {high, ((a_top * b_top - high) + a_top * b_rest + a_rest * b_top) + a_rest * b_rest};
}

inline Pair operator+(Pair a, Pair b) {
  const Pair sum = exact_sum(a.high, b.high);
  return ordered_sum(sum.high, sum.low + (a.low + b.low));
}

inline Pair operator+(Pair a, double b) {
  const Pair sum = exact_sum(a.high, b);
  return ordered_sum(sum.high, sum.low + a.low);
}

inline Pair operator*(Pair a, Pair b) {
  const Pair product = exact_product(a.high, b.high);
  return ordered_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

inline Pair operator*(Pair a, double b) {
  const Pair product = exact_product(a.high, b);
  return ordered_sum(product.high, product.low + a.low * b);
}

inline Pair operator/(Pair a, Pair b) {
  const double quotient = a.high / b.high;
  const Pair rest = a + b * -quotient;
  return ordered_sum(quotient, rest.high / b.high);
}

}  // namespace lockstep::math
