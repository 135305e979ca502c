#include "core/rational.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace lockstep {
namespace {

/// Powers of ten up to here can multiply a part of any Rational inside an Integer.
constexpr int kTenPowerMax = 640;
static_assert(Rational::kBitsMax + kTenPowerMax * 3322 / 1000 + 64 <= Integer::kBitsMax);

Integer magnitude(const Integer& x) {
  return x.is_negative() ? -x : x;
}

/// Whether a magnitude cut towards zero has to move one away from zero.
bool moves_away(const Integer& quotient, const Integer& remainder, const Integer& divisor,
                bool negative, Rounding rounding) {
  if (remainder.is_zero() || rounding == Rounding::toward_zero) return false;
  if (rounding == Rounding::down) return negative;
  if (rounding == Rounding::up) return !negative;
  const auto half = magnitude(remainder) * Integer(2) <=> divisor;
  if (half != 0) return half > 0;
  if (rounding == Rounding::half_even) return !quotient.is_even();
  return rounding == Rounding::half_away || !negative;
}

/// |x| against 10^exponent.
std::strong_ordering compare_to_ten_power(const Rational& x, int exponent) {
  const Integer numerator = magnitude(x.numerator());
  if (exponent >= 0) return numerator <=> x.denominator() * power_of_ten(exponent);
  return numerator * power_of_ten(-exponent) <=> x.denominator();
}

Integer power_of_two(int exponent) {
  Integer result(1);
  for (; exponent >= 62; exponent -= 62) result = result * Integer(std::int64_t{1} << 62);
  return result * Integer(std::int64_t{1} << exponent);
}

}  // namespace

std::string_view fault_text(Fault fault) {
  switch (fault) {
    case Fault::none:
      return "no fault";
    case Fault::too_large:
      return "a number too large to compute with";
    case Fault::division_by_zero:
      return "a division by zero";
    case Fault::outside_domain:
      return "a value for which this is not defined";
  }
  return "";
}

Rational Rational::faulty(Fault fault) {
  Rational result;
  result.fault_ = fault;
  return result;
}

Rational Rational::of_reduced(const Integer& numerator, const Integer& denominator) {
  if (numerator.bit_length() > kBitsMax || denominator.bit_length() > kBitsMax) {
    return faulty(Fault::too_large);
  }
  Rational result;
  result.numerator_ = numerator;
  result.denominator_ = denominator;
  return result;
}

Rational::Rational(const Integer& numerator, const Integer& denominator) {
  if (denominator.is_zero()) {
    *this = faulty(Fault::division_by_zero);
    return;
  }
  const Integer common = greatest_common_divisor(numerator, denominator);
  if (common == Integer(1)) {
    *this = denominator.is_negative() ? of_reduced(-numerator, -denominator)
                                      : of_reduced(numerator, denominator);
    return;
  }
  const Integer signed_common = denominator.is_negative() ? -common : common;
  *this = of_reduced(divide(numerator, signed_common).quotient,
                     divide(denominator, signed_common).quotient);
}

Rational Rational::operator-() const {
  Rational result = *this;
  result.numerator_ = -numerator_;
  return result;
}

Rational operator+(const Rational& a, const Rational& b) {
  if (!a.ok()) return a;
  if (!b.ok()) return b;
  if (a.denominator_ == b.denominator_) {
    return Rational(a.numerator_ + b.numerator_, a.denominator_);
  }
  return Rational(a.numerator_ * b.denominator_ + b.numerator_ * a.denominator_,
                  a.denominator_ * b.denominator_);
}

Rational operator*(const Rational& a, const Rational& b) {
  if (!a.ok()) return a;
  if (!b.ok()) return b;
  return Rational(a.numerator_ * b.numerator_, a.denominator_ * b.denominator_);
}

Rational operator/(const Rational& a, const Rational& b) {
  if (!a.ok()) return a;
  if (!b.ok()) return b;
  return Rational(a.numerator_ * b.denominator_, a.denominator_ * b.numerator_);
}

std::partial_ordering operator<=>(const Rational& a, const Rational& b) {
  if (!a.ok() || !b.ok()) return std::partial_ordering::unordered;
  if (a.denominator_ == b.denominator_) return a.numerator_ <=> b.numerator_;
  return a.numerator_ * b.denominator_ <=> b.numerator_ * a.denominator_;
}

bool operator==(const Rational& a, const Rational& b) {
  return a.ok() && b.ok() && a.numerator_ == b.numerator_ && a.denominator_ == b.denominator_;
}

Rational absolute(const Rational& x) {
  return x.sign() < 0 ? -x : x;
}

Rational minimum(const Rational& a, const Rational& b) {
  if (!a.ok()) return a;
  if (!b.ok()) return b;
  return b < a ? b : a;
}

Rational maximum(const Rational& a, const Rational& b) {
  if (!a.ok()) return a;
  if (!b.ok()) return b;
  return a < b ? b : a;
}

Rational power(const Rational& x, std::int64_t exponent) {
  if (!x.ok() || exponent == 1) return x;
  if (exponent == 0) return 1;
  if (x.is_zero()) return exponent > 0 ? Rational() : Rational::faulty(Fault::division_by_zero);
  const Rational base = exponent > 0 ? x : 1 / x;
  if (absolute(base) == 1) return exponent % 2 == 0 ? Rational(1) : base;
  // Every other base at least doubles its numerator or denominator with each factor.
  if (exponent > Rational::kBitsMax || exponent < -Rational::kBitsMax) {
    return Rational::faulty(Fault::too_large);
  }
  const std::int64_t factors = exponent > 0 ? exponent : -exponent;
  int bit = 12;  // kBitsMax < 2^12
  while ((factors >> bit & 1) == 0) --bit;
  Rational result = base;
  while (--bit >= 0 && result.ok()) {
    result *= result;
    if ((factors >> bit & 1) != 0) result *= base;
  }
  return result;
}

Rational ten_to(int exponent) {
  if (exponent > kTenPowerMax || exponent < -kTenPowerMax) {
    return Rational::faulty(Fault::too_large);
  }
  return exponent >= 0 ? Rational(power_of_ten(exponent), 1)
                       : Rational(Integer(1), power_of_ten(-exponent));
}

Rational round_at(const Rational& x, int places, Rounding rounding) {
  if (!x.ok() || (places >= 0 && x.is_whole())) return x;
  if (places > kTenPowerMax || places < -kTenPowerMax) return Rational::faulty(Fault::too_large);
  const Integer scale = power_of_ten(places >= 0 ? places : -places);
  const Integer dividend = places >= 0 ? x.numerator() * scale : x.numerator();
  const Integer divisor = places >= 0 ? x.denominator() : x.denominator() * scale;
  const bool negative = x.sign() < 0;
  Integer::Division cut = divide(dividend, divisor);
  if (moves_away(cut.quotient, cut.remainder, divisor, negative, rounding)) {
    cut.quotient = cut.quotient + Integer(negative ? -1 : 1);
  }
  return places >= 0 ? Rational(cut.quotient, scale) : Rational(cut.quotient * scale, 1);
}

Rational round_figures(const Rational& x, int figures, Rounding rounding) {
  if (!x.ok() || x.is_zero()) return x;
  return round_at(x, figures - 1 - leading_exponent(x), rounding);
}

int leading_exponent(const Rational& x) {
  assert(x.sign() != 0);
  // 2^bits < |x| < 2^(bits+2); log10(2) = 0.30103. The estimate is low by at most one.
  const int bits = x.numerator().bit_length() - x.denominator().bit_length() - 1;
  int exponent = (bits * 30103 - (bits < 0 ? 99'999 : 0)) / 100'000;
  while (compare_to_ten_power(x, exponent) < 0) --exponent;
  while (compare_to_ten_power(x, exponent + 1) >= 0) ++exponent;
  return exponent;
}

std::optional<std::int64_t> to_int64(const Rational& x) {
  if (!x.is_whole()) return std::nullopt;
  return x.numerator().to_int64();
}

double to_double(const Rational& x) {
  constexpr int kMantissaBits = 53;
  constexpr int kSmallestBit = 1074;  // the last bit of a subnormal is worth 2^-1074
  if (!x.ok()) return std::numeric_limits<double>::quiet_NaN();
  const Integer numerator = magnitude(x.numerator());
  // |x|·2^shift is to have 53 bits before the point, fewer where the result is subnormal.
  int shift =
      std::min(kMantissaBits - numerator.bit_length() + x.denominator().bit_length(), kSmallestBit);
  const auto scaled = [&](int by) {
    return by >= 0 ? divide(numerator * power_of_two(by), x.denominator())
                   : divide(numerator, x.denominator() * power_of_two(-by));
  };
  Integer::Division cut = scaled(shift);
  if (cut.quotient.bit_length() > kMantissaBits) cut = scaled(--shift);
  const Integer divisor = shift >= 0 ? x.denominator() : x.denominator() * power_of_two(-shift);
  if (moves_away(cut.quotient, cut.remainder, divisor, false, Rounding::half_even)) {
    cut.quotient = cut.quotient + Integer(1);
  }
  const double size = std::ldexp(static_cast<double>(cut.quotient.to_int64().value_or(0)), -shift);
  return x.sign() < 0 ? -size : size;
}

namespace {

/// The pieces of plain decimal text.
struct DecimalScan {
  std::string digits;        // without leading zeros
  int exponent = 0;          // value = digits · 10^exponent
  std::size_t position = 0;  // where scanning stopped
  bool any_digit = false;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

void scan_mantissa(std::string_view text, DecimalScan& scan) {
  bool behind_point = false;
  for (; scan.position < text.size(); ++scan.position) {
    const char c = text[scan.position];
    if (c == '.' && !behind_point) {
      behind_point = true;
      continue;
    }
    if (!is_digit(c)) break;
    scan.any_digit = true;
    if (behind_point) --scan.exponent;
    if (c != '0' || !scan.digits.empty()) scan.digits += c;
  }
}

void scan_exponent(std::string_view text, DecimalScan& scan) {
  constexpr int kFarOut = 100'000;  // saturates: far outside every limit
  std::size_t at = scan.position;
  if (at == text.size() || (text[at] != 'e' && text[at] != 'E')) return;
  ++at;
  const bool negative = at < text.size() && text[at] == '-';
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  if (at == text.size() || !is_digit(text[at])) return;
  int written = 0;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    written = std::min(kFarOut, 10 * written + (text[at] - '0'));
  }
  scan.exponent += negative ? -written : written;
  scan.position = at;
}

Error decimal_error(std::string code, std::size_t position, std::string message) {
  return {std::move(code), "column " + std::to_string(position + 1), std::move(message)};
}

}  // namespace

Result<Rational> rational_from_decimal(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  DecimalScan scan;
  scan.position = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  scan_mantissa(text, scan);
  if (scan.any_digit) scan_exponent(text, scan);
  if (!scan.any_digit || scan.position != text.size()) {
    return decimal_error("not_a_number", scan.position,
                         "A decimal number such as 0.5 or 6e14 is expected.");
  }
  if (scan.digits.empty()) return Rational();
  const auto count = static_cast<int>(std::min<std::size_t>(scan.digits.size(), 1000));
  if (count > kDigitsMax) {
    return decimal_error("too_many_digits", 0,
                         "A number may have at most " + std::to_string(kDigitsMax) + " digits.");
  }
  const int leading = scan.exponent + count - 1;
  if (leading > kExponentMax || leading < -kExponentMax) {
    return decimal_error("out_of_range", 0, "Numbers have to lie between 1e-308 and 1e308.");
  }
  const Integer digits = Integer::from_digits(scan.digits);
  const Integer signed_digits = negative ? -digits : digits;
  if (scan.exponent >= 0) return Rational(signed_digits * power_of_ten(scan.exponent), 1);
  return Rational(signed_digits, power_of_ten(-scan.exponent));
}

}  // namespace lockstep
