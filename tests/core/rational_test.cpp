#include "core/rational.h"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/random.h"

namespace lockstep {
namespace {

Rational exact(std::string_view text) {
  const Result<Rational> parsed = rational_from_decimal(text);
  REQUIRE(parsed.ok());
  return parsed.value();
}

/// A fraction with parts of up to 60 bits, zero and whole numbers among them.
Rational random_rational(std::uint64_t seed, std::uint64_t stream) {
  const auto part = [&](std::uint64_t index) {
    const std::uint64_t drawn = random_bits(seed, stream, index);
    return static_cast<std::int64_t>(drawn >> 4 >> (drawn % 16 * 4));
  };
  const std::int64_t denominator = part(1);
  const std::int64_t sign = random_bits(seed, stream, 2) % 2 == 0 ? 1 : -1;
  return Rational(sign * part(0), denominator == 0 ? 1 : denominator);
}

TEST_CASE("Fractions obey the laws of a field, exactly") {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    const Rational a = random_rational(seed, 0);
    const Rational b = random_rational(seed, 1);
    const Rational c = random_rational(seed, 2);
    CHECK(a + b == b + a);
    CHECK((a + b) + c == a + (b + c));
    CHECK(a * (b + c) == a * b + a * c);
    CHECK((a - b) + b == a);
    if (!b.is_zero()) CHECK(a / b * b == a);
    CHECK(((a < b) ? 1 : 0) + ((a == b) ? 1 : 0) + ((a > b) ? 1 : 0) == 1);
    CHECK((a < b) == ((a - b).sign() < 0));
  }
}

TEST_CASE("Fractions are in lowest terms with the sign on top") {
  const Rational half(-6, -12);
  CHECK(half.numerator() == Integer(1));
  CHECK(half.denominator() == Integer(2));
  const Rational negative(6, -12);
  CHECK(negative.numerator() == Integer(-1));
  CHECK(negative.denominator() == Integer(2));
  CHECK(Rational(0, -7).denominator() == Integer(1));
  CHECK(Rational(INT64_MIN, 2) == Rational(INT64_MIN / 2));
}

TEST_CASE("A division by zero is a fault that every later result carries") {
  const Rational fault = Rational(1) / Rational(0);
  CHECK(fault.fault() == Fault::division_by_zero);
  CHECK(Rational(3, 0).fault() == Fault::division_by_zero);
  for (const Rational& after :
       {fault + 1, 1 + fault, fault * 0, 0 / fault, -fault, absolute(fault), power(fault, 3),
        round_at(fault, 2, Rounding::half_even), round_figures(fault, 2, Rounding::half_even),
        minimum(1, fault), maximum(fault, 1)}) {
    CHECK(after.fault() == Fault::division_by_zero);
  }
  CHECK_FALSE(fault == fault);
  CHECK_FALSE(fault < 1);
  CHECK_FALSE(fault > 1);
  CHECK_FALSE(to_int64(fault).has_value());
  CHECK(std::isnan(to_double(fault)));
}

TEST_CASE("A number past 2048 bits is a fault, one of 2048 bits is not") {
  const Rational largest = (power(2, 2047) - 1) * 2 + 1;  // 2^2048 − 1
  REQUIRE(largest.ok());
  CHECK((largest + 1).fault() == Fault::too_large);
  CHECK((1 / largest).ok());
  CHECK((1 / largest / 2).fault() == Fault::too_large);
  CHECK((largest * largest).fault() == Fault::too_large);
  // What passes the bound on the way and comes back is right: the parts have 4096 bits in between.
  CHECK(largest * (1 / largest) == 1);
  CHECK(largest / 3 - largest / 3 == 0);
  CHECK(largest / 3 < largest / 2);
}

TEST_CASE("Powers are exact, and refused before they grow") {
  CHECK(power(Rational(2, 3), 3) == Rational(8, 27));
  CHECK(power(Rational(-2, 3), -3) == Rational(-27, 8));
  CHECK(power(0, 0) == 1);
  CHECK(power(0, 5) == 0);
  CHECK(power(0, -1).fault() == Fault::division_by_zero);
  CHECK(power(-1, INT64_MIN) == 1);
  CHECK(power(-1, INT64_MAX) == -1);
  CHECK(power(2, 2047).ok());
  CHECK(power(2, 2048).fault() == Fault::too_large);
  CHECK(power(9, 387'420'489).fault() == Fault::too_large);
  CHECK(power(Rational(1, 2), INT64_MIN).fault() == Fault::too_large);
  CHECK(ten_to(-2) == Rational(1, 100));
  CHECK(ten_to(641).fault() == Fault::too_large);
}

struct RoundingRow {
  const char* value;
  int places;
  const char* half_away;
  const char* half_even;
  const char* half_up;
  const char* toward_zero;
  const char* down;
  const char* up;
};

TEST_CASE("Every way of rounding treats ties and signs as it says") {
  constexpr std::array kRows = {
      RoundingRow{"0.5", 0, "1", "0", "1", "0", "0", "1"},
      RoundingRow{"1.5", 0, "2", "2", "2", "1", "1", "2"},
      RoundingRow{"-0.5", 0, "-1", "0", "0", "0", "-1", "0"},
      RoundingRow{"-1.5", 0, "-2", "-2", "-1", "-1", "-2", "-1"},
      RoundingRow{"0.0625", 3, "0.063", "0.062", "0.063", "0.062", "0.062", "0.063"},
      RoundingRow{"0.1875", 3, "0.188", "0.188", "0.188", "0.187", "0.187", "0.188"},
      RoundingRow{"2.4", 0, "2", "2", "2", "2", "2", "3"},
      RoundingRow{"-2.6", 0, "-3", "-3", "-3", "-2", "-3", "-2"},
      RoundingRow{"1250", -2, "1300", "1200", "1300", "1200", "1200", "1300"},
      RoundingRow{"7", 3, "7", "7", "7", "7", "7", "7"},
      RoundingRow{"49", -2, "0", "0", "0", "0", "0", "100"},
  };
  for (const RoundingRow& row : kRows) {
    CAPTURE(row.value, row.places);
    const Rational x = exact(row.value);
    CHECK(round_at(x, row.places, Rounding::half_away) == exact(row.half_away));
    CHECK(round_at(x, row.places, Rounding::half_even) == exact(row.half_even));
    CHECK(round_at(x, row.places, Rounding::half_up) == exact(row.half_up));
    CHECK(round_at(x, row.places, Rounding::toward_zero) == exact(row.toward_zero));
    CHECK(round_at(x, row.places, Rounding::down) == exact(row.down));
    CHECK(round_at(x, row.places, Rounding::up) == exact(row.up));
  }
}

TEST_CASE("A rounded value is a multiple of its place and at most half a place away") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    const Rational x = random_rational(seed, 0);
    const auto places = static_cast<int>(random_below(seed, 1, 0, 13)) - 4;
    for (const Rounding rounding : {Rounding::half_away, Rounding::half_even, Rounding::half_up}) {
      const Rational rounded = round_at(x, places, rounding);
      CHECK((rounded * ten_to(places)).is_whole());
      CHECK(absolute(rounded - x) * 2 <= ten_to(-places));
    }
    CHECK(floor(x) <= x);
    CHECK(x < floor(x) + 1);
    CHECK(ceil(x) == -floor(-x));
  }
}

TEST_CASE("Rounding far outside every use is a fault, not a wrong number") {
  CHECK(round_at(Rational(1, 3), 641, Rounding::half_even).fault() == Fault::too_large);
  CHECK(round_at(1, -641, Rounding::half_even).fault() == Fault::too_large);
}

TEST_CASE("The leading exponent brackets the number between two powers of ten") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    const Rational x = random_rational(seed, 0) * ten_to(static_cast<int>(seed % 500) - 250);
    if (x.is_zero()) continue;
    const int exponent = leading_exponent(x);
    CHECK(ten_to(exponent) <= absolute(x));
    CHECK(absolute(x) < ten_to(exponent + 1));
  }
  for (int exponent = -300; exponent <= 300; ++exponent) {
    CHECK(leading_exponent(ten_to(exponent)) == exponent);
    CHECK(leading_exponent(ten_to(exponent) * Rational(999'999, 1'000'000)) == exponent - 1);
  }
}

TEST_CASE("Significant figures are rounded at the place they reach") {
  CHECK(round_figures(exact("1174.34"), 3, Rounding::half_away) == 1170);
  CHECK(round_figures(exact("61250"), 3, Rounding::half_away) == 61300);
  CHECK(round_figures(exact("0.04985"), 3, Rounding::half_away) == exact("0.0499"));
  CHECK(round_figures(exact("999"), 2, Rounding::half_away) == 1000);
  CHECK(round_figures(exact("-0.0499"), 1, Rounding::half_away) == exact("-0.05"));
  CHECK(round_figures(0, 3, Rounding::half_away) == 0);
}

TEST_CASE("Doubles come out correctly rounded") {
  // 0.1 and 1/3 as the compiler rounds them; a tie to even; the ends of the range.
  CHECK(to_double(Rational(1, 10)) == 0.1);
  CHECK(to_double(Rational(-1, 3)) == -1.0 / 3.0);
  CHECK(to_double(Rational((std::int64_t{1} << 53) + 1)) == 9007199254740992.0);
  CHECK(to_double(Rational((std::int64_t{1} << 53) + 3)) == 9007199254740996.0);
  CHECK(to_double(exact("4.9406564584124654e-308")) == 4.9406564584124654e-308);
  CHECK(to_double(exact("4.94e-308") / power(10, 16)) == 4.94e-324);
  CHECK(to_double(exact("1e308")) == 1e308);
  CHECK(to_double(0) == 0.0);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    // Both parts exact in a double, so that the machine's own division rounds correctly once.
    const auto a = static_cast<std::int64_t>(random_bits(seed, 0, 0) >> 12);
    const auto b = static_cast<std::int64_t>(random_bits(seed, 0, 1) >> 12) + 1;
    CHECK(to_double(Rational(a, b)) == static_cast<double>(a) / static_cast<double>(b));
  }
}

TEST_CASE("Decimal text is read exactly, whatever a double would make of it") {
  CHECK(exact("0.1") == Rational(1, 10));
  CHECK(exact("-12.50") == Rational(-25, 2));
  CHECK(exact(".5") == Rational(1, 2));
  CHECK(exact("5.") == 5);
  CHECK(exact("+6e14") == 600'000'000'000'000);
  CHECK(exact("2.73E-1") == Rational(273, 1000));
  CHECK(exact("9007199254740993") == Rational(9'007'199'254'740'993));
  CHECK(exact("-0") == 0);
  CHECK(exact("0e99999999999") == 0);
  CHECK(exact("0000000000000000000000000000000000000000000042") == 42);
}

TEST_CASE("Text that is not a plain decimal number is refused with its place") {
  struct Row {
    const char* text;
    const char* code;
    const char* where;
  };
  constexpr std::array kRows = {
      Row{"", "not_a_number", "column 1"},
      Row{"-", "not_a_number", "column 2"},
      Row{".", "not_a_number", "column 2"},
      Row{"1.2.3", "not_a_number", "column 4"},
      Row{"1e", "not_a_number", "column 2"},
      Row{"1e+", "not_a_number", "column 2"},
      Row{"0x10", "not_a_number", "column 2"},
      Row{"1 000", "not_a_number", "column 2"},
      Row{"NaN", "not_a_number", "column 1"},
      Row{"--1", "not_a_number", "column 2"},
      Row{"1e400", "out_of_range", "column 1"},
      Row{"1e-400", "out_of_range", "column 1"},
      Row{"1e309", "out_of_range", "column 1"},
      Row{"1e99999999999", "out_of_range", "column 1"},
      Row{"12345678901234567890123456789012345678901", "too_many_digits", "column 1"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.text);
    const Result<Rational> parsed = rational_from_decimal(row.text);
    REQUIRE_FALSE(parsed.ok());
    CHECK(parsed.error().code == row.code);
    CHECK(parsed.error().where == row.where);
  }
  CHECK(rational_from_decimal("1234567890123456789012345678901234567890").ok());
  CHECK(rational_from_decimal("9.99e308").ok());
}

}  // namespace
}  // namespace lockstep
