// An answer of the engine to a case, in exact numbers, and its comparison with what a case expects.
#pragma once

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/rational.h"
#include "core/result.h"

namespace lockstep::drivers {

using Json = nlohmann::json;

/// The value of a result; an error ends the case.
template <typename T>
T must(Result<T> result) {
  if (result.ok()) return std::move(result).value();
  const Error& error = result.error();
  throw std::runtime_error(error.code + " at " + error.where + ": " + error.message);
}

/// A number of a case, by its decimal text: 0.05 is exactly 1/20. True is 1, false 0.
inline Rational exact(const Json& number) {
  if (number.is_boolean()) return number.get<bool>() ? 1 : 0;
  if (!number.is_number()) throw std::runtime_error(number.dump() + " is not a number");
  return must(rational_from_decimal(number.dump()));
}

/// JSON with exact numbers; only the member that `kind` speaks of counts.
struct Answer {
  enum class Kind { null, truth, number, text, list, fields };

  Answer() = default;
  Answer(bool value) : kind(Kind::truth), truth(value) {}
  Answer(int value) : kind(Kind::number), number(value) {}
  Answer(std::int64_t value) : kind(Kind::number), number(value) {}
  Answer(Rational value) : kind(Kind::number), number(std::move(value)) {}
  Answer(const char* value) : kind(Kind::text), text(value) {}
  Answer(std::string value) : kind(Kind::text), text(std::move(value)) {}
  Answer(std::vector<Answer> value) : kind(Kind::list), list(std::move(value)) {}
  Answer(std::map<std::string, Answer> value) : kind(Kind::fields), fields(std::move(value)) {}

  Kind kind = Kind::null;
  bool truth = false;
  Rational number;
  std::string text;
  std::vector<Answer> list;
  std::map<std::string, Answer> fields;
};

using Fields = std::map<std::string, Answer>;

/// A list of answers from a range of anything that is one.
template <typename Range>
Answer list_of(const Range& range) {
  return std::vector<Answer>(std::begin(range), std::end(range));
}

bool equal(const Json& expected, const Answer& answer, const Rational& tolerance);

/// Keys that hold what a wrong method gives.
inline bool is_wrong_on_purpose(const std::string& key) {
  return key.ends_with("_WRONG") || key == "WRONG" || key == "buggy";
}

/// Every right key of `expected` agrees, and nothing in the answer is what a wrong method gives.
inline bool equal_fields(const Json& expected, const Fields& fields, const Rational& tolerance) {
  for (const auto& [key, wanted] : expected.items()) {
    const auto is_it = [&](const auto& field) { return equal(wanted, field.second, tolerance); };
    if (is_wrong_on_purpose(key)) {
      if (std::ranges::any_of(fields, is_it)) return false;
    } else {
      const auto field = fields.find(key);
      if (field == fields.end() || !is_it(*field)) return false;
    }
  }
  return true;
}

/// Numbers within the tolerance, everything else equal; of fields only those that are expected.
inline bool equal(const Json& expected, const Answer& answer, const Rational& tolerance) {
  switch (answer.kind) {
    case Answer::Kind::null:
      return expected.is_null();
    case Answer::Kind::truth:
      return expected == answer.truth;
    case Answer::Kind::number:
      return expected.is_number() && absolute(answer.number - exact(expected)) <= tolerance;
    case Answer::Kind::text:
      return expected == answer.text;
    case Answer::Kind::list:
      return expected.is_array() &&
             std::equal(expected.begin(), expected.end(), answer.list.begin(), answer.list.end(),
                        [&](const Json& a, const Answer& b) { return equal(a, b, tolerance); });
    case Answer::Kind::fields:
      return expected.is_object() && equal_fields(expected, answer.fields, tolerance);
  }
  return false;
}

}  // namespace lockstep::drivers
