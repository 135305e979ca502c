#include "tensor/narrow.h"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

using namespace lockstep;

namespace {

struct Format {
  float (*round)(float);
  int exponent_least;  ///< of the smallest normal number
  int exponent_most;   ///< of the largest
  int precision;       ///< bits, the leading one included
};

constexpr Format kFormats[] = {{round_to_bfloat16, -126, 127, 8}, {round_to_float16, -14, 15, 11}};

/// The number with this exponent and these bits of significand: significand · 2^(exponent − p + 1).
double number(const Format& format, int exponent, int significand) {
  return std::ldexp(significand, exponent - format.precision + 1);
}

}  // namespace

TEST_CASE("a number that the narrow format has stays as it is") {
  for (const Format& format : kFormats) {
    const int first = 1 << (format.precision - 1);
    for (int exponent = format.exponent_least; exponent <= format.exponent_most; ++exponent) {
      for (int significand = first; significand < 2 * first; ++significand) {
        const auto value = static_cast<float>(number(format, exponent, significand));
        REQUIRE(format.round(value) == value);
        REQUIRE(format.round(-value) == -value);
      }
    }
    for (int significand = 0; significand < first; ++significand) {  // subnormals
      const auto value = static_cast<float>(number(format, format.exponent_least, significand));
      REQUIRE(format.round(value) == value);
    }
  }
}

TEST_CASE("half way between two numbers the even one is taken, and else the nearer one") {
  for (const Format& format : kFormats) {
    const int first = 1 << (format.precision - 1);
    for (const int exponent : {format.exponent_least, -3, 0, 5, format.exponent_most - 1}) {
      // Below the smallest normal number the spacing stays the same.
      const int from = exponent == format.exponent_least ? 0 : first;
      for (int significand = from; significand < 2 * first; ++significand) {
        const double below = number(format, exponent, significand);
        const double above = number(format, exponent, significand + 1);
        const auto middle = static_cast<float>((below + above) / 2);
        if (static_cast<double>(middle) != (below + above) / 2) continue;  // no float has it
        const double even = significand % 2 == 0 ? below : above;
        REQUIRE(static_cast<double>(format.round(middle)) == even);
        REQUIRE(static_cast<double>(format.round(std::nextafterf(middle, 0))) == below);
        const float more = std::nextafterf(middle, std::numeric_limits<float>::max());
        REQUIRE(static_cast<double>(format.round(more)) == above);
      }
    }
  }
}

TEST_CASE("what is too large becomes infinite, and signs and NaN are kept") {
  CHECK(round_to_float16(65504) == 65504);
  CHECK(round_to_float16(65519.996f) == 65504);
  CHECK(std::isinf(round_to_float16(65520)));
  CHECK(round_to_float16(-1e30f) == -std::numeric_limits<float>::infinity());
  CHECK(std::isinf(round_to_bfloat16(std::numeric_limits<float>::max())));
  for (const Format& format : kFormats) {
    CHECK(std::bit_cast<std::uint32_t>(format.round(-0.0f)) == 0x80000000);
    CHECK(std::bit_cast<std::uint32_t>(format.round(-1e-30f * 1e-15f)) == 0x80000000);
    CHECK(std::isnan(format.round(std::numeric_limits<float>::quiet_NaN())));
    CHECK(std::isnan(format.round(std::bit_cast<float>(0x7f800001u))));
    CHECK(format.round(std::numeric_limits<float>::infinity()) ==
          std::numeric_limits<float>::infinity());
  }
}
