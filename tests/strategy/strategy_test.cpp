#include "strategy/strategy.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "program/text.h"
#include "program/validate.h"
#include "schedule/schedule.h"

using namespace lockstep;

namespace {

RunConfig defaults_of(std::string_view strategy) {
  return find_strategy(strategy).value().defaults();
}

Plan plan_of(const RunConfig& config) {
  Result<Plan> plan = make_plan(config);
  if (!plan.ok()) FAIL(plan.error().where << ": " << plan.error().message);
  return std::move(plan).value();
}

/// "code at where", or "fine".
std::string verdict(const RunConfig& config) {
  const Result<Plan> plan = make_plan(config);
  if (plan.ok()) return "fine";
  CHECK(!plan.error().message.empty());
  return plan.error().code + " at " + plan.error().where;
}

template <typename Change>
std::string verdict_with(std::string_view strategy, Change change) {
  RunConfig config = defaults_of(strategy);
  change(config);
  return verdict(config);
}

}  // namespace

TEST_CASE("a run without options is the agreed one") {
  const RunConfig data_parallel = defaults_of("data_parallel");
  CHECK(data_parallel.strategy == "data_parallel");
  CHECK(data_parallel.seed == 1);
  CHECK(data_parallel.precision == Precision::float64);
  CHECK(data_parallel.rows == 64);
  CHECK(data_parallel.widths == std::vector<int>{16, 32, 32, 4});
  const RunConfig pipeline = defaults_of("pipeline_parallel");
  CHECK(pipeline.strategy == "pipeline_parallel");
  CHECK(pipeline.seed == 1);
  CHECK(pipeline.precision == Precision::float64);
  CHECK(pipeline.rows == 64);
  CHECK(pipeline.widths == std::vector<int>{32, 32, 32, 32, 32, 32, 32, 32, 32});
}

TEST_CASE("the defaults of every strategy can be run") {
  for (const StrategyRow& row : strategy_table()) {
    CAPTURE(row.name);
    CHECK(row.defaults().strategy == row.name);
    CHECK(verdict(row.defaults()) == "fine");
  }
}

TEST_CASE("data parallelism is forward, backward, ring all-reduce and the mean") {
  RunConfig config = defaults_of("data_parallel");
  config.devices = 2;
  CHECK(write_program(plan_of(config).program) ==
        "program data_parallel\n"
        "stages 1\n"
        "microbatches 1\n"
        "device 0 replica 0 stages 0\n"
        "  forward stage 0 microbatch 0\n"
        "  backward stage 0 microbatch 0\n"
        "  send gradient chunk 0 of 2 to 1\n"
        "  receive_add gradient chunk 1 of 2 from 1\n"
        "  send gradient chunk 1 of 2 to 1\n"
        "  receive gradient chunk 0 of 2 from 1\n"
        "  scale 1/2\n"
        "device 1 replica 1 stages 0\n"
        "  forward stage 0 microbatch 0\n"
        "  backward stage 0 microbatch 0\n"
        "  send gradient chunk 1 of 2 to 0\n"
        "  receive_add gradient chunk 0 of 2 from 0\n"
        "  send gradient chunk 0 of 2 to 0\n"
        "  receive gradient chunk 1 of 2 from 0\n"
        "  scale 1/2\n");
}

TEST_CASE("weighted averaging scales by the rows before the sum and by all rows after it") {
  RunConfig config = defaults_of("data_parallel");
  config.devices = 3;
  config.rows = 10;
  config.weighted = true;
  const Plan plan = plan_of(config);
  const std::vector<int> rows = {4, 3, 3};  // as even as possible, larger shares first
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    const std::vector<Instruction>& list = plan.program.devices[rank].instructions;
    CHECK(list[2] == Instruction{.op = Op::scale, .numerator = rows[rank]});
    CHECK(list.back() == Instruction{.op = Op::scale, .denominator = 10});
  }
  CHECK(plan.data.row_ranges == std::vector<RowRange>{{0, 4}, {4, 3}, {7, 3}});

  config.shares = {1, 7, 2};
  CHECK(plan_of(config).data.row_ranges == std::vector<RowRange>{{0, 1}, {1, 7}, {8, 2}});
}

TEST_CASE("every row is on one device, and equal shares are all that the plain mean takes") {
  for (int devices = 1; devices <= kRunDevicesMax; ++devices) {
    for (int rows = 1; rows <= 40; ++rows) {
      CAPTURE(devices, rows);
      RunConfig config = defaults_of("data_parallel");
      config.devices = devices;
      config.rows = rows;
      const bool divides = rows % devices == 0;
      CHECK((verdict(config) == "fine") == divides);
      config.weighted = true;
      CHECK((verdict(config) == "fine") == (rows >= devices));
      if (rows < devices) continue;
      const TrainingSet data = plan_of(config).data;
      CHECK(data.replica_count() == devices);
      CHECK(data.row_count() == rows);
    }
  }
}

TEST_CASE("a pipeline takes equal microbatches through stages of equal depth") {
  RunConfig config = defaults_of("pipeline_parallel");
  config.stages = 2;
  config.microbatches = 4;
  config.rows = 12;
  const Plan plan = plan_of(config);
  CHECK(plan.program.stages == 2);
  CHECK(plan.program.microbatches == 4);
  CHECK(plan.program.devices.size() == 2);
  CHECK(plan.data.row_ranges == std::vector<RowRange>{{0, 3}, {3, 3}, {6, 3}, {9, 3}});
  CHECK(plan.data.microbatches == 4);
}

TEST_CASE("the two copies of a stage of DualPipe add up their gradients, without a mean") {
  RunConfig config = defaults_of("pipeline_parallel");
  config.schedule = "dualpipe";
  config.stages = 2;
  const Program program = plan_of(config).program;
  for (const DeviceProgram& device : program.devices) {
    CHECK(device.stages == std::vector<int>{0, 1});
    CHECK(std::ranges::count(device.instructions, Op::receive_add, &Instruction::op) == 1);
    CHECK(std::ranges::count(device.instructions, Op::scale, &Instruction::op) == 0);
  }
}

TEST_CASE("what cannot be run is refused at the field that is wrong") {
  const auto data_parallel = [](auto change) { return verdict_with("data_parallel", change); };
  CHECK(data_parallel([](RunConfig& c) { c.devices = 0; }) == "out_of_range at devices");
  CHECK(data_parallel([](RunConfig& c) { c.devices = 17; }) == "out_of_range at devices");
  CHECK(data_parallel([](RunConfig& c) { c.devices = -1; }) == "out_of_range at devices");
  CHECK(data_parallel([](RunConfig& c) { c.rows = 0; }) == "out_of_range at rows");
  CHECK(data_parallel([](RunConfig& c) { c.rows = 65537; }) == "out_of_range at rows");
  CHECK(data_parallel([](RunConfig& c) { c.rows = 63; }) == "rows_not_divisible at rows");
  CHECK(data_parallel([](RunConfig& c) { c.rows = 3; }) == "too_few_rows at rows");
  CHECK(data_parallel([](RunConfig& c) { c.shares = {16, 16, 16, 16}; }) == "fine");
  CHECK(data_parallel([](RunConfig& c) {
          c.shares = {16, 16, 16, 15};
        }) == "rows_do_not_add_up at shares");
  CHECK(data_parallel([](RunConfig& c) { c.shares = {32, 32}; }) == "rows_do_not_add_up at shares");
  CHECK(data_parallel([](RunConfig& c) {
          c.shares = {16, 16, 17, 15};
        }) == "rows_not_divisible at shares");
  CHECK(data_parallel([](RunConfig& c) {
          c.shares = {32, 32, 0, 0};
        }) == "out_of_range at shares 2");
  CHECK(data_parallel([](RunConfig& c) { c.widths = {16}; }) == "layers_out_of_range at widths");
  CHECK(data_parallel([](RunConfig& c) {
          c.widths = {16, 0};
        }) == "width_out_of_range at widths 1");

  const auto pipeline = [](auto change) { return verdict_with("pipeline_parallel", change); };
  CHECK(pipeline([](RunConfig& c) { c.stages = 0; }) == "out_of_range at stages");
  CHECK(pipeline([](RunConfig& c) { c.stages = 17; }) == "out_of_range at stages");
  CHECK(pipeline([](RunConfig& c) { c.stages = 3; }) == "layers_not_divisible at stages");
  CHECK(pipeline([](RunConfig& c) { c.stages = 16; }) == "layers_not_divisible at stages");
  CHECK(pipeline([](RunConfig& c) { c.chunks = 0; }) == "out_of_range at chunks");
  CHECK(pipeline([](RunConfig& c) { c.microbatches = 0; }) == "out_of_range at microbatches");
  CHECK(pipeline([](RunConfig& c) { c.microbatches = 1025; }) == "out_of_range at microbatches");
  CHECK(pipeline([](RunConfig& c) { c.microbatches = 7; }) == "rows_not_divisible at microbatches");
  CHECK(pipeline([](RunConfig& c) { c.weighted = true; }) == "not_for_strategy at weighted");
  CHECK(pipeline([](RunConfig& c) { c.shares = {64}; }) == "not_for_strategy at shares");
  CHECK(pipeline([](RunConfig& c) { c.widths = {}; }) == "layers_out_of_range at widths");
  CHECK(pipeline([](RunConfig& c) { c.schedule = "1f2b"; }) == "unknown_schedule at schedule");
  CHECK(pipeline([](RunConfig& c) { c.schedule = "forward_only"; }) == "not_trainable at schedule");
  CHECK(verdict_with("parallel_3d", [](RunConfig& c) { c.schedule = "forward_only"; }) ==
        "not_trainable at schedule");
  CHECK(pipeline([](RunConfig& c) { c.strategy = "pipeline"; }) == "unknown_strategy at strategy");
}

TEST_CASE("a refusal says what to do") {
  RunConfig config = defaults_of("data_parallel");
  config.devices = 17;
  CHECK(make_plan(config).error().message == "devices is 17 and must be 1 to 16");
  config.devices = 3;
  CHECK(
      make_plan(config).error().message ==
      "64 rows cannot be shared equally by 3 devices, and the plain mean of the devices' gradients "
      "would then not be the gradient of the batch: use 63 or 66 rows, or weighted averaging");
}
