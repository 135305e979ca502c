// What counts as right for a number. One object from which the prompt's suffix, the hint, the
// grading, the reveal and the printed key are all made, so that they cannot disagree.
#pragma once

#include <cstdint>
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
enum class Comparison : std::uint8_t {
  exact,      ///< equal
  integer,    ///< equal whole numbers
  decimals,   ///< equal when both are rounded to `digits` decimals; of a tie both neighbours count
  figures,    ///< equal when both are rounded to `digits` significant figures, ties away from zero
  tolerance,  ///< |typed − key| <= absolute + relative · |key|, edges inside
  interval,   ///< low <= typed <= high
};

/// How many digits the typed text has to have, besides the value. Fractions, mixed numbers and
/// calculations have no digits to count and pass.
struct DigitShape {
  std::optional<int> places_min;  ///< digits behind the mark; percent and exponent applied
  std::optional<int> places_max;
  std::optional<int> figures_min;
  std::optional<int> figures_max;
  bool trailing_zeros_count = true;  ///< 100 may have one to three figures; false: it has one
};

/// Which units, and what happens without one or with another.
struct UnitRule {
  std::vector<std::string> accepted;  ///< the first is the key's; none: the number has no unit
  /// The verdict where none was typed: correct (it may be left out; the default for one accepted
  /// unit), needs_precision (the default for several), invalid.
  std::optional<VerdictKind> missing;
  VerdictKind other = VerdictKind::invalid;  ///< for a unit that is not accepted; or incorrect
  bool converts_any =
      false;              ///< every unit of the same quantity is converted, not only those listed
  Rational other_credit;  ///< for the right number with a wrong unit, where that is incorrect
};

struct NumberRule {
  Comparison comparison = Comparison::exact;
  int digits = 0;     ///< decimals: 0 … 12; figures: 1 … 15
  Rational absolute;  ///< tolerance
  Rational relative;  ///< tolerance, of the key: 1/20 is 5 %
  Rational low;       ///< interval
  Rational high;
  bool zero_exact = true;            ///< a key that is exactly 0 is met by 0 alone, not by 0.0004
  bool asks_for_more_digits = true;  ///< a rounding of the key to too few digits: needs_precision
  bool cut_allowed = false;          ///< a cut value counts as a rounded one
  int extra_checked = 0;  ///< digits past `digits` that have to be right too where they are typed
  DigitShape shape;
  NumberForms forms = kAllNumbers;
  VerdictKind other_form = VerdictKind::invalid;  ///< for a form that is not among `forms`
  VerdictKind unreduced = VerdictKind::correct;   ///< for a right fraction not in lowest terms
  Rational shape_credit;            ///< for the right value in wrong digits or unreduced
  std::optional<Rational> minimum;  ///< no value below is possible here, and the learner hears so
  std::optional<Rational> maximum;
  bool coefficient = false;  ///< a blank means 1, a lone minus −1: the box before an x
  UnitRule unit;
};

/// The largest `digits` of each comparison: what a learner would type, and well inside kDigitsMax.
inline constexpr int kPlacesMax = 12;
inline constexpr int kFiguresMax = 15;

/// Whether the rule makes sense. Errors: bad_digits, bad_tolerance, bad_interval, bad_shape,
/// bad_forms, bad_bounds, bad_unit; `where` is the field.
Status check_rule(const NumberRule& rule);

/// Whether the key has a value, fits the rule (whole under `integer`, inside the interval and the
/// bounds) and can be typed in one of its forms. Errors: those of Fault, key_not_whole,
/// key_outside, key_not_typeable; `where` is "key".
Status check_key(const Rational& key, const NumberRule& rule);

/// Whether the value can be typed, and be accepted as the key, in one of the rule's forms.
bool is_typeable(const Rational& value, const NumberRule& rule);

/// What stands behind the question: "(3 decimals)", "(a whole number, in tokens)".
std::string prompt_suffix(const NumberRule& rule, const Locale* locale = nullptr);

/// A sentence or two on how to type the answer; says nothing of the key.
std::string rule_hint(const NumberRule& rule, const Locale* locale = nullptr);

/// A value in the forms in which the rule lets it be typed, the canonical one first, at least one:
/// "6.667", "20/3", "6 2/3". The key in each of them grades correct, a mistake as that mistake.
std::vector<std::string> reveal_number(const Rational& value, const NumberRule& rule,
                                       const Locale* locale = nullptr);

/// Whether a value counts as this key: the comparison alone, without shape, form or unit.
/// `extra_digits` of those past `digits` are compared too.
bool same_under(const NumberRule& rule, const Rational& value, const Rational& key,
                int extra_digits = 0);

/// same_under for two values neither of which is the key: under an interval they have to be equal.
bool same_mistake(const NumberRule& rule, const Rational& value, const Rational& mistake);

/// "3 decimals", "exactly 2 significant figures", "within 5 %": the rule as a phrase.
std::string rule_phrase(const NumberRule& rule, const Locale* locale = nullptr);

}  // namespace lockstep
