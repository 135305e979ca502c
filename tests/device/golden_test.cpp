// The hashes of gradients, equal on every machine: natively, in WebAssembly under Node and in
// browsers. A line that changes here changes what every learner sees: review it as such.
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <string>

#include "device/gradient_check.h"
#include "json/run_json.h"
#include "strategy/strategy.h"
#include "support/runs.h"

using namespace lockstep;

TEST_CASE("the gradients of the golden runs have their golden hashes") {
  std::ifstream file(LOCKSTEP_TEST_DATA "/../golden/gradient-hashes.txt");
  REQUIRE(file.good());
  int runs = 0;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line.front() == '#') continue;
    CAPTURE(line);
    const std::string expected = line.substr(0, 16);
    const Result<RunConfig> config = read_run_config(line.substr(17));
    REQUIRE(config.ok());
    const Result<Plan> plan = make_plan(config.value());
    REQUIRE(plan.ok());
    const auto results =
        test::run_to_end(test::make_devices(plan.value().program, plan.value().data));
    const auto report = check_gradients(plan.value().program, plan.value().data, results);
    REQUIRE(report.ok());
    CHECK(report.value().hash == expected);
    CHECK(report.value().passed());
    ++runs;
  }
  CHECK(runs >= 20);
}
