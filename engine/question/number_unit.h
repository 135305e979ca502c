// Units of measure: what a typed unit means, and how two of them convert, exactly.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/rational.h"

namespace lockstep {

/// The base quantities: metre, gram, second, ampere, byte, and three things that are counted.
/// A bit is an eighth of a byte. "FLOP" and "token" convert into nothing else.
enum class BaseUnit { metre, gram, second, ampere, kelvin, byte, flop, token };
inline constexpr std::size_t kBaseUnits = 8;

/// A unit as a power product of base units times an exact scale: GiB = 2^30 byte, % = 1/100.
struct Unit {
  Rational scale = 1;
  std::array<std::int8_t, kBaseUnits> powers = {};
  bool in_bits = false;  ///< written with bits: Gb, Gbit/s

  /// Whether one converts into the other.
  bool measures_the_same_as(const Unit& other) const { return powers == other.powers; }
};

/// Reads a unit: a name or symbol of the table, with a decimal or binary prefix, and products,
/// quotients and powers of them: "GiB", "tokens", "FLOP/s", "m/s^2", "V*m/A". Letter case counts:
/// Gb are bits. "x" (times) and "%" are units of plain numbers.
std::optional<Unit> read_unit(std::string_view text);

}  // namespace lockstep
