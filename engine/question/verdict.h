// What a graded answer comes back as, the same for every question type and every reader of it:
// page, command line, printed key, re-grade. The one list of codes stands here.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "core/rational.h"

namespace lockstep {

/// invalid and needs_precision cost no attempt: the message says what to type.
enum class VerdictKind { correct, incorrect, partial, invalid, needs_precision };

/// Finer than the kind. A new code needs a row in kVerdictCodes, in the same order.
enum class VerdictCode {
  correct,
  incorrect,
  partial,
  mistake,
  rounded_not_cut,
  wrong_sign,
  factor_of_100,
  point_shifted,
  not_whole,
  below_minimum,
  above_maximum,
  bits_not_bytes,
  fewer_digits,
  digit_count,
  unit_missing,
  wrong_unit,
  not_reduced,
  other_form,
  blank,
  too_long,
  bad_utf8,
  bad_character,
  not_a_number,
  not_finite,
  trailing_text,
  expression_not_allowed,
  bad_expression,
  ambiguous_comma,
  ambiguous_dot,
  ambiguous_space,
  wrong_grouping,
  too_many_digits,
  out_of_range,
  division_by_zero,
  unknown_option,
};

struct VerdictCodeRow {
  VerdictCode code;
  std::string_view name;     ///< as exercise files, transcripts and pages spell it
  std::string_view meaning;  ///< one line
};

inline constexpr std::array kVerdictCodes = {
    VerdictCodeRow{VerdictCode::correct, "correct", "the answer is right"},
    VerdictCodeRow{VerdictCode::incorrect, "incorrect", "wrong, and nothing more is known"},
    VerdictCodeRow{VerdictCode::partial, "partial", "right in part, for the credit given"},
    VerdictCodeRow{VerdictCode::mistake, "mistake", "a foreseen mistake, written mistake:<id>"},
    VerdictCodeRow{VerdictCode::rounded_not_cut, "rounded_not_cut",
                   "digits were cut off where they had to be rounded"},
    VerdictCodeRow{VerdictCode::wrong_sign, "wrong_sign", "right but for the sign"},
    VerdictCodeRow{VerdictCode::factor_of_100, "factor_of_100",
                   "a hundred times too large or small: a percent sign is missing or too much"},
    VerdictCodeRow{VerdictCode::point_shifted, "point_shifted",
                   "the right digits with the decimal point elsewhere"},
    VerdictCodeRow{VerdictCode::not_whole, "not_whole", "a whole number is asked for"},
    VerdictCodeRow{VerdictCode::below_minimum, "below_minimum",
                   "below the least value that is possible here"},
    VerdictCodeRow{VerdictCode::above_maximum, "above_maximum",
                   "above the largest value that is possible here"},
    VerdictCodeRow{VerdictCode::bits_not_bytes, "bits_not_bytes",
                   "b means bits, bytes are asked for"},
    VerdictCodeRow{VerdictCode::fewer_digits, "fewer_digits",
                   "right as far as it goes: more digits are asked for"},
    VerdictCodeRow{VerdictCode::digit_count, "digit_count",
                   "the right value, not in the number of digits asked for"},
    VerdictCodeRow{VerdictCode::unit_missing, "unit_missing", "the unit has to be typed too"},
    VerdictCodeRow{VerdictCode::wrong_unit, "wrong_unit", "a unit that does not belong here"},
    VerdictCodeRow{VerdictCode::not_reduced, "not_reduced", "a fraction not in lowest terms"},
    VerdictCodeRow{VerdictCode::other_form, "other_form",
                   "a number in a form that is not asked for"},
    VerdictCodeRow{VerdictCode::blank, "blank", "nothing was typed"},
    VerdictCodeRow{VerdictCode::too_long, "too_long", "longer than an answer may be"},
    VerdictCodeRow{VerdictCode::bad_utf8, "bad_utf8", "not text: malformed UTF-8"},
    VerdictCodeRow{VerdictCode::bad_character, "bad_character",
                   "a control character or a mark that reorders text"},
    VerdictCodeRow{VerdictCode::not_a_number, "not_a_number", "no number can be read"},
    VerdictCodeRow{VerdictCode::not_finite, "not_finite", "infinity and NaN are no answers"},
    VerdictCodeRow{VerdictCode::trailing_text, "trailing_text",
                   "a number followed by something that is not understood"},
    VerdictCodeRow{VerdictCode::expression_not_allowed, "expression_not_allowed",
                   "a calculation where its result is asked for"},
    VerdictCodeRow{VerdictCode::bad_expression, "bad_expression",
                   "a calculation that cannot be read"},
    VerdictCodeRow{VerdictCode::ambiguous_comma, "ambiguous_comma",
                   "a comma that may be a decimal mark or group thousands"},
    VerdictCodeRow{VerdictCode::ambiguous_dot, "ambiguous_dot",
                   "a dot that may be a decimal mark or group thousands"},
    VerdictCodeRow{VerdictCode::ambiguous_space, "ambiguous_space",
                   "a space that may group thousands or start a mixed number"},
    VerdictCodeRow{VerdictCode::wrong_grouping, "wrong_grouping",
                   "separators that do not stand between groups of three digits"},
    VerdictCodeRow{VerdictCode::too_many_digits, "too_many_digits",
                   "more digits than are read exactly"},
    VerdictCodeRow{VerdictCode::out_of_range, "out_of_range", "too large or too close to zero"},
    VerdictCodeRow{VerdictCode::division_by_zero, "division_by_zero",
                   "a fraction with denominator zero"},
    VerdictCodeRow{VerdictCode::unknown_option, "unknown_option",
                   "neither the id nor the letter of an option"},
};

/// The row of a code.
constexpr const VerdictCodeRow& verdict_code(VerdictCode code) {
  return kVerdictCodes[static_cast<std::size_t>(code)];
}

/// "correct", "incorrect", "partial", "invalid", "needs_precision".
constexpr std::string_view verdict_kind_name(VerdictKind kind) {
  constexpr std::array<std::string_view, 5> kNames = {"correct", "incorrect", "partial", "invalid",
                                                      "needs_precision"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// A graded answer.
struct Verdict {
  VerdictKind kind = VerdictKind::invalid;
  VerdictCode code = VerdictCode::blank;
  Rational credit;         ///< 0 … 1; 1 where correct
  std::string understood;  ///< how the answer was read: "6 2/3 = 6.667"; empty where it was not
  std::string message;     ///< a sentence for the learner; empty where correct
  std::string mistake;     ///< id of the foreseen mistake, else empty
};

/// The code as files and transcripts spell it: "rounded_not_cut", "mistake:no-communication".
inline std::string code_text(const Verdict& verdict) {
  std::string text(verdict_code(verdict.code).name);
  if (verdict.code == VerdictCode::mistake) text += ':' + verdict.mistake;
  return text;
}

/// The verdict on an answer that could not be read: nothing is spent, the message says what to do.
inline Verdict invalid_verdict(VerdictCode code, std::string message) {
  return {VerdictKind::invalid, code, Rational(), {}, std::move(message), {}};
}

}  // namespace lockstep
