// Short ways to write keys and verdicts in the tests of number questions.
#pragma once

#include <string>
#include <string_view>

#include "question/number.h"

namespace lockstep {

inline Rational exact_value(std::string_view text) {
  return rational_from_decimal(text).value();
}

inline NumberKey exact_key(const Rational& value) {
  NumberKey key;
  key.value = value;
  return key;
}

inline NumberKey decimals_key(const Rational& value, int digits) {
  NumberKey key = exact_key(value);
  key.rule.comparison = Comparison::decimals;
  key.rule.digits = digits;
  return key;
}

inline NumberKey figures_key(const Rational& value, int digits) {
  NumberKey key = exact_key(value);
  key.rule.comparison = Comparison::figures;
  key.rule.digits = digits;
  return key;
}

inline NumberKey integer_key(const Rational& value) {
  NumberKey key = exact_key(value);
  key.rule.comparison = Comparison::integer;
  return key;
}

inline NumberKey tolerance_key(const Rational& value, const Rational& absolute) {
  NumberKey key = exact_key(value);
  key.rule.comparison = Comparison::tolerance;
  key.rule.absolute = absolute;
  return key;
}

/// "correct", "incorrect:rounded_not_cut", "invalid:blank", "incorrect:mistake:inverted".
inline std::string outcome(std::string_view typed, const NumberKey& key,
                           const Locale* locale = nullptr) {
  const Verdict verdict = grade_number(typed, key, locale);
  const std::string kind(verdict_kind_name(verdict.kind));
  const std::string code = code_text(verdict);
  return kind == code ? kind : kind + ':' + code;
}

}  // namespace lockstep
