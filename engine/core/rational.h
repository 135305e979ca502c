// Exact fractions of bounded size: keys, typed answers and formulas are computed in them, so that
// no rounding of the machine can decide a verdict. No exceptions: an operation that has no value
// gives a Rational whose fault() says why, and every later operation hands that fault on.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/integer.h"
#include "core/result.h"

namespace lockstep {

/// Why a Rational has no value.
enum class Fault : std::uint8_t {
  none,
  too_large,  ///< numerator or denominator above Rational::kBitsMax
  division_by_zero,
  outside_domain,  ///< a function is not defined there: 2^(1/2)
};

/// The fault as a phrase: "a division by zero".
std::string_view fault_text(Fault fault);

/// Where a value between two neighbours goes.
enum class Rounding : std::uint8_t {
  half_away,    ///< to the nearer; a tie away from zero: 0.5 → 1, −0.5 → −1
  half_even,    ///< to the nearer; a tie to the even neighbour
  half_up,      ///< to the nearer; a tie towards plus infinity: −0.5 → 0
  toward_zero,  ///< cut
  down,         ///< floor
  up,           ///< ceiling
};

/// An exact fraction in lowest terms with a positive denominator, or a fault.
class Rational {
 public:
  /// Largest bit length of numerator and denominator: holds 1e308 times 1e308, which is far past
  /// every quantity of the subject, in a fixed half a kilobyte.
  static constexpr int kBitsMax = 2048;

  /// 0.
  Rational() : denominator_(1) {}
  Rational(std::int64_t whole) : numerator_(whole), denominator_(1) {}
  Rational(std::int64_t numerator, std::int64_t denominator)
      : Rational(Integer(numerator), Integer(denominator)) {}
  /// numerator / denominator in lowest terms; faults: division_by_zero, too_large.
  Rational(const Integer& numerator, const Integer& denominator);
  static Rational faulty(Fault fault);

  Fault fault() const { return fault_; }
  bool ok() const { return fault_ == Fault::none; }
  /// The parts of the fraction in lowest terms; only where ok().
  const Integer& numerator() const { return numerator_; }
  const Integer& denominator() const { return denominator_; }
  /// −1, 0 or 1; 0 for a fault.
  int sign() const { return ok() ? numerator_.sign() : 0; }
  bool is_zero() const { return ok() && numerator_.is_zero(); }
  bool is_whole() const { return ok() && denominator_ == Integer(1); }

  Rational operator-() const;
  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b) { return a + -b; }
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);
  Rational& operator+=(const Rational& other) { return *this = *this + other; }
  Rational& operator-=(const Rational& other) { return *this = *this - other; }
  Rational& operator*=(const Rational& other) { return *this = *this * other; }
  Rational& operator/=(const Rational& other) { return *this = *this / other; }

  /// Exact at every size. A fault is unordered and equals nothing, itself included.
  friend std::partial_ordering operator<=>(const Rational& a, const Rational& b);
  friend bool operator==(const Rational& a, const Rational& b);

 private:
  static Rational of_reduced(const Integer& numerator, const Integer& denominator);

  Integer numerator_;
  Integer denominator_;
  Fault fault_ = Fault::none;
};

Rational absolute(const Rational& x);
Rational minimum(const Rational& a, const Rational& b);
Rational maximum(const Rational& a, const Rational& b);

/// x^exponent by repeated squaring; 0^0 is 1, 0 to a negative power is a division_by_zero.
Rational power(const Rational& x, std::int64_t exponent);

/// 10^exponent, exponent −640 … 640; past that the fault too_large.
Rational ten_to(int exponent);

/// The multiple of 10^−places that x rounds to; places −640 … 640 (−3: thousands), past that the
/// fault too_large.
Rational round_at(const Rational& x, int places, Rounding rounding);
inline Rational floor(const Rational& x) {
  return round_at(x, 0, Rounding::down);
}
inline Rational ceil(const Rational& x) {
  return round_at(x, 0, Rounding::up);
}

/// x rounded to `figures` significant figures (figures >= 1); 0 stays 0.
Rational round_figures(const Rational& x, int figures, Rounding rounding);

/// The e of 10^e <= |x| < 10^(e+1): the place of the leading digit. x is neither 0 nor a fault.
int leading_exponent(const Rational& x);

/// The value, where x is whole and fits.
std::optional<std::int64_t> to_int64(const Rational& x);

/// The nearest double (ties to even), for display and drawing only; NaN for a fault.
double to_double(const Rational& x);

/// How many decimal digits a written number may have, and how far its leading digit may lie from
/// the point: more is refused, never rounded. 40 digits and 1e±308 cover every quantity of the
/// subject and keep a product of two such numbers inside Rational.
inline constexpr int kDigitsMax = 40;
inline constexpr int kExponentMax = 308;

/// The exact value of plain decimal text: "-12.5", "6e14", ".5", "2.73E-1". ASCII digits, '.', no
/// grouping. Errors: not_a_number, too_many_digits (> 40), out_of_range (beyond 1e±308); `where`
/// is the column.
Result<Rational> rational_from_decimal(std::string_view text);

}  // namespace lockstep
