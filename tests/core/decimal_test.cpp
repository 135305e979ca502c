#include "core/decimal.h"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include "core/random.h"

namespace lockstep {
namespace {

constexpr NumberStyle kAscii{.ascii = true};

NumberStyle in(std::string_view id) {
  return {.locale = find_locale(id)};
}

TEST_CASE("Plain decimal text reads back as the rounded value") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    const auto n = static_cast<std::int64_t>(random_bits(seed, 0, 0) >> 30);
    const auto d = static_cast<std::int64_t>(random_bits(seed, 0, 1) >> 40) + 1;
    const Rational x = seed % 2 == 0 ? Rational(n, d) : Rational(-n, d);
    const auto places = static_cast<int>(random_below(seed, 1, 0, 9));
    CHECK(rational_from_decimal(fixed_text(x, places, kAscii)).value() ==
          round_at(x, places, Rounding::half_away));
    CHECK(rational_from_decimal(figures_text(x, places + 1, kAscii)).value() ==
          round_figures(x, places + 1, Rounding::half_away));
    CHECK(rational_from_decimal(scientific_text(x, places + 1, kAscii)).value() ==
          round_figures(x, places + 1, Rounding::half_away));
  }
}

TEST_CASE("Fixed decimals round ties away from zero and keep their zeros") {
  CHECK(fixed_text(Rational(20, 3), 3) == "6.667");
  CHECK(fixed_text(Rational(1, 16), 3) == "0.063");
  CHECK(fixed_text(Rational(-1, 16), 3) == "\u22120.063");
  CHECK(fixed_text(Rational(-1, 16), 3, kAscii) == "-0.063");
  CHECK(fixed_text(256, 0) == "256");
  CHECK(fixed_text(1, 2) == "1.00");
}

TEST_CASE("Nothing is written as minus zero") {
  CHECK(fixed_text(Rational(-1, 1000), 2) == "0.00");
  CHECK(percent_text(Rational(-1, 100'000), 1, kAscii) == "0.0 %");
}

TEST_CASE("The shortest exact form is a decimal where its digits end, else a fraction") {
  CHECK(shortest_text(Rational(32, 5)) == "6.4");
  CHECK(shortest_text(Rational(20, 3)) == "20/3");
  CHECK(shortest_text(Rational(1, 16)) == "0.0625");
  CHECK(shortest_text(-7) == "\u22127");
  CHECK(shortest_text(0) == "0");
  CHECK(shortest_text(6 * ten_to(14)) == "600\u202f000\u202f000\u202f000\u202f000");
  CHECK(shortest_text(315 * ten_to(21)) == "3.15\u00d710\u00b2\u00b3");
  CHECK(shortest_text(63 * ten_to(-9)) == "6.3\u00d710\u207b\u2078");
  CHECK(shortest_text(63 * ten_to(-9), kAscii) == "6.3e-8");
  CHECK(exact_text(Rational(1, 3)) == std::nullopt);
  CHECK(exact_text(Rational(3, 8)) == "0.375");
  CHECK(exact_text(power(Rational(1, 2), 80)) == std::nullopt);  // 56 significant digits
}

TEST_CASE("Significant figures are all written, in plain or scientific form") {
  CHECK(figures_text(Rational(117'434, 100), 3) == "1170");
  CHECK(figures_text(Rational(1234567, 1'000'000'000), 3) == "0.00123");
  CHECK(figures_text(Rational(3, 2), 3) == "1.50");
  CHECK(figures_text(999, 2) == "1000");
  CHECK(figures_text(0, 2) == "0.00");
  CHECK(figures_text(0, 1) == "0");
  CHECK(figures_text(6 * ten_to(23), 3) == "6.00\u00d710\u00b2\u00b3");
  CHECK(scientific_text(Rational(3, 11), 3) == "2.73\u00d710\u207b\u00b9");
  CHECK(scientific_text(Rational(9996, 1000), 3) == "1.00\u00d710\u00b9");
}

TEST_CASE("Percent, fraction and mixed number") {
  CHECK(percent_text(Rational(3, 11), 1) == "27.3\u00a0%");
  CHECK(fraction_text(Rational(-20, 3), kAscii) == "-20/3");
  CHECK(fraction_text(256) == "256");
  CHECK(mixed_text(Rational(20, 3), kAscii) == "6 2/3");
  CHECK(mixed_text(Rational(-20, 3)) == "\u22126\u00a02/3");
  CHECK(mixed_text(Rational(2, 3)) == "2/3");
  CHECK(mixed_text(7) == "7");
}

TEST_CASE("Each locale writes its own marks") {
  const Rational x(123'456'789, 100);  // 1234567.89
  CHECK(fixed_text(x, 2, in("en")) == "1,234,567.89");
  CHECK(fixed_text(x, 2, in("de")) == "1\u202f234\u202f567,89");
  CHECK(fixed_text(x, 2, in("fr")) == "1\u202f234\u202f567,89");
  CHECK(fixed_text(x, 2, in("ch")) == "1\u2019234\u2019567.89");
  CHECK(fixed_text(x, 2, in("in")) == "12,34,567.89");
  CHECK(fixed_text(x, 2) == "1\u202f234\u202f567.89");
  CHECK(fixed_text(1234, 0, in("en")) == "1234");
  CHECK(fixed_text(12345, 0, in("in")) == "12,345");
  CHECK(fixed_text(x, 2, {.locale = find_locale("de"), .group = false}) == "1234567,89");
  CHECK(find_locale("xx") == nullptr);
}

TEST_CASE("A fault is named, never shown as a number") {
  const Rational fault = Rational(1) / 0;
  for (const std::string& text :
       {fixed_text(fault, 3), shortest_text(fault), figures_text(fault, 3),
        scientific_text(fault, 3), fraction_text(fault), mixed_text(fault)}) {
    CHECK(text == "(a division by zero)");
  }
  CHECK(exact_text(fault) == std::nullopt);
}

}  // namespace
}  // namespace lockstep
