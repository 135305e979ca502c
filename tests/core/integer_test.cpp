#include "core/integer.h"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/random.h"

namespace lockstep {
namespace {

/// A number of up to `bits` random bits. Many of its 32-bit limbs are extreme, which makes long
/// carries and borrows and the rare steps of division.
Integer random_integer(std::uint64_t seed, std::uint64_t stream, int bits) {
  constexpr std::array<std::int64_t, 5> kExtreme = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};
  const auto limbs = random_below(seed, stream, 0, static_cast<std::uint64_t>(bits / 32 + 1));
  Integer result;
  for (std::uint64_t i = 1; i <= limbs; ++i) {
    const std::uint64_t drawn = random_bits(seed, stream, i);
    const auto choice = static_cast<std::size_t>(drawn >> 32 & 7);
    const auto limb =
        choice < kExtreme.size() ? kExtreme[choice] : static_cast<std::int64_t>(drawn & 0xffffffff);
    result = result * Integer(std::int64_t{1} << 32) + Integer(limb);
  }
  return random_bits(seed, stream, 1000) % 2 == 0 ? result : -result;
}

TEST_CASE("Sums, products and differences of big integers obey the laws of a ring") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    const Integer a = random_integer(seed, 0, 1000);
    const Integer b = random_integer(seed, 1, 1000);
    const Integer c = random_integer(seed, 2, 1000);
    CHECK(a + b == b + a);
    CHECK(a * b == b * a);
    CHECK((a + b) * c == a * c + b * c);
    CHECK((a - b) + b == a);
    CHECK((a - a).is_zero());
    CHECK_FALSE((a - a).is_negative());
  }
}

TEST_CASE("Division gives back the dividend and a remainder smaller than the divisor") {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    CAPTURE(seed);
    const Integer dividend = random_integer(seed, 0, 2000);
    const Integer divisor = random_integer(seed, 1, seed % 2 == 0 ? 2000 : 128);
    if (divisor.is_zero()) continue;
    const auto [quotient, remainder] = divide(dividend, divisor);
    CHECK(quotient * divisor + remainder == dividend);
    const auto size = [](const Integer& x) { return x.is_negative() ? -x : x; };
    CHECK(size(remainder) < size(divisor));
    CHECK((remainder.is_zero() || remainder.is_negative() == dividend.is_negative()));
  }
}

TEST_CASE("Division corrects a quotient digit that was guessed one too large") {
  // The rare last step of Knuth's algorithm D. By construction the quotient of
  // (2^63 + 1)(2^32 − 1) + 2^63 by 2^63 + 1 is 2^32 − 1 and the remainder 2^63.
  const Integer two_32(std::int64_t{1} << 32);
  const Integer two_63 = Integer(std::int64_t{1} << 62) * Integer(2);
  const Integer divisor = two_63 + Integer(1);
  const auto [quotient, remainder] = divide(divisor * (two_32 - Integer(1)) + two_63, divisor);
  CHECK(quotient == two_32 - Integer(1));
  CHECK(remainder == two_63);
}

TEST_CASE("The greatest common divisor divides both and takes up every common factor") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    CAPTURE(seed);
    const Integer a = random_integer(seed, 0, 600);
    const Integer b = random_integer(seed, 1, 600);
    const Integer common = random_integer(seed, 2, 600);
    if (a.is_zero() || b.is_zero() || common.is_zero()) continue;
    const Integer divisor = greatest_common_divisor(a * common, b * common);
    CHECK(divisor > Integer(0));
    CHECK(divide(a * common, divisor).remainder.is_zero());
    CHECK(divide(b * common, divisor).remainder.is_zero());
    CHECK(divide(divisor, common).remainder.is_zero());
  }
  CHECK(greatest_common_divisor(Integer(12), Integer(-18)) == Integer(6));
  CHECK(greatest_common_divisor(Integer(0), Integer(-5)) == Integer(5));
  CHECK(greatest_common_divisor(Integer(0), Integer(0)).is_zero());
}

TEST_CASE("Digits and text of an integer are inverse to each other") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    CAPTURE(seed);
    const Integer a = random_integer(seed, 0, 2048);
    const std::string text = a.to_text();
    CHECK(Integer::from_digits(text.substr(a.is_negative() ? 1 : 0)) == (a.is_negative() ? -a : a));
  }
  CHECK(Integer::from_digits("00042").to_text() == "42");
  CHECK(Integer(-1'000'000'007).to_text() == "-1000000007");
  // 2^128, as in every table of powers of two.
  Integer power(1);
  for (int i = 0; i < 128; ++i) power = power * Integer(2);
  CHECK(power.to_text() == "340282366920938463463374607431768211456");
  CHECK(power.bit_length() == 129);
  CHECK(power_of_ten(30).to_text() == "1" + std::string(30, '0'));
}

TEST_CASE("The whole range of 64 bits goes in and out") {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, INT64_MAX, INT64_MIN}) {
    CHECK(Integer(value).to_int64() == value);
    CHECK(Integer(value).to_text() == std::to_string(value));
  }
  CHECK_FALSE((Integer(INT64_MAX) + Integer(1)).to_int64().has_value());
  CHECK_FALSE((Integer(INT64_MIN) - Integer(1)).to_int64().has_value());
}

TEST_CASE("Integers are ordered by sign, then size") {
  const Integer big = power_of_ten(50);
  CHECK(-big < Integer(-1));
  CHECK(Integer(-1) < Integer(0));
  CHECK(Integer(0) < Integer(1));
  CHECK(Integer(1) < big);
  CHECK(-power_of_ten(51) < -big);
}

}  // namespace
}  // namespace lockstep
