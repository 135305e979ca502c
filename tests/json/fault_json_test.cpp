#include "json/fault_json.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace lockstep;

TEST_CASE("a page replays the faults of a seed as the command does") {
  const RunConfig config = find_strategy("data_parallel").value().defaults();
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto run = run_with_drawn_faults(config, seed);
    REQUIRE(run.ok());
    CHECK(replay_faults("{\"seed\": " + std::to_string(seed) + "}") ==
          write_fault_run(run.value()));
  }
}

TEST_CASE("faults written by hand strike where they say, and the device is named") {
  const std::string told =
      replay_faults("{\"faults\": [{\"kind\": \"crash_before_send\", \"device\": 2}]}");
  CHECK(told.find("\"error\":{\"device\":2,\"step\":0,\"kind\":\"device_crashed\"") !=
        std::string::npos);
}

TEST_CASE("a fault out of range is refused at its JSON pointer") {
  const struct {
    const char* fault;
    const char* code;
    const char* where;
  } cases[] = {
      {R"({"kind": "dorp", "device": 0})", "unknown_fault", "/faults/0/kind"},
      {R"({"kind": "drop", "device": 4})", "unknown_device", "/faults/0/device"},
      {R"({"kind": "drop", "device": 0, "when": -1})", "negative_tick", "/faults/0/when"},
  };
  for (const auto& row : cases) {
    const std::string told = replay_faults("{\"faults\": [" + std::string(row.fault) + "]}");
    CHECK(told.find(std::string("\"code\":\"") + row.code + "\",\"where\":\"" + row.where + "\"") !=
          std::string::npos);
  }
}
