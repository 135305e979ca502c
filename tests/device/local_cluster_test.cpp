#include "device/local_cluster.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "program/instruction.h"
#include "strategy/strategy.h"
#include "support/cases.h"
#include "support/programs.h"
#include "support/runs.h"

using namespace lockstep;

namespace {

Plan default_plan(std::string_view strategy) {
  return make_plan(find_strategy(strategy).value().defaults()).value();
}

LocalRun run(const Plan& plan, std::uint64_t seed) {
  LocalRun result =
      run_local_cluster(test::make_devices(plan.program, plan.data), {.delivery_seed = seed});
  REQUIRE(!result.error);
  return result;
}

}  // namespace

TEST_CASE("a run is replayed exactly by its seed, and other seeds give other runs") {
  for (const StrategyRow& row : strategy_table()) {
    const Plan plan = default_plan(row.name);
    std::set<std::uint64_t> traces;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      CAPTURE(row.name, seed);
      const LocalRun first = run(plan, seed);
      const LocalRun second = run(plan, seed);
      CHECK(first.ticks == second.ticks);
      CHECK(first.trace_hash == second.trace_hash);
      traces.insert(first.trace_hash);
    }
    CHECK(traces.size() == 50);
  }
}

TEST_CASE("a run takes a tick an instruction, at most two a message and two a device") {
  for (const RunConfig& config : test::data_parallel_cases(5)) {
    const Plan plan = make_plan(config).value();
    std::int64_t instructions = 0;
    std::int64_t messages = 0;
    for (const DeviceProgram& device : plan.program.devices) {
      instructions += static_cast<std::int64_t>(device.instructions.size());
      messages += std::ranges::count(device.instructions, Op::send, &Instruction::op);
    }
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      CAPTURE(seed);
      const LocalRun finished = run(plan, seed);
      // each send is delivered once; a device waits at most once from the start and once after
      // each delivery; it is seen to be done once
      CHECK(finished.ticks >= instructions + messages);
      CHECK(finished.ticks <= instructions + 2 * messages + 2 * 5);
    }
  }
}

TEST_CASE("a run that needs more ticks than it may have ends with an error") {
  const Plan plan = default_plan("data_parallel");
  const std::int64_t needed = run(plan, 3).ticks;
  for (const std::int64_t ticks_max : {std::int64_t{0}, std::int64_t{10}, needed - 1}) {
    const LocalRun cut = run_local_cluster(test::make_devices(plan.program, plan.data),
                                           {.delivery_seed = 3, .ticks_max = ticks_max});
    REQUIRE(cut.error);
    CHECK(cut.error->code == "ticks_used_up");
    CHECK(cut.ticks == ticks_max);
  }
}

TEST_CASE("a message that is lost ends the run and names who waits for what") {
  const Program program = test::program_from(test::kSmallPipeline);
  const TrainingSet data = {.model = MlpSpec{{2, 3, 1}}, .row_ranges = {{0, 4}}};
  std::vector<Device> devices = test::make_devices(program, data);
  test::step_until_stopped(devices[0]);
  devices[0].take_outbox();
  const LocalRun stopped = run_local_cluster(std::move(devices), {});
  REQUIRE(stopped.error);
  CHECK(stopped.error->code == "deadlock");
  CHECK(stopped.error->where == "device 0");
  CHECK(stopped.error->message.find("receive activation_gradient stage 0 microbatch 0 from 1") !=
        std::string::npos);
}

TEST_CASE("a refused message ends the run and names the device that refused it") {
  const Plan plan = default_plan("data_parallel");
  std::vector<Device> devices = test::make_devices(plan.program, plan.data);
  devices[2] = Device::make(plan.program, plan.data, 2, 1).value();  // a step ahead
  const LocalRun stopped = run_local_cluster(std::move(devices), {});
  REQUIRE(stopped.error);
  CHECK(stopped.error->code == "stale_step");
  CHECK((stopped.error->where.starts_with("device 2, message ") ||
         stopped.error->where.starts_with("device 3, message ")));
}

TEST_CASE("each device of a ring all-reduce sends 2(N−1) messages, together 2(N−1) gradients") {
  for (const int devices : {1, 2, 3, 4, 5, 6, 7, 8, 16}) {
    CAPTURE(devices);
    RunConfig config = find_strategy("data_parallel").value().defaults();
    config.devices = devices;
    config.rows = devices;
    const LocalRun finished = run(make_plan(config).value(), 1);
    const std::int64_t size = finished.devices[0].counters().gradient_bytes;
    std::int64_t sent = 0;
    for (const Device& device : finished.devices) {
      CHECK(device.counters().messages_sent == 2 * (devices - 1));
      sent += device.counters().bytes_sent;
    }
    CHECK(sent == 2 * (devices - 1) * size);
  }
}

TEST_CASE("GPipe keeps all m microbatches in flight, 1F1B min(m, p − r) on rank r") {
  for (int stages = 1; stages <= 8; stages *= 2) {
    for (const int microbatches : {1, 2, 4, 8, 16}) {
      CAPTURE(stages, microbatches);
      RunConfig config = find_strategy("pipeline_parallel").value().defaults();
      config.stages = stages;
      config.microbatches = microbatches;
      config.schedule = "one_f_one_b";
      const LocalRun one_f_one_b = run(make_plan(config).value(), 2);
      config.schedule = "gpipe";
      const LocalRun gpipe = run(make_plan(config).value(), 2);
      for (int rank = 0; rank < stages; ++rank) {
        const auto at = static_cast<std::size_t>(rank);
        CHECK(one_f_one_b.devices[at].counters().in_flight_peak ==
              std::min(microbatches, stages - rank));
        CHECK(gpipe.devices[at].counters().in_flight_peak == microbatches);
      }
    }
  }
}

TEST_CASE("what a device counts does not depend on the order of delivery") {
  for (const StrategyRow& row : strategy_table()) {
    const Plan plan = default_plan(row.name);
    const LocalRun first = run(plan, 0);
    for (std::uint64_t seed = 1; seed < 50; ++seed) {
      CAPTURE(row.name, seed);
      const LocalRun other = run(plan, seed);
      for (std::size_t rank = 0; rank < first.devices.size(); ++rank) {
        CHECK(other.devices[rank].counters() == first.devices[rank].counters());
      }
    }
  }
}
