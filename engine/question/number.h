// Number questions: typed text against an exact key.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "question/number_parse.h"
#include "question/number_rule.h"
#include "question/verdict.h"

namespace lockstep {

/// A foreseen wrong answer and what it tells.
struct NumberMistake {
  std::string id;
  Rational value;
  std::string message;
};

/// All that grading one variant of a number question needs. Never part of a view.
struct NumberKey {
  Rational value;              ///< in the rule's unit
  std::vector<Rational> also;  ///< other right values; the order changes nothing
  NumberRule rule;
  std::vector<NumberMistake> mistakes;
};

/// Grades a typed answer. Unreadable is invalid, never wrong; a foreseen mistake is recognised when
/// the typed value equals it at the asked precision and is not the key; of two mistakes of one
/// value the first speaks.
Verdict grade_number(std::string_view typed, const NumberKey& key, const Locale* locale = nullptr);

/// The ids of two mistakes, or of a mistake and "key", that cannot be told apart at the asked
/// precision; nothing when all are distinct. A variant with such a pair is not to be drawn.
std::optional<std::pair<std::string, std::string>> indistinct(const NumberKey& key);

/// By how many powers of ten `value` differs from `key` when both begin with the same `figures`
/// significant digits (cut, not rounded); nothing where they do not, or where the shift is 0.
std::optional<int> point_shift(const Rational& value, const Rational& key, int figures);

}  // namespace lockstep
