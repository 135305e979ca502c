// Inside of grade_number: a typed number on its way to a verdict.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "question/number.h"

namespace lockstep {

/// A typed number on its way to a verdict.
struct Attempt {
  TypedNumber typed;
  Rational value;          ///< in the key's unit
  Rational last_place;     ///< of the value, in the key's unit; 0 for an exact form
  bool converted = false;  ///< the unit typed is not the key's
  bool from_bits = false;  ///< bits were typed where bytes are asked for
};

/// Brings the attempt into the key's unit; a verdict where the unit decides already.
std::optional<Verdict> settle_unit(Attempt& attempt, const NumberKey& key);

/// What can be said of a wrong value that no author foresaw.
Verdict unforeseen(const Attempt& attempt, const NumberKey& key, const Locale* locale);

/// A verdict without credit.
inline Verdict verdict_of(VerdictKind kind, VerdictCode code, std::string message) {
  return {kind, code, Rational(), {}, std::move(message), {}};
}

/// Whether the test holds for one of the right values.
template <typename Test>
bool any_key(const NumberKey& key, Test test) {
  return test(key.value) || std::ranges::any_of(key.also, test);
}

inline std::string in_quotes(std::string_view text) {
  return '"' + std::string(text) + '"';
}

}  // namespace lockstep
