#include "host/thread_cluster.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <stop_token>
#include <string>
#include <thread>

#include "strategy/strategy.h"
#include "support/programs.h"
#include "support/runs.h"

using namespace lockstep;

namespace {

Plan plan_of(std::string_view strategy, int devices) {
  RunConfig config = find_strategy(strategy).value().defaults();
  config.devices = devices;
  config.stages = devices;
  config.tensor = std::min(devices, 4);  // heads of the transformer
  if (strategy == "parallel_3d") {
    config.data = std::min(devices, 2);
    config.tensor = devices >= 4 ? 2 : 1;
    config.stages = devices / (config.data * config.tensor);
  }
  return make_plan(config).value();
}

/// Two devices that refuse each other's messages: the second is a step of training ahead.
std::vector<Device> devices_of_two_steps() {
  const Plan plan = plan_of("data_parallel", 2);
  std::vector<Device> devices = test::make_devices(plan.program, plan.data);
  devices[1] = Device::make(plan.program, plan.data, 1, 1).value();
  return devices;
}

/// Two devices that wait for ever: the first message was lost.
std::vector<Device> waiting_devices() {
  const Program program = test::program_from(test::kSmallPipeline);
  const TrainingSet data = {.model = MlpSpec{{2, 3, 1}}, .seed = 5, .row_ranges = {{0, 4}}};
  std::vector<Device> devices = test::make_devices(program, data);
  test::step_until_stopped(devices[0]);
  devices[0].take_outbox();
  return devices;
}

}  // namespace

TEST_CASE("threads give the bits of the seeded cluster") {
  for (const StrategyRow& row : strategy_table()) {
    for (const int devices : {1, 2, 4, 8}) {
      CAPTURE(row.name, devices);
      const Plan plan = plan_of(row.name, devices);
      const std::vector<Device> fresh = test::make_devices(plan.program, plan.data);
      const std::vector<DeviceResult> expected = test::run_to_end(fresh);
      for (int repetition = 0; repetition < 20; ++repetition) {
        const ThreadRun run = run_thread_cluster(fresh, {});
        REQUIRE(!run.error);
        REQUIRE(results_of(run.devices) == expected);
      }
    }
  }
}

TEST_CASE("every instruction is measured once, in order, within the run") {
  const Plan plan = plan_of("pipeline_parallel", 4);
  const ThreadRun run = run_thread_cluster(test::make_devices(plan.program, plan.data), {});
  REQUIRE(!run.error);
  REQUIRE(run.spans.size() == 4);
  for (std::size_t rank = 0; rank < 4; ++rank) {
    const std::vector<MeasuredSpan>& spans = run.spans[rank];
    REQUIRE(spans.size() == plan.program.devices[rank].instructions.size());
    std::int64_t before = 0;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      CHECK(spans[i].instruction == static_cast<int>(i));
      CHECK(spans[i].start_ns >= before);
      CHECK(spans[i].end_ns >= spans[i].start_ns);
      before = spans[i].end_ns;
    }
    CHECK(run.duration_ns >= before);
  }
}

TEST_CASE("a device that refuses a message stops all and is named") {
  const ThreadRun run = run_thread_cluster(devices_of_two_steps(), {});
  REQUIRE(run.error);
  CHECK(run.error->code == "stale_step");
  CHECK(run.error->where.starts_with("device "));
}

TEST_CASE("a device whose numbers overflow stops all and is named") {
  Plan plan = plan_of("data_parallel", 4);
  plan.data.own_batch = draw_batch<double>(std::get<MlpSpec>(plan.data.model), 1, 64);
  plan.data.own_batch->targets.at(40, 0) = 1e200;  // a row of device 2
  const ThreadRun run = run_thread_cluster(test::make_devices(plan.program, plan.data), {});
  REQUIRE(run.error);
  CHECK(run.error->code == "not_finite");
  CHECK(run.error->where.starts_with("device 2, instruction 0"));
}

TEST_CASE("a run that hangs ends at its deadline and names who waits") {
  const ThreadRun run =
      run_thread_cluster(waiting_devices(), {.deadline = std::chrono::milliseconds(20)});
  REQUIRE(run.error);
  CHECK(run.error->code == "deadline_passed");
  CHECK((run.error->where == "device 0" || run.error->where == "device 1"));
  CHECK(run.error->message.find("receive activation") != std::string::npos);
}

TEST_CASE("a deadline that is far away is none") {
  const Plan plan = plan_of("data_parallel", 2);
  const ThreadRun run = run_thread_cluster(test::make_devices(plan.program, plan.data),
                                           {.deadline = std::chrono::nanoseconds::max()});
  CHECK(!run.error);
}

TEST_CASE("a deadline that has passed ends the run before any device is done") {
  const Plan plan = plan_of("data_parallel", 2);
  const ThreadRun run = run_thread_cluster(test::make_devices(plan.program, plan.data),
                                           {.deadline = std::chrono::nanoseconds(-1)});
  REQUIRE(run.error);
  CHECK(run.error->code == "deadline_passed");
}

TEST_CASE("a run that hangs can be cancelled") {
  std::stop_source cancel;
  std::jthread canceller([&cancel] { cancel.request_stop(); });
  const ThreadRun run = run_thread_cluster(waiting_devices(), {.cancel = cancel.get_token()});
  REQUIRE(run.error);
  CHECK(run.error->code == "cancelled");
}

TEST_CASE("a run that was cancelled before it began does nothing") {
  std::stop_source cancel;
  cancel.request_stop();
  const Plan plan = plan_of("data_parallel", 2);
  const ThreadRun run = run_thread_cluster(test::make_devices(plan.program, plan.data),
                                           {.cancel = cancel.get_token()});
  REQUIRE(run.error);
  CHECK(run.error->code == "cancelled");
  for (const std::vector<MeasuredSpan>& spans : run.spans) CHECK(spans.empty());
}
