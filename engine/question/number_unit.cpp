#include "question/number_unit.h"

#include <algorithm>

namespace lockstep {
namespace {

enum class Prefixes : std::uint8_t {
  none,
  decimal,       // n … E
  large,         // k … E: nothing is a millibit
  large_binary,  // k … E and Ki … Ei
};

struct UnitPower {
  BaseUnit unit;
  int power;
};

struct UnitRow {
  std::string_view symbol;
  std::string_view name;    // singular, "" for none
  std::string_view plural;  // "" for none
  Prefixes prefixes;
  std::int64_t numerator;
  std::int64_t denominator;
  std::array<UnitPower, 4> powers;  // unused ones have power 0
  bool in_bits = false;
};

constexpr UnitPower metre(int power) {
  return {BaseUnit::metre, power};
}
constexpr UnitPower gram(int power) {
  return {BaseUnit::gram, power};
}
constexpr UnitPower second(int power) {
  return {BaseUnit::second, power};
}
constexpr UnitPower ampere(int power) {
  return {BaseUnit::ampere, power};
}
constexpr UnitPower byte(int power) {
  return {BaseUnit::byte, power};
}
constexpr UnitPower flop(int power) {
  return {BaseUnit::flop, power};
}
constexpr UnitPower token(int power) {
  return {BaseUnit::token, power};
}

/// Sizes: BIPM, The International System of Units (9th edition); the foot is 0.3048 m.
constexpr std::array kUnits = {
    UnitRow{"x", "times", "", Prefixes::none, 1, 1, {}},
    UnitRow{"%", "percent", "", Prefixes::none, 1, 100, {}},
    UnitRow{"B", "byte", "bytes", Prefixes::large_binary, 1, 1, {byte(1)}},
    UnitRow{"b", "bit", "bits", Prefixes::large_binary, 1, 8, {byte(1)}, true},
    UnitRow{"FLOP", "flop", "FLOPs", Prefixes::large, 1, 1, {flop(1)}},
    UnitRow{"FLOPS", "", "", Prefixes::large, 1, 1, {flop(1), second(-1)}},
    UnitRow{"tok", "token", "tokens", Prefixes::large, 1, 1, {token(1)}},
    UnitRow{"s", "second", "seconds", Prefixes::decimal, 1, 1, {second(1)}},
    UnitRow{"sec", "", "", Prefixes::none, 1, 1, {second(1)}},
    UnitRow{"min", "minute", "minutes", Prefixes::none, 60, 1, {second(1)}},
    UnitRow{"h", "hour", "hours", Prefixes::none, 3600, 1, {second(1)}},
    UnitRow{"d", "day", "days", Prefixes::none, 86400, 1, {second(1)}},
    UnitRow{"Hz", "hertz", "", Prefixes::decimal, 1, 1, {second(-1)}},
    UnitRow{"m", "meter", "meters", Prefixes::decimal, 1, 1, {metre(1)}},
    UnitRow{"", "metre", "metres", Prefixes::decimal, 1, 1, {metre(1)}},
    UnitRow{"cm", "centimeter", "centimeters", Prefixes::none, 1, 100, {metre(1)}},
    UnitRow{"in", "inch", "inches", Prefixes::none, 127, 5000, {metre(1)}},
    UnitRow{"ft", "foot", "feet", Prefixes::none, 381, 1250, {metre(1)}},
    UnitRow{"g", "gram", "grams", Prefixes::decimal, 1, 1, {gram(1)}},
    UnitRow{"N", "newton", "newtons", Prefixes::decimal, 1000, 1, {gram(1), metre(1), second(-2)}},
    UnitRow{"J", "joule", "joules", Prefixes::decimal, 1000, 1, {gram(1), metre(2), second(-2)}},
    UnitRow{"Wh", "", "", Prefixes::decimal, 3'600'000, 1, {gram(1), metre(2), second(-2)}},
    UnitRow{"W", "watt", "watts", Prefixes::decimal, 1000, 1, {gram(1), metre(2), second(-3)}},
    UnitRow{"A", "ampere", "amperes", Prefixes::decimal, 1, 1, {ampere(1)}},
    UnitRow{"V",
            "volt",
            "volts",
            Prefixes::decimal,
            1000,
            1,
            {gram(1), metre(2), second(-3), ampere(-1)}},
};

struct PrefixRow {
  std::string_view symbol;
  std::string_view name;
  int base;
  int exponent;
};

constexpr std::array kPrefixes = {
    PrefixRow{"n", "nano", 10, -9},  PrefixRow{"\u00b5", "micro", 10, -6},
    PrefixRow{"\u03bc", "", 10, -6}, PrefixRow{"u", "", 10, -6},
    PrefixRow{"m", "milli", 10, -3}, PrefixRow{"k", "kilo", 10, 3},
    PrefixRow{"M", "mega", 10, 6},   PrefixRow{"G", "giga", 10, 9},
    PrefixRow{"T", "tera", 10, 12},  PrefixRow{"P", "peta", 10, 15},
    PrefixRow{"E", "exa", 10, 18},   PrefixRow{"Ki", "kibi", 2, 10},
    PrefixRow{"Mi", "mebi", 2, 20},  PrefixRow{"Gi", "gibi", 2, 30},
    PrefixRow{"Ti", "tebi", 2, 40},  PrefixRow{"Pi", "pebi", 2, 50},
    PrefixRow{"Ei", "exbi", 2, 60},
};

constexpr std::size_t kUnitLengthMax = 32;  // no unit of the table comes near, nor a fair product
constexpr int kUnitPowerMax = 9;

bool takes(Prefixes prefixes, const PrefixRow& prefix) {
  if (prefixes == Prefixes::none) return false;
  if (prefix.base == 2) return prefixes == Prefixes::large_binary;
  return prefix.exponent > 0 || prefixes == Prefixes::decimal;
}

Unit unit_of(const UnitRow& row) {
  Unit unit{Rational(row.numerator, row.denominator), {}, row.in_bits};
  for (const UnitPower& part : row.powers) {
    unit.powers[static_cast<std::size_t>(part.unit)] =
        static_cast<std::int8_t>(unit.powers[static_cast<std::size_t>(part.unit)] + part.power);
  }
  return unit;
}

/// A symbol or name of the table without a prefix.
const UnitRow* find_row(std::string_view word, bool by_symbol) {
  if (word.empty()) return nullptr;
  for (const UnitRow& row : kUnits) {
    if (by_symbol ? word == row.symbol : word == row.name || word == row.plural) return &row;
  }
  return nullptr;
}

std::optional<Unit> read_word(std::string_view word) {
  for (const bool by_symbol : {true, false}) {
    if (const UnitRow* row = find_row(word, by_symbol)) return unit_of(*row);
  }
  for (const PrefixRow& prefix : kPrefixes) {
    for (const bool by_symbol : {true, false}) {
      const std::string_view start = by_symbol ? prefix.symbol : prefix.name;
      if (start.empty() || !word.starts_with(start)) continue;
      const std::string_view rest = word.substr(start.size());
      const UnitRow* row = find_row(rest, by_symbol);
      // A large prefix also goes before a plural of counted things: TFLOPs, Mtokens.
      if (!row && by_symbol) row = find_row(rest, false);
      if (!row || !takes(row->prefixes, prefix)) continue;
      Unit unit = unit_of(*row);
      unit.scale *= power(prefix.base, prefix.exponent);
      return unit;
    }
  }
  return std::nullopt;
}

bool multiply_into(Unit& product, const Unit& factor, int power_of_factor) {
  product.scale *= power(factor.scale, power_of_factor);
  product.in_bits = product.in_bits || factor.in_bits;
  for (std::size_t i = 0; i < kBaseUnits; ++i) {
    const int sum = product.powers[i] + factor.powers[i] * power_of_factor;
    if (sum > kUnitPowerMax || sum < -kUnitPowerMax) return false;
    product.powers[i] = static_cast<std::int8_t>(sum);
  }
  return true;
}

/// Splits "s^2" into the word and its power.
bool split_power(std::string_view& word, int& exponent) {
  const std::size_t mark = word.find('^');
  exponent = 1;
  if (mark == std::string_view::npos) return true;
  const std::string_view digits = word.substr(mark + 1);
  word = word.substr(0, mark);
  const bool negative = digits.starts_with('-');
  if (digits.size() != (negative ? 2u : 1u)) return false;
  const char digit = digits.back();
  if (digit < '1' || digit > '0' + kUnitPowerMax) return false;
  exponent = negative ? -(digit - '0') : digit - '0';
  return true;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::string_view singular(std::string_view word) {
  return word.size() > 2 && word.ends_with('s') ? word.substr(0, word.size() - 1) : word;
}

}  // namespace

std::optional<Unit> read_unit(std::string_view text) {
  if (text.size() > kUnitLengthMax) return std::nullopt;
  std::string_view rest = trimmed(text);
  Unit product;
  int direction = 1;
  for (;;) {
    const std::size_t end = rest.find_first_of("*/ ");
    std::string_view word = trimmed(rest.substr(0, end));
    int exponent = 1;
    if (!split_power(word, exponent)) return std::nullopt;
    const std::optional<Unit> factor = read_word(word);
    if (!factor || !multiply_into(product, *factor, direction * exponent)) return std::nullopt;
    if (end == std::string_view::npos) return product;
    rest = trimmed(rest.substr(end));
    direction = rest.starts_with('/') ? -1 : 1;
    if (rest.starts_with('/') || rest.starts_with('*')) rest = trimmed(rest.substr(1));
  }
}

bool same_quantity(const Unit& a, const Unit& b) {
  return a.powers == b.powers;
}

bool same_unit(std::string_view a, std::string_view b) {
  if (a == b || singular(a) == singular(b)) return true;
  const std::optional<Unit> first = read_unit(a);
  const std::optional<Unit> second = read_unit(b);
  return first && second && same_quantity(*first, *second) && first->scale == second->scale &&
         first->in_bits == second->in_bits;
}

std::optional<Rational> conversion_factor(std::string_view from, std::string_view to) {
  const std::optional<Unit> first = read_unit(from);
  const std::optional<Unit> second = read_unit(to);
  if (!first || !second || !same_quantity(*first, *second)) return std::nullopt;
  return first->scale / second->scale;
}

}  // namespace lockstep
