// learning-day-cases FILE: pairs of instants in real time zones, the learning day of each, and the
// days between them. Prints the id of each failing case, last "N passed, N failed". Exit status 1
// when a case failed, 2 when there is nothing to run.
#include <cstdio>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "lesson/learning_day.h"

namespace lockstep {
namespace {

using Json = nlohmann::json;

/// The day of an instant, which must be the one that stands beside it.
std::int64_t day_of(const Json& instant) {
  const Result<std::int64_t> day = learning_day({instant.at("utc_ms"), instant.at("offset_min")});
  if (!day.ok()) throw std::runtime_error(day.error().where + ": " + day.error().message);
  if (instant.at("day") != day.value()) {
    throw std::runtime_error("day " + std::to_string(day.value()) + ", not " +
                             instant.at("day").dump());
  }
  return day.value();
}

void run_case(const Json& test_case) {
  const std::int64_t first = day_of(test_case.at("first"));
  const std::int64_t days = elapsed_days(first, day_of(test_case.at("second")));
  if (test_case.at("expect_t") == days) return;
  throw std::runtime_error("t is " + std::to_string(days) + ", not " +
                           test_case.at("expect_t").dump());
}

int run(const char* path) {
  std::ifstream file(path);
  const Json content = Json::parse(file, nullptr, false);
  if (!content.is_object() || !content.contains("cases")) {
    std::fprintf(stderr, "learning-day-cases: %s is no file of cases\n", path);
    return 2;
  }
  int passed = 0;
  int failed = 0;
  for (const Json& test_case : content["cases"]) {
    try {
      run_case(test_case);
      ++passed;
    } catch (const std::exception& error) {
      ++failed;
      const std::string id = test_case.is_object() ? test_case.value("id", "?") : "?";
      std::printf("%s: %s\n", id.c_str(), error.what());
    }
  }
  for (const auto& [name, member] : content.items()) {
    if (name == "cases" || name == "about") continue;
    ++failed;
    std::printf("%s: unknown kind\n", name.c_str());
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  if (passed + failed == 0) return 2;
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lockstep

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "Usage: learning-day-cases FILE\n");
    return 2;
  }
  return lockstep::run(arguments[1]);
}
