// Laws of gradients over all strategies, schedules, device counts, shapes and precisions.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <vector>

#include "device/gradient_check.h"
#include "schedule/schedule.h"
#include "support/cases.h"
#include "support/runs.h"

using namespace lockstep;

namespace {

/// Orders of delivery tried with every case, and with the runs that page and command begin with:
/// what a few seconds allow, in WebAssembly too.
constexpr std::uint64_t kDeliverySeedsOfCase = 40;
constexpr std::uint64_t kDeliverySeedsOfDefault = 1000;

std::vector<RunConfig> all_cases() {
  std::vector<RunConfig> cases;
  const auto add = [&cases](std::vector<RunConfig> more) {
    cases.insert(cases.end(), more.begin(), more.end());
  };
  for (const int devices : {1, 2, 3, 4, 5, 6, 7, 8, 16}) {
    add(test::data_parallel_cases(devices));
    add(test::pipeline_cases(devices));
    add(test::product_cases(devices));
  }
  return cases;
}

struct FinishedRun {
  Plan plan;
  std::vector<DeviceResult> results;
};

FinishedRun run(const RunConfig& config) {
  Result<Plan> plan = make_plan(config);
  if (!plan.ok()) FAIL(plan.error().where << ": " << plan.error().message);
  std::vector<DeviceResult> results =
      test::run_to_end(test::make_devices(plan.value().program, plan.value().data));
  return {std::move(plan).value(), std::move(results)};
}

GradientReport report_of(const FinishedRun& run, const GradientCheckOptions& options = {}) {
  const auto report = check_gradients(run.plan.program, run.plan.data, run.results, options);
  if (!report.ok()) FAIL(report.error().where << ": " << report.error().message);
  return report.value();
}

/// Runs a config in orders of delivery drawn from the seeds first_seed … first_seed + count − 1.
void check_orders(const RunConfig& config, std::uint64_t first_seed, std::uint64_t count) {
  const Plan plan = make_plan(config).value();
  const std::vector<Device> fresh = test::make_devices(plan.program, plan.data);
  const std::vector<DeviceResult> expected = test::run_to_end(fresh, first_seed);
  for (std::uint64_t seed = first_seed + 1; seed < first_seed + count; ++seed) {
    const LocalRun again = run_local_cluster(fresh, {.delivery_seed = seed});
    if (!again.error && results_of(again.devices) == expected) continue;
    FAIL(test::describe(config) << " with delivery seed " << seed);
  }
}

/// Whether every stage adds the weight gradients of its microbatches in their order.
bool adds_in_order(const RunConfig& config) {
  const Schedule schedule =
      make_schedule(config.schedule, {config.stages, config.chunks, config.microbatches}).value();
  if (!schedule.second_half_rank.empty()) return false;  // two sums, which are then added
  std::vector<int> next(schedule.stage_rank.size(), 0);
  for (const std::vector<Action>& actions : schedule.ranks) {
    for (const Action& action : actions) {
      const bool adds =
          action.kind == ActionKind::backward || action.kind == ActionKind::backward_weight;
      if (adds && next[static_cast<std::size_t>(action.stage)]++ != action.microbatch) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("every strategy gives the gradient of one device, up to rounding") {
  for (const RunConfig& config : all_cases()) {
    const bool is_slow = config.model == "transformer";
    const GradientReport report =
        report_of(run(config), {.finite_differences = is_slow ? std::size_t{12} : 64});
    INFO(test::describe(config));
    INFO("worst at " << report.worst_parameter << ": " << report.worst_difference << ", bound "
                     << report.worst_bound);
    CHECK(report.single_device.within_bound());
    CHECK(report.loss_within_bound());
    CHECK(report.finite_difference.within_bound());
    CHECK(report.finite_differences_compared > 0);
    CHECK((report.hash == report.single_device_hash) == report.single_device.bit_equal);
  }
}

TEST_CASE(
    "a pipeline gives the bits of one device where it adds the microbatches in their order, and "
    "else "
    "the gradient up to rounding") {
  int in_order_count = 0;
  int other_count = 0;
  for (int stages = 1; stages <= 8; ++stages) {
    for (const RunConfig& config : test::pipeline_cases(stages)) {
      INFO(test::describe(config));
      const GradientReport report = report_of(run(config), {.finite_differences = 0});
      // the loss is added up on one device, but by DualPipe on two
      CHECK((report.loss == report.single_device_loss || config.schedule == "dualpipe"));
      CHECK(report.loss_within_bound());
      if (adds_in_order(config)) {
        CHECK(report.single_device.bit_equal);
        ++in_order_count;
      } else {
        CHECK(report.single_device.within_bound());
        other_count += report.single_device.bit_equal ? 0 : 1;
      }
    }
  }
  CHECK(in_order_count > 0);
  CHECK(other_count > 0);
}

TEST_CASE("without tensor or data parallelism a product has the bits of one device") {
  int count = 0;
  for (int stages = 1; stages <= 6; ++stages) {
    for (const RunConfig& config : test::product_cases(stages)) {
      if (config.data > 1 || config.tensor > 1) continue;
      INFO(test::describe(config));
      const GradientReport report = report_of(run(config), {.finite_differences = 0});
      CHECK(report.single_device.bit_equal);
      CHECK(report.loss == report.single_device_loss);
      ++count;
    }
  }
  CHECK(count > 0);
}

TEST_CASE("training in parallel keeps to the losses and parameters of one device, step by step") {
  for (const OptimizerRow& optimizer : optimizer_table()) {
    for (const StrategyRow& row : strategy_table()) {
      for (const Precision precision : {Precision::float32, Precision::float64}) {
        RunConfig config = row.defaults();
        config.optimizer = optimizer.name;
        config.precision = precision;
        config.steps = 4;
        CAPTURE(row.name, optimizer.name, static_cast<int>(precision));
        const GradientReport report = report_of(run(config));
        CHECK(report.losses.size() == 4);
        CHECK(report.losses.front() != report.losses.back());
        CHECK(report.has_parameters);
        CHECK(report.parameters.largest_difference <= report.parameter_bound);
        CHECK(report.passed());
      }
    }
  }
}

TEST_CASE("a pipeline trains to the very bits of one device") {
  RunConfig config = find_strategy("pipeline_parallel").value().defaults();
  config.optimizer = "adam";
  config.steps = 5;
  CHECK(report_of(run(config)).parameters.bit_equal);
  config.rows = 8;
  config.model = "transformer";
  config.stages = 3;
  CHECK(report_of(run(config)).parameters.bit_equal);
}

TEST_CASE("a transformer on 2 × 2 × 2 devices learns in twenty steps as it does on one") {
  RunConfig config = find_strategy("parallel_3d").value().defaults();
  config.optimizer = "adam";
  config.steps = 20;
  const GradientReport report = report_of(run(config));
  CHECK(report.passed());
  CHECK(report.losses.back() < report.losses.front() / 2);
}

TEST_CASE("optimizers hold so many bytes a parameter more: none, one number, two") {
  const auto bytes = [](const char* optimizer) {
    RunConfig config = find_strategy("data_parallel").value().defaults();
    config.optimizer = optimizer;
    const Plan plan = make_plan(config).value();
    const DeviceCounters counters = test::make_devices(plan.program, plan.data).front().counters();
    return counters.optimizer_bytes / counters.weight_bytes;
  };
  CHECK(bytes("none") == 0);
  CHECK(bytes("sgd") == 0);
  CHECK(bytes("momentum") == 1);
  CHECK(bytes("adam") == 2);
}

TEST_CASE("shards hold what is split once, and the whole of the rest") {
  for (const int tensor : {1, 2, 4}) {
    RunConfig config = find_strategy("tensor_parallel").value().defaults();
    config.tensor = tensor;
    const Plan plan = make_plan(config).value();
    const std::vector<Device> devices = test::make_devices(plan.program, plan.data);
    const GptSpec& spec = config.transformer;
    std::int64_t unsplit = 0;
    for (int block = 0; block < spec.block_count(); ++block) {
      unsplit += static_cast<std::int64_t>(unsplit_count(spec, block, {0, 2}));
    }
    const auto all = static_cast<std::int64_t>(parameter_count(plan.data.model));
    for (const Device& device : devices) {
      CHECK(device.counters().weight_bytes == 8 * (unsplit + (all - unsplit) / tensor));
    }
  }
}

TEST_CASE("the results are the same bits for every order of delivery") {
  std::uint64_t first_seed = 0;
  for (const RunConfig& config : all_cases()) {
    check_orders(config, first_seed, kDeliverySeedsOfCase);
    first_seed += kDeliverySeedsOfCase;
  }
}

TEST_CASE(
    "the default runs give the same bits for a thousand orders of delivery, a transformer for "
    "forty") {
  for (const StrategyRow& row : strategy_table()) {
    const bool is_slow = row.defaults().model == "transformer";
    check_orders(row.defaults(), 0, is_slow ? kDeliverySeedsOfCase : kDeliverySeedsOfDefault);
  }
}
