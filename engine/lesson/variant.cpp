#include "lesson/variant.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/hash.h"
#include "core/random.h"
#include "question/table.h"

namespace lockstep {
namespace {

std::string pointer_of(const Question& question, std::string_view step) {
  return std::string(question.pointer).append("/").append(step);
}

/// The first condition that is false, or an error where one cannot be decided and none is false.
std::optional<Trial> failed_condition(const Question& question, const Variant& variant) {
  std::optional<Trial> undecided;
  for (std::size_t i = 0; i < question.require.size(); ++i) {
    const Condition& condition = question.require[i];
    const std::string where = pointer_of(question, "require/" + std::to_string(i));
    const Result<bool> holds = condition.holds(variant.values);
    if (!holds.ok()) {
      if (undecided) continue;
      undecided = Trial{Fit::broken, variant, {holds.error().code, where, holds.error().message}};
    } else if (!holds.value()) {
      return Trial{Fit::unfit,
                   variant,
                   {"condition_false", where, "the condition " + condition.text() + " is false"}};
    }
  }
  return undecided;
}

/// One draw of every parameter.
std::vector<Rational> drawn_numbers(const Question& question, std::uint32_t seed, int attempt) {
  const std::uint64_t stream = fnv1a(std::as_bytes(std::span(question.id)));
  const std::uint64_t first = static_cast<std::uint64_t>(attempt) * question.parameters.size();
  std::vector<Rational> numbers;
  for (std::size_t i = 0; i < question.parameters.size(); ++i) {
    const std::vector<Rational>& values = question.parameters[i].values;
    numbers.push_back(values[random_below(seed, stream, first + i, values.size())]);
  }
  return numbers;
}

}  // namespace

std::vector<Rational> canonical_numbers(const Question& question) {
  std::vector<Rational> numbers;
  for (const QuestionParameter& parameter : question.parameters) {
    for (const auto& [name, value] : question.canonical) {
      if (name == parameter.name) numbers.push_back(value);
    }
  }
  return numbers;
}

Trial try_numbers(const Question& question, std::span<const Rational> numbers, std::uint32_t seed) {
  assert(numbers.size() == question.parameters.size());
  Variant variant{seed, {}};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    variant.values.set(question.parameters[i].name, numbers[i]);
  }
  std::optional<Trial> broken;
  for (const GivenValue& given : question.given) {
    const Result<Rational> value = given.formula.evaluate(variant.values);
    if (value.ok()) {
      variant.values.set(given.name, value.value());
    } else if (!broken) {
      const std::string where = pointer_of(question, "given/" + given.name);
      broken = Trial{Fit::broken, variant, {value.error().code, where, value.error().message}};
    }
  }
  const std::optional<Trial> failed = failed_condition(question, variant);
  if (failed && failed->fit == Fit::unfit) return *failed;
  if (broken) return *broken;
  if (failed) return *failed;
  const Status status = question.type->check(question, variant);
  if (status.ok()) return {Fit::fit, std::move(variant), {}};
  const Fit fit = status.error().code == "same_answer" && seed != 0 ? Fit::unfit : Fit::broken;
  Error reason = status.error();
  reason.where = question.pointer;
  return {fit, std::move(variant), std::move(reason)};
}

Result<Variant> draw(const Question& question, std::uint32_t seed) {
  if (seed == 0 || question.parameters.empty()) {
    Trial trial = try_numbers(question, canonical_numbers(question), seed);
    if (trial.fit == Fit::fit) return std::move(trial.variant);
    return trial.reason;
  }
  std::vector<std::pair<Error, int>> reasons;
  for (int attempt = 0; attempt < kMaxDraws; ++attempt) {
    Trial trial = try_numbers(question, drawn_numbers(question, seed, attempt), seed);
    if (trial.fit == Fit::fit) return std::move(trial.variant);
    if (trial.fit == Fit::broken) return trial.reason;
    const auto same = std::find_if(reasons.begin(), reasons.end(), [&](const auto& known) {
      return known.first.message == trial.reason.message;
    });
    if (same == reasons.end()) {
      reasons.emplace_back(std::move(trial.reason), 1);
    } else {
      ++same->second;
    }
  }
  const auto most =
      std::max_element(reasons.begin(), reasons.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return Error{"no_variant", most->first.where,
               "no fit numbers in " + std::to_string(kMaxDraws) + " draws; in " +
                   std::to_string(most->second) + " of them " + most->first.message};
}

}  // namespace lockstep
