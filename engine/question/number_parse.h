// Typed text → an exact number, with everything that a rule may ask about its digits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/decimal.h"
#include "core/rational.h"
#include "core/result.h"

namespace lockstep {

/// How a number is written.
enum class NumberForm : std::uint8_t {
  integer,            ///< 256
  decimal,            ///< .273
  proper_fraction,    ///< 3/11
  improper_fraction,  ///< 20/3
  mixed,              ///< 6 2/3
  percent,            ///< 27.3 %
  scientific,         ///< 2.73e-1, 2.73×10^-1
  expression,         ///< (4-1)/(8+4-1)
};

/// A set of forms, one bit each.
using NumberForms = std::uint8_t;
constexpr NumberForms form_bit(NumberForm form) {
  return static_cast<NumberForms>(1u << static_cast<unsigned>(form));
}
/// Every form but expressions, which a question has to allow.
inline constexpr NumberForms kAllNumbers =
    static_cast<NumberForms>(0xffu & ~unsigned{form_bit(NumberForm::expression)});

struct ParseOptions {
  const Locale* locale = nullptr;  ///< none: marks with two readings are asked about
  bool expressions = false;        ///< calculations are worked out; otherwise refused
  bool ask_when_ambiguous = true;  ///< false: "1.234" under a comma locale is taken as grouped
  bool coefficient = false;        ///< a blank means 1, a lone minus −1: the box before an x
};

/// A number as it was typed.
struct TypedNumber {
  Rational value;  ///< percent and exponent applied, unit not
  NumberForm form = NumberForm::integer;
  bool exact = false;       ///< fraction, mixed, expression: there is no last place
  bool reduced = true;      ///< its fraction is in lowest terms
  int mantissa_places = 0;  ///< digits behind the mark, as typed: 2 in 1.00e3
  int places = 0;           ///< decimal places of the value: 3 in 27.3 %, 4 in 1.5e-3, −2 in 1e2
  int figures_min = 1;      ///< significant figures, trailing zeros of an integer not counted
  int figures_max = 1;      ///< the same, counted; of a zero its decimals count, at least one
  std::string normal;  ///< the number as it was understood, without grouping: "6 2/3", "27.3 %"
  std::string unit;    ///< what was typed behind the number, "" for nothing
};

/// The value of one unit in the last place typed: 1/1000 for 27.3 %; 0 for an exact form.
Rational last_place(const TypedNumber& number);

/// Reads a typed answer. An error's code is the name of a VerdictCode; `where` is the character at
/// which reading stopped ("character 5"); the message says what to type and never depends on what
/// is right. A word behind the number is handed back as `unit`, whatever it is.
Result<TypedNumber> parse_number(std::string_view typed, const ParseOptions& options = {});

}  // namespace lockstep
