#include "tensor/narrow.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace lockstep {
namespace {

constexpr std::uint32_t kQuietBit = 0x00400000;

/// Rounds away the lowest `dropped` bits of the float's pattern. A carry runs into the exponent, as
/// it should, and past the largest number makes an infinity.
float drop_bits(float value, int dropped) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t half = std::uint32_t{1} << (dropped - 1);
  const std::uint32_t last_kept = (bits >> dropped) & 1;
  bits += half - 1 + last_kept;
  bits &= ~((std::uint32_t{1} << dropped) - 1);
  return std::bit_cast<float>(bits);
}

/// A NaN that the narrow format can hold: its upper bits, made quiet.
float narrow_nan(float value, int dropped) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value) | kQuietBit;
  return std::bit_cast<float>(bits & ~((std::uint32_t{1} << dropped) - 1));
}

}  // namespace

float round_to_bfloat16(float value) {
  constexpr int kDropped = 16;
  return std::isnan(value) ? narrow_nan(value, kDropped) : drop_bits(value, kDropped);
}

float round_to_float16(float value) {
  constexpr int kDropped = 13;
  constexpr float kSmallestNormal = 0x1p-14f;
  constexpr float kLargest = 65504;
  if (std::isnan(value)) return narrow_nan(value, kDropped);
  if (std::abs(value) < kSmallestNormal) {
    // Subnormals are multiples of 2^-24: adding 1.5·2^-1 leaves just those bits of a float.
    constexpr float kPush = 0x1.8p-1f;
    const float rounded = (std::abs(value) + kPush) - kPush;
    return std::copysign(rounded, value);
  }
  const float rounded = drop_bits(value, kDropped);
  return std::abs(rounded) > kLargest ? std::copysign(HUGE_VALF, value) : rounded;
}

}  // namespace lockstep
