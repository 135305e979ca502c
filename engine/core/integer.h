// Whole numbers of bounded size, kept inline: nothing here allocates. They carry Rational, which
// keeps its own numerators and denominators under half of the capacity, so that a product of two
// of them, or a sum of two such products, always fits.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

/// A signed whole number of at most kBitsMax bits. Going past that is a bug of the caller (assert):
/// Rational checks sizes before it keeps a result.
class Integer {
 public:
  /// 4096 bits for a product of two Rational parts, and room for sums and rounding.
  static constexpr int kBitsMax = 4256;

  Integer() = default;
  Integer(std::int64_t value);
  Integer(const Integer& other) { *this = other; }
  Integer& operator=(const Integer& other);

  /// The number that decimal digits ('0' to '9' only, at least one, at most 1200) spell.
  static Integer from_digits(std::string_view digits);

  bool is_zero() const { return size_ == 0; }
  bool is_negative() const { return negative_; }
  bool is_even() const { return size_ == 0 || limbs_[0] % 2 == 0; }
  int sign() const { return size_ == 0 ? 0 : negative_ ? -1 : 1; }
  /// Bits of the magnitude, 0 for 0.
  int bit_length() const;
  /// The value, where it fits.
  std::optional<std::int64_t> to_int64() const;
  /// Decimal digits, with an ASCII minus in front of a negative number.
  std::string to_text() const;

  Integer operator-() const;
  friend Integer operator+(const Integer& a, const Integer& b);
  friend Integer operator-(const Integer& a, const Integer& b) { return a + -b; }
  friend Integer operator*(const Integer& a, const Integer& b);
  friend std::strong_ordering operator<=>(const Integer& a, const Integer& b);
  friend bool operator==(const Integer& a, const Integer& b) { return (a <=> b) == 0; }

  /// Quotient and remainder of a division that cuts towards zero; the remainder has the sign of
  /// the dividend. The divisor is not 0.
  struct Division;
  friend Division divide(const Integer& dividend, const Integer& divisor);

 private:
  static constexpr int kLimbsMax = kBitsMax / 32;

  static int compare_magnitudes(const Integer& a, const Integer& b);
  static Integer add_magnitudes(const Integer& a, const Integer& b);
  static Integer subtract_magnitudes(const Integer& larger, const Integer& smaller);
  static std::uint32_t divide_by_limb(Integer& number, std::uint32_t divisor);
  static Division divide_magnitudes(const Integer& dividend, const Integer& divisor);
  void trim(int size);
  bool fits_64() const { return size_ <= 2; }
  std::uint64_t low_64() const;

  bool negative_ = false;
  int size_ = 0;                                // limbs in use, the highest of them not 0
  std::array<std::uint32_t, kLimbsMax> limbs_;  // lowest first; not set from size_ on

  friend Integer greatest_common_divisor(Integer a, Integer b);
};

struct Integer::Division {
  Integer quotient;
  Integer remainder;
};

Integer::Division divide(const Integer& dividend, const Integer& divisor);

/// The largest number that divides both, never negative; 0 only for two zeros.
Integer greatest_common_divisor(Integer a, Integer b);

/// 10^exponent, exponent 0 … 1200.
Integer power_of_ten(int exponent);

}  // namespace lockstep
