// sin and cos, for arguments of any size.
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/math.h"
#include "core/math_pair.h"

namespace lockstep::math {
namespace {

constexpr Pair kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/// A word of zeros, then the first 1280 bits of 2/pi behind the point, first bit first.
constexpr std::array<std::uint64_t, 21> kTwoOverPi{
    0x0000000000000000u, 0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u,
    0xfe5163abdebbc561u, 0xb7246e3a424dd2e0u, 0x06492eea09d1921cu, 0xfe1deb1cb129a73eu,
    0xe88235f52ebb4484u, 0xe99c7026b45f7e41u, 0x3991d639835339f4u, 0x9c845f8bbdf9283bu,
    0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u, 0x4f463f669e5fea2du,
    0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu,
    0xf0cfbc209af4361du,
};

/// A number of 192 bits; `top` has the highest 64.
struct Wide {
  std::uint64_t top = 0;
  std::uint64_t middle = 0;
  std::uint64_t bottom = 0;
};

/// The higher 64 of the 128 bits of a · b.
std::uint64_t product_top(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kLow = 0xffffffffu;
  const std::uint64_t a_top = a >> 32;
  const std::uint64_t b_top = b >> 32;
  const std::uint64_t cross = (a & kLow) * b_top;
  const std::uint64_t carry =
      (((a & kLow) * (b & kLow)) >> 32) + (cross & kLow) + ((a_top * (b & kLow)) & kLow);
  return a_top * b_top + (cross >> 32) + ((a_top * (b & kLow)) >> 32) + (carry >> 32);
}

/// The lowest 192 bits of factor · wide.
Wide product(std::uint64_t factor, const Wide& wide) {
  Wide result;
  result.bottom = factor * wide.bottom;
  result.middle = factor * wide.middle + product_top(factor, wide.bottom);
  const std::uint64_t carry = result.middle < factor * wide.middle ? 1 : 0;
  result.top = factor * wide.top + product_top(factor, wide.middle) + carry;
  return result;
}

Wide negative(const Wide& wide) {
  const std::uint64_t bottom = ~wide.bottom + 1;
  const std::uint64_t middle = ~wide.middle + (bottom == 0 ? 1 : 0);
  return {~wide.top + (bottom == 0 && middle == 0 ? 1 : 0), middle, bottom};
}

/// The first 64 bits of kTwoOverPi from a place on.
std::uint64_t two_over_pi(std::size_t place) {
  const std::size_t word = place / 64;
  const std::size_t shift = place % 64;
  if (shift == 0) return kTwoOverPi[word];
  return kTwoOverPi[word] << shift | kTwoOverPi[word + 1] >> (64 - shift);
}

/// wide · 2^-190, to 106 bits.
Pair as_fraction(Wide wide) {
  assert((wide.top | wide.middle) != 0);
  double unit = 0x1p-190 * 0x1p139;  // of the first 53 bits
  if (wide.top == 0) {
    wide = {wide.middle, wide.bottom, 0};
    unit *= 0x1p-64;
  }
  const int zeros = std::countl_zero(wide.top);
  unit /= static_cast<double>(std::uint64_t{1} << zeros);
  if (zeros > 0) {
    wide.top = wide.top << zeros | wide.middle >> (64 - zeros);
    wide.middle = wide.middle << zeros | wide.bottom >> (64 - zeros);
  }
  const std::uint64_t first = wide.top >> 11;
  const std::uint64_t second = (wide.top & 0x7ffu) << 42 | wide.middle >> 22;
  return {static_cast<double>(first) * unit, static_cast<double>(second) * unit * 0x1p-53};
}

/// x = (4 n + quadrant) pi/2 + rest, |rest| <= pi/4
struct Reduced {
  unsigned quadrant = 0;
  Pair rest;
};

/// For finite x >= 1/2, after M. H. Payne and R. N. Hanek, Radian reduction for trigonometric
/// functions (1983): with x = m 2^e, m an integer of 53 bits, x · 2/pi is wanted modulo 4, so bits
/// of 2/pi that give multiples of 4 need not be multiplied. Of the rest, the 192 bits from place
/// e - 2 on give m · bits = x · 2/pi · 2^190 modulo 2^192 but for less than 2^53. No float64 is
/// nearer than 2^-62 to a multiple of pi/2 (W. Kahan), so 2^-75 of the rest is right at least.
Reduced reduce(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t m = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  const int e = static_cast<int>(bits >> 52) - 1075;
  const auto place = static_cast<std::size_t>(64 + e - 2);
  Wide turns = product(m, {two_over_pi(place), two_over_pi(place + 64), two_over_pi(place + 128)});
  auto quadrant = static_cast<unsigned>(turns.top >> 62);
  turns.top &= (std::uint64_t{1} << 62) - 1;
  const bool above_half = turns.top >> 61 != 0;
  if (!above_half) return {quadrant, as_fraction(turns) * kHalfPi};
  turns = negative(turns);
  turns.top &= (std::uint64_t{1} << 62) - 1;
  const Pair rest = as_fraction(turns) * kHalfPi;
  return {quadrant + 1, {-rest.high, -rest.low}};
}

Reduced reduced(double magnitude) {
  constexpr double kQuarterPi = 0x1.921fb54442d18p-1;
  return magnitude <= kQuarterPi ? Reduced{0, {magnitude}} : reduce(magnitude);
}

/// sin(r) = r - r³/3! + r⁵/5! - …, |r| <= pi/4
double sin_series(Pair r) {
  const double square = r.high * r.high;
  double series = 0;
  for (const double coefficient :
       {1 / 355687428096000.0, -1 / 1307674368000.0, 1 / 6227020800.0, -1 / 39916800.0,
        1 / 362880.0, -1 / 5040.0, 1 / 120.0, -1 / 6.0}) {
    series = coefficient + square * series;
  }
  return r.high + (r.low * (1 - 0.5 * square) + r.high * square * series);
}

/// cos(r) = 1 - r²/2 + r⁴/4! - …, |r| <= pi/4; the first two terms without rounding.
double cos_series(Pair r) {
  const Pair square = exact_product(r.high, r.high);
  const Pair start = ordered_sum(1, -0.5 * square.high);
  double series = 0;
  for (const double coefficient :
       {-1 / 6402373705728000.0, 1 / 20922789888000.0, -1 / 87178291200.0, 1 / 479001600.0,
        -1 / 3628800.0, 1 / 40320.0, -1 / 720.0, 1 / 24.0}) {
    series = coefficient + square.high * series;
  }
  const double rest = start.low - 0.5 * square.low - r.high * r.low;
  return start.high + (rest + square.high * square.high * series);
}

/// The sine of x turned forward by so many quarters, for x that reduce leaves.
double sin_in_quadrant(unsigned quadrant, Pair rest) {
  const double value = (quadrant & 1u) != 0 ? cos_series(rest) : sin_series(rest);
  return (quadrant & 2u) != 0 ? -value : value;
}

}  // namespace

double sin(double x) {
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  const double magnitude = std::abs(x);
  if (magnitude < 0x1p-27) return x;  // sin x = x - x³/6 + …
  const Reduced turned = reduced(magnitude);
  const double value = sin_in_quadrant(turned.quadrant, turned.rest);
  return std::signbit(x) ? -value : value;
}

double cos(double x) {
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  const double magnitude = std::abs(x);
  if (magnitude < 0x1p-27) return 1;  // cos x = 1 - x²/2 + …
  const Reduced turned = reduced(magnitude);
  return sin_in_quadrant(turned.quadrant + 1, turned.rest);
}

float sin(float x) {
  return static_cast<float>(sin(static_cast<double>(x)));
}

float cos(float x) {
  return static_cast<float>(cos(static_cast<double>(x)));
}

}  // namespace lockstep::math
