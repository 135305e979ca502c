#include "core/integer.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>
#include <utility>

namespace lockstep {
namespace {

constexpr std::uint64_t kLimbMask = 0xffffffffu;
constexpr std::uint32_t kBillion = 1'000'000'000;
constexpr int kBillionDigits = 9;

std::uint32_t low_half(std::uint64_t value) {
  return static_cast<std::uint32_t>(value & kLimbMask);
}

}  // namespace

Integer::Integer(std::int64_t value) : negative_(value < 0) {
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = negative_ ? ~bits + 1 : bits;
  limbs_[0] = low_half(magnitude);
  limbs_[1] = low_half(magnitude >> 32);
  trim(2);
}

Integer& Integer::operator=(const Integer& other) {
  negative_ = other.negative_;
  size_ = other.size_;
  std::copy_n(other.limbs_.begin(), size_, limbs_.begin());
  return *this;
}

void Integer::trim(int size) {
  while (size > 0 && limbs_[static_cast<std::size_t>(size - 1)] == 0) --size;
  size_ = size;
  if (size_ == 0) negative_ = false;
}

std::uint64_t Integer::low_64() const {
  const std::uint64_t low = size_ > 0 ? limbs_[0] : 0;
  return size_ > 1 ? low | std::uint64_t{limbs_[1]} << 32 : low;
}

int Integer::bit_length() const {
  if (size_ == 0) return 0;
  return 32 * size_ - std::countl_zero(limbs_[static_cast<std::size_t>(size_ - 1)]);
}

std::optional<std::int64_t> Integer::to_int64() const {
  constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
  if (!fits_64()) return std::nullopt;
  const std::uint64_t magnitude = low_64();
  if (magnitude > (negative_ ? kTop : kTop - 1)) return std::nullopt;
  return static_cast<std::int64_t>(negative_ ? ~magnitude + 1 : magnitude);
}

Integer Integer::from_digits(std::string_view digits) {
  assert(!digits.empty() && digits.size() <= 1200);
  Integer result;
  for (const char digit : digits) {
    assert(digit >= '0' && digit <= '9');
    std::uint64_t carry = static_cast<std::uint64_t>(digit - '0');
    for (std::size_t i = 0; i < static_cast<std::size_t>(result.size_); ++i) {
      carry += std::uint64_t{result.limbs_[i]} * 10;
      result.limbs_[i] = low_half(carry);
      carry >>= 32;
    }
    if (carry != 0) result.limbs_[static_cast<std::size_t>(result.size_++)] = low_half(carry);
  }
  return result;
}

std::string Integer::to_text() const {
  if (is_zero()) return "0";
  std::string reversed;
  Integer rest = *this;
  while (!rest.is_zero()) {
    std::uint32_t group = divide_by_limb(rest, kBillion);
    for (int i = 0; i < kBillionDigits && (group != 0 || !rest.is_zero()); ++i) {
      reversed += static_cast<char>('0' + group % 10);
      group /= 10;
    }
  }
  if (negative_) reversed += '-';
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

Integer Integer::operator-() const {
  Integer result = *this;
  if (!is_zero()) result.negative_ = !negative_;
  return result;
}

int Integer::compare_magnitudes(const Integer& a, const Integer& b) {
  if (a.size_ != b.size_) return a.size_ < b.size_ ? -1 : 1;
  for (int i = a.size_ - 1; i >= 0; --i) {
    const auto at = static_cast<std::size_t>(i);
    if (a.limbs_[at] != b.limbs_[at]) return a.limbs_[at] < b.limbs_[at] ? -1 : 1;
  }
  return 0;
}

std::strong_ordering operator<=>(const Integer& a, const Integer& b) {
  if (a.negative_ != b.negative_) {
    return a.negative_ ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  const int magnitudes = Integer::compare_magnitudes(a, b);
  return (a.negative_ ? -magnitudes : magnitudes) <=> 0;
}

Integer Integer::add_magnitudes(const Integer& a, const Integer& b) {
  const Integer& longer = a.size_ >= b.size_ ? a : b;
  const Integer& shorter = a.size_ >= b.size_ ? b : a;
  Integer sum;
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(longer.size_); ++i) {
    carry += longer.limbs_[i];
    if (i < static_cast<std::size_t>(shorter.size_)) carry += shorter.limbs_[i];
    sum.limbs_[i] = low_half(carry);
    carry >>= 32;
  }
  sum.size_ = longer.size_;
  if (carry != 0) {
    assert(sum.size_ < kLimbsMax);
    sum.limbs_[static_cast<std::size_t>(sum.size_++)] = low_half(carry);
  }
  return sum;
}

Integer Integer::subtract_magnitudes(const Integer& larger, const Integer& smaller) {
  Integer difference;
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(larger.size_); ++i) {
    const std::uint64_t taken =
        borrow + (i < static_cast<std::size_t>(smaller.size_) ? smaller.limbs_[i] : 0);
    difference.limbs_[i] = low_half(larger.limbs_[i] - taken);
    borrow = larger.limbs_[i] < taken ? 1 : 0;
  }
  difference.trim(larger.size_);
  return difference;
}

Integer operator+(const Integer& a, const Integer& b) {
  if (a.negative_ == b.negative_) {
    Integer sum = Integer::add_magnitudes(a, b);
    sum.negative_ = a.negative_;
    return sum;
  }
  const int order = Integer::compare_magnitudes(a, b);
  if (order == 0) return Integer();
  const Integer& larger = order > 0 ? a : b;
  const Integer& smaller = order > 0 ? b : a;
  Integer difference = Integer::subtract_magnitudes(larger, smaller);
  difference.negative_ = larger.negative_;
  return difference;
}

Integer operator*(const Integer& a, const Integer& b) {
  Integer product;
  if (a.is_zero() || b.is_zero()) return product;
  const int size = a.size_ + b.size_;
  assert(size <= Integer::kLimbsMax);
  std::fill_n(product.limbs_.begin(), size, 0u);
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.size_); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(b.size_); ++j) {
      carry += product.limbs_[i + j] + std::uint64_t{a.limbs_[i]} * b.limbs_[j];
      product.limbs_[i + j] = low_half(carry);
      carry >>= 32;
    }
    product.limbs_[i + static_cast<std::size_t>(b.size_)] = low_half(carry);
  }
  product.negative_ = a.negative_ != b.negative_;
  product.trim(size);
  return product;
}

/// Divides the magnitude in place and returns the remainder.
std::uint32_t Integer::divide_by_limb(Integer& number, std::uint32_t divisor) {
  std::uint64_t remainder = 0;
  for (int i = number.size_ - 1; i >= 0; --i) {
    std::uint32_t& limb = number.limbs_[static_cast<std::size_t>(i)];
    remainder = remainder << 32 | limb;
    limb = low_half(remainder / divisor);
    remainder %= divisor;
  }
  number.trim(number.size_);
  return low_half(remainder);
}

/// Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D, with digits of 32 bits. The
/// divisor has at least two limbs and is not larger than the dividend.
Integer::Division Integer::divide_magnitudes(const Integer& dividend, const Integer& divisor) {
  const auto n = static_cast<std::size_t>(divisor.size_);
  const auto m = static_cast<std::size_t>(dividend.size_) - n;
  const int shift = std::countl_zero(divisor.limbs_[n - 1]);
  // Both scaled so that the divisor's top bit is set; u has one limb more than the dividend.
  std::array<std::uint32_t, kLimbsMax + 1> u;
  std::array<std::uint32_t, kLimbsMax> v;
  const auto scaled = [shift](const Integer& number, std::size_t i) {
    const auto size = static_cast<std::size_t>(number.size_);
    const std::uint64_t high = i < size ? number.limbs_[i] : 0;
    const std::uint64_t low = i > 0 ? number.limbs_[i - 1] : 0;
    return low_half((high << 32 | low) << shift >> 32);
  };
  for (std::size_t i = 0; i <= m + n; ++i) u[i] = scaled(dividend, i);
  for (std::size_t i = 0; i < n; ++i) v[i] = scaled(divisor, i);

  Division result;
  for (std::size_t j = m + 1; j-- > 0;) {
    const std::uint64_t top = std::uint64_t{u[j + n]} << 32 | u[j + n - 1];
    std::uint64_t digit = top / v[n - 1];
    std::uint64_t rest = top % v[n - 1];
    while (digit > kLimbMask || digit * v[n - 2] > (rest << 32 | u[j + n - 2])) {
      --digit;
      rest += v[n - 1];
      if (rest > kLimbMask) break;
    }
    std::uint64_t carry = 0;
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < n; ++i) {
      carry += digit * v[i];
      const std::uint64_t taken = (carry & kLimbMask) + borrow;
      borrow = u[i + j] < taken ? 1 : 0;
      u[i + j] = low_half(u[i + j] - taken);
      carry >>= 32;
    }
    const std::uint64_t taken = carry + borrow;
    const bool too_much = u[j + n] < taken;
    u[j + n] = low_half(u[j + n] - taken);
    if (too_much) {
      --digit;
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        sum += std::uint64_t{u[i + j]} + v[i];
        u[i + j] = low_half(sum);
        sum >>= 32;
      }
      u[j + n] = low_half(u[j + n] + sum);
    }
    result.quotient.limbs_[j] = low_half(digit);
  }
  result.quotient.trim(static_cast<int>(m + 1));
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t high = u[i + 1];
    result.remainder.limbs_[i] = low_half((high << 32 | u[i]) >> shift);
  }
  result.remainder.trim(static_cast<int>(n));
  return result;
}

Integer::Division divide(const Integer& dividend, const Integer& divisor) {
  assert(!divisor.is_zero());
  Integer::Division result;
  if (Integer::compare_magnitudes(dividend, divisor) < 0) {
    result.remainder = dividend;
    return result;
  }
  if (divisor.size_ == 1) {
    result.quotient = dividend;
    result.remainder.limbs_[0] = Integer::divide_by_limb(result.quotient, divisor.limbs_[0]);
    result.remainder.trim(1);
  } else {
    result = Integer::divide_magnitudes(dividend, divisor);
  }
  if (!result.quotient.is_zero())
    result.quotient.negative_ = dividend.negative_ != divisor.negative_;
  if (!result.remainder.is_zero()) result.remainder.negative_ = dividend.negative_;
  return result;
}

Integer greatest_common_divisor(Integer a, Integer b) {
  a.negative_ = false;
  b.negative_ = false;
  while (!(a.fits_64() && b.fits_64())) {
    if (b.is_zero()) return a;
    Integer remainder = divide(a, b).remainder;
    a = b;
    b = remainder;
  }
  const std::uint64_t common = std::gcd(a.low_64(), b.low_64());
  Integer result;
  result.limbs_[0] = low_half(common);
  result.limbs_[1] = low_half(common >> 32);
  result.trim(2);
  return result;
}

Integer power_of_ten(int exponent) {
  assert(exponent >= 0 && exponent <= 1200);
  Integer result(1);
  for (; exponent >= kBillionDigits; exponent -= kBillionDigits) {
    result = result * Integer(kBillion);
  }
  std::int64_t rest = 1;
  for (; exponent > 0; --exponent) rest *= 10;
  return result * Integer(rest);
}

}  // namespace lockstep
