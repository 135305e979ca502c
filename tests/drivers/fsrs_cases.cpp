// fsrs-cases FILE: memory states, intervals and stars computed by another implementation of FSRS-6,
// and inputs that must be refused. Prints the id of each failing case with what it came to, last
// "N passed, N failed". Exit status 1 when a case failed, 2 when there is nothing to run.
#include <array>
#include <cstdio>
#include <exception>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lesson/learning_day.h"
#include "lesson/star.h"

namespace lockstep {
namespace {

using Json = nlohmann::json;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Every number of a case must be met to this share of it, for the file has 8 decimals.
constexpr double kTolerance = 1e-6;

template <typename T>
T must(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.error().code + ": " + result.error().message);
  return std::move(result).value();
}

void expect_near(const Json& expected, std::string_view key, double value) {
  const double target = expected.at(key).get<double>();
  const double room = kTolerance * (target < 0 ? -target : target);
  if (value >= target - room && value <= target + room) return;
  throw std::runtime_error(std::string(key) + " is " + std::to_string(value) + ", not " +
                           std::to_string(target));
}

void expect_equal(const Json& expected, std::string_view key, const Json& value) {
  if (expected.at(key) == value) return;
  throw std::runtime_error(std::string(key) + " is " + value.dump() + ", not " +
                           expected.at(key).dump());
}

/// One answer: `before` is none for the first. Compares with `expected` and gives the new memory.
Memory answer(const Fsrs& fsrs, const std::optional<Memory>& before, double elapsed_days,
              const Json& rating_number, const Json& expected) {
  const Rating rating = must(rating_of(rating_number.get<std::int64_t>()));
  if (before) {
    expect_near(expected, "R_before", fsrs.retrievability(before->stability_days, elapsed_days));
  } else {
    expect_equal(expected, "R_before", nullptr);
  }
  const Memory after = before ? must(fsrs.next(*before, elapsed_days, rating)) : fsrs.first(rating);
  expect_near(expected, "S", after.stability_days);
  expect_near(expected, "D", after.difficulty);
  expect_equal(expected, "interval_days", fsrs.interval_days(after.stability_days));
  return after;
}

void state_update(const Fsrs& fsrs, const Json& test_case) {
  const Json& state = test_case.at("state");
  std::optional<Memory> before;
  if (!state.is_null()) before = Memory{state.at("S"), state.at("D")};
  answer(fsrs, before, test_case.at("elapsed_days"), test_case.at("rating"),
         test_case.at("expect"));
}

void retrievability(const Fsrs& fsrs, const Json& test_case) {
  expect_near(test_case, "R", fsrs.retrievability(test_case.at("S"), test_case.at("elapsed_days")));
}

void interval(const Fsrs& fsrs, const Json& test_case) {
  const double retention = test_case.at("request_retention");
  expect_near(test_case, "modifier", fsrs.interval_modifier(retention));
  expect_equal(test_case, "interval_days", fsrs.interval_days(test_case.at("S"), retention));
}

void history(const Fsrs& fsrs, const Json& test_case) {
  std::optional<Memory> memory;
  for (const Json& step : test_case.at("steps")) {
    memory = answer(fsrs, memory, step.at("t"), step.at("rating"), step);
  }
}

void star_shown(const Fsrs&, const Json& test_case) {
  SkillState state;
  state.memory.stability_days = test_case.at("S");
  state.last_rating = must(rating_of(test_case.at("last_rating").get<std::int64_t>()));
  state.ever_right = test_case.at("ever_right");
  const Star shown = star(state, test_case.at("elapsed_days").get<std::int64_t>());
  const Json& expected = test_case.at("expect");
  expect_equal(expected, "interval_days", shown.interval_days);
  expect_equal(expected, "due_in_days", shown.due_in_days);
  expect_near(expected, "R", shown.retrievability);
  expect_equal(expected, "band", band_name(shown.band));
  expect_near(expected, "brightness", shown.brightness);
  expect_equal(expected, "size", shown.size);
}

bool refuses_negative_days(const Fsrs& fsrs) {
  return !fsrs.next({5, 5}, -1, Rating::good).ok() && elapsed_days(10, 9) == 0;
}

bool refuses_ratings(const Fsrs&) {
  return !rating_of(0).ok() && !rating_of(5).ok() && !rating_of(-1).ok();
}

bool refuses_memories(const Fsrs& fsrs) {
  for (const Memory& memory : {Memory{0.0009, 5}, Memory{0, 5}, Memory{kNaN, 5}, Memory{5, 0.9},
                               Memory{5, 10.1}, Memory{5, kNaN}}) {
    if (check(memory).ok() || fsrs.next(memory, 1, Rating::good).ok()) return false;
  }
  return true;
}

bool refuses_weights(const Fsrs&) {
  std::vector<double> weights(Fsrs::kWeightCount, 0.5);
  if (!Fsrs::with_weights(weights).ok()) return false;
  weights.back() = kNaN;
  if (Fsrs::with_weights(weights).ok()) return false;
  for (const std::size_t count : {0u, 16u, 18u, 20u, 22u}) {
    if (Fsrs::with_weights(std::vector<double>(count, 0.5)).ok()) return false;
  }
  return true;
}

/// What the texts under "must_reject" begin with, and the test of each.
struct RefusalRow {
  std::string_view beginning;
  bool (*refuses)(const Fsrs& fsrs);
};
constexpr std::array kRefusals = {
    RefusalRow{"t<0 ", refuses_negative_days},
    RefusalRow{"rating outside 1..4 ", refuses_ratings},
    RefusalRow{"S<0.001 or D<1 or D>10 or non-finite ", refuses_memories},
    RefusalRow{"parameter list length ", refuses_weights},
};

void refusal(const Fsrs& fsrs, const Json& test_case) {
  const auto text = test_case.get<std::string>();
  for (const RefusalRow& row : kRefusals) {
    if (!text.starts_with(row.beginning)) continue;
    if (row.refuses(fsrs)) return;
    throw std::runtime_error("is not refused");
  }
  throw std::runtime_error("unknown kind");
}

/// The lists of the file, and what its other members tell a reader.
struct GroupRow {
  std::string_view name;
  void (*run)(const Fsrs& fsrs, const Json& test_case);
};
constexpr std::array kGroups = {
    GroupRow{"state_update", state_update}, GroupRow{"retrievability", retrievability},
    GroupRow{"intervals", interval},        GroupRow{"histories", history},
    GroupRow{"stars", star_shown},          GroupRow{"must_reject", refusal},
};
constexpr std::array<std::string_view, 6> kNotes = {
    "about",     "tool",      "params",
    "tolerance", "star_rule", "max_relative_difference_to_unrounded_double_formula"};

struct Tally {
  int passed = 0;
  int failed = 0;
};

void run_case(const Fsrs& fsrs, const GroupRow& group, const Json& test_case, Tally& tally) {
  try {
    group.run(fsrs, test_case);
    ++tally.passed;
  } catch (const std::exception& error) {
    ++tally.failed;
    const std::string id =
        test_case.is_object() ? test_case.value("id", "?") : test_case.dump().substr(0, 40);
    std::printf("%s (%s): %s\n", id.c_str(), group.name.data(), error.what());
  }
}

void run_group(const Fsrs& fsrs, const std::string& name, const Json& cases, Tally& tally) {
  for (const GroupRow& group : kGroups) {
    if (group.name != name) continue;
    for (const Json& test_case : cases) run_case(fsrs, group, test_case, tally);
    return;
  }
  for (const std::string_view note : kNotes) {
    if (note == name) return;
  }
  ++tally.failed;
  std::printf("%s: unknown kind\n", name.c_str());
}

int run(const char* path) {
  std::ifstream file(path);
  const Json content = Json::parse(file, nullptr, false);
  if (!content.is_object() || !content.contains("params")) {
    std::fprintf(stderr, "fsrs-cases: %s is no file of cases\n", path);
    return 2;
  }
  Tally tally;
  try {
    const auto weights = content.at("params").at("w").get<std::vector<double>>();
    const Fsrs fsrs = must(Fsrs::with_weights(weights));
    for (const auto& [name, cases] : content.items()) run_group(fsrs, name, cases, tally);
  } catch (const std::exception& error) {
    ++tally.failed;
    std::printf("params: %s\n", error.what());
  }
  std::printf("%d passed, %d failed\n", tally.passed, tally.failed);
  if (tally.passed + tally.failed == 0) return 2;
  return tally.failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lockstep

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "Usage: fsrs-cases FILE\n");
    return 2;
  }
  return lockstep::run(arguments[1]);
}
