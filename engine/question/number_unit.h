// Units of measure: what a typed unit means, and how two of them convert, exactly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/rational.h"

namespace lockstep {

/// What everything else is a product of powers of. A bit is an eighth of a byte; FLOPs and tokens
/// are counted and convert into nothing else.
enum class BaseUnit : std::uint8_t { metre, gram, second, ampere, byte, flop, token };
inline constexpr std::size_t kBaseUnits = 7;

/// A unit: GiB is 2^30 bytes, m/s has the powers 1 of metre and −1 of second, % is 1/100.
struct Unit {
  Rational scale = 1;  ///< in base units
  std::array<std::int8_t, kBaseUnits> powers = {};
  bool in_bits = false;  ///< spelled with bits: Gb, Gbit/s
};

/// Reads a unit: a name or symbol of the table in number_unit.cpp, with a decimal or binary prefix
/// where it takes one, and products, quotients and powers: "GiB", "tokens", "FLOP/s", "m/s^2",
/// "V*m/A". Letter case counts, since Gb are bits. "x" (times) and "%" are units of plain numbers.
/// Nothing for any other word.
std::optional<Unit> read_unit(std::string_view text);

/// Whether one converts into the other.
bool same_quantity(const Unit& a, const Unit& b);

/// Whether two spellings name one unit: equal texts, singular and plural ("device", "devices";
/// words outside the table too), or two names of one size ("s", "seconds"; not "GB" and "Gb").
bool same_unit(std::string_view a, std::string_view b);

/// What a number in `from` is multiplied by to be in `to`; nothing where they do not convert.
std::optional<Rational> conversion_factor(std::string_view from, std::string_view to);

}  // namespace lockstep
