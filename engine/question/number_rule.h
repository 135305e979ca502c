// What counts as right for a number. One object from which the prompt's suffix, the hint, the
// grading, the reveal and the printed key are all made, so that they cannot disagree.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/decimal.h"
#include "core/rational.h"
#include "core/result.h"
#include "question/number_parse.h"
#include "question/verdict.h"

namespace lockstep {

/// How a typed value and the key are compared, always exactly.
enum class Comparison {
  exact,      ///< equal
  integer,    ///< equal whole numbers
  decimals,   ///< equal when both are rounded to `digits` decimals; of a tie both neighbours count
  figures,    ///< equal when both are rounded to `digits` significant figures, ties away from zero
  tolerance,  ///< |typed − key| <= absolute + relative · |key|, edges inside
  interval,   ///< low <= typed <= high
};

/// What the digits of the typed text have to be, besides the value. Fractions, mixed numbers and
/// expressions have no digits to count and pass.
struct DigitShape {
  std::optional<int> places_min;  ///< digits behind the mark; percent and exponent applied
  std::optional<int> places_max;
  std::optional<int> figures_min;
  std::optional<int> figures_max;
  bool trailing_zeros_count = true;  ///< 100 may have one to three figures; false: it has one
  bool places_of_mantissa = false;   ///< count the places before the exponent is applied

  /// Whether anything is asked.
  bool any() const { return places_min || places_max || figures_min || figures_max; }
};

/// Units: which, and what happens without or with another one.
struct UnitRule {
  std::vector<std::string> accepted;  ///< the first is the key's; none: the number has no unit
  VerdictKind missing =
      VerdictKind::correct;                  ///< correct: may be left out; needs_precision, invalid
  VerdictKind other = VerdictKind::invalid;  ///< for a unit that is not accepted; or incorrect
  bool converts_any =
      false;              ///< every unit of the same quantity is converted, not only those listed
  Rational other_credit;  ///< for the right number with the wrong unit
};

struct NumberRule {
  Comparison comparison = Comparison::exact;
  int digits = 0;          ///< decimals: 0 … 12; figures: 1 … 15
  Rational absolute;       ///< tolerance
  Rational relative;       ///< tolerance, of the key: 1/20 is 5 %
  Rational low, high;      ///< interval
  bool zero_exact = true;  ///< a key that is exactly 0 is met by 0 alone, not by 0.0004
  bool fewer_digits_asked_again = true;  ///< too few digits, else right: needs_precision
  bool cut_allowed = false;              ///< a cut value counts as a rounded one
  int extra_checked = 0;  ///< digits past `digits` that must be right too, as far as they are typed
  DigitShape shape;
  NumberForms forms = kAllNumbers;
  VerdictKind other_form = VerdictKind::invalid;  ///< for a form that is not among `forms`
  VerdictKind unreduced = VerdictKind::correct;   ///< for a right fraction not in lowest terms
  Rational shape_credit;            ///< for the right value in wrong digits or unreduced
  std::optional<Rational> minimum;  ///< no answer can be below it, and the learner is told so
  std::optional<Rational> maximum;
  UnitRule unit;
};

/// The largest `digits` of each comparison: what a learner would type, and well inside kDigitsMax.
inline constexpr int kPlacesMax = 12;
inline constexpr int kFiguresMax = 15;

/// Whether the rule makes sense; the error's `where` is the field ("digits", "relative").
Status check_rule(const NumberRule& rule);

/// Whether the key can be typed and graded under the rule: no fault, whole under `integer`, inside
/// `low` … `high`, not longer than an answer may be.
Status check_key(const Rational& key, const NumberRule& rule);

/// What stands behind the question: "(3 decimals)", "(a whole number, in tokens)".
std::string prompt_suffix(const NumberRule& rule, const Locale* locale = nullptr);

/// A sentence on how to type the answer; says nothing of the key.
std::string rule_hint(const NumberRule& rule, const Locale* locale = nullptr);

/// The right answer in the forms that may be typed, the canonical one first: "6.667", "20/3",
/// "6 2/3". Each of them grades correct.
std::vector<std::string> reveal_number(const Rational& key, const NumberRule& rule,
                                       const Locale* locale = nullptr);

/// Whether a value counts as this key: the comparison alone, exact, without shape, form or unit.
/// `value` as if typed with all its digits. Used to tell mistakes apart as well as to grade.
bool same_under(const NumberRule& rule, const Rational& value, const Rational& key);

}  // namespace lockstep
