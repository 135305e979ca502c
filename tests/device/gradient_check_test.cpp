#include "device/gradient_check.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "device/message.h"
#include "program/instruction.h"
#include "program/validate.h"
#include "support/cases.h"
#include "support/programs.h"
#include "support/runs.h"

using namespace lockstep;
using test::Draw;

namespace {

Plan plan_of(const RunConfig& config) {
  return make_plan(config).value();
}

RunConfig small_data_parallel(int devices) {
  RunConfig config = find_strategy("data_parallel").value().defaults();
  config.devices = devices;
  config.rows = 4 * devices;
  config.widths = {3, 7, 4};
  return config;
}

/// Whether the numbers are the same but for the order of additions: gradients here are about 1.
bool almost_equal(const std::vector<DeviceResult>& a, const std::vector<DeviceResult>& b) {
  for (std::size_t rank = 0; rank < a.size(); ++rank) {
    const std::vector<double> ours = from_bytes<double>(a[rank].gradient);
    const std::vector<double> theirs = from_bytes<double>(b[rank].gradient);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (std::abs(ours[i] - theirs[i]) > 1e-12) return false;
    }
  }
  return true;
}

/// How a program with a fault in it ends.
enum class Ending { refused, stopped, disagreed, failed_check, harmless, passed_unnoticed };

/// Runs `program` on the data of a plan whose right results are known.
Ending ending_of(const Program& program, const Plan& plan, const std::vector<DeviceResult>& right) {
  if (!validate(program).empty()) return Ending::refused;
  std::vector<Device> devices;
  for (int rank = 0; rank < static_cast<int>(program.devices.size()); ++rank) {
    Result<Device> device = Device::make(program, plan.data, rank);
    if (!device.ok()) return Ending::refused;
    devices.push_back(std::move(device).value());
  }
  const LocalRun run = run_local_cluster(std::move(devices), {});
  if (run.error) {
    CHECK(!run.error->code.empty());
    CHECK(run.error->where.starts_with("device "));
    CHECK(run.error->code != "deadlock");  // validate excludes it
    return Ending::stopped;
  }
  const std::vector<DeviceResult> results = results_of(run.devices);
  const auto report = check_gradients(program, plan.data, results, {.finite_differences = 0});
  if (!report.ok()) {
    CHECK(report.error().where.starts_with("device "));
    return Ending::disagreed;
  }
  if (!report.value().passed()) return Ending::failed_check;
  return almost_equal(results, right) ? Ending::harmless : Ending::passed_unnoticed;
}

/// Counts of endings over many broken programs.
struct Tally {
  int caught = 0;
  int harmless = 0;

  void add(Ending ending) {
    if (ending == Ending::passed_unnoticed) FAIL("a wrong gradient passed the check");
    ++(ending == Ending::harmless ? harmless : caught);
  }
};

/// Tries one change of the program of every device at every place where `change` makes one.
template <typename Change>
Tally try_everywhere(const Plan& plan, Change change) {
  const std::vector<DeviceResult> right =
      test::run_to_end(test::make_devices(plan.program, plan.data));
  Tally tally;
  for (std::size_t rank = 0; rank < plan.program.devices.size(); ++rank) {
    for (std::size_t i = 0; i < plan.program.devices[rank].instructions.size(); ++i) {
      Program broken = plan.program;
      std::vector<Instruction>& list = broken.devices[rank].instructions;
      if (!change(list, i)) continue;
      INFO("device " << rank << ", instruction " << i);
      tally.add(ending_of(broken, plan, right));
    }
  }
  return tally;
}

Error check_error(const Plan& plan, const std::vector<DeviceResult>& results) {
  const auto report = check_gradients(plan.program, plan.data, results);
  REQUIRE(!report.ok());
  return report.error();
}

}  // namespace

TEST_CASE("an all-reduce that keeps a message in place of adding it is caught, wherever it does") {
  for (int devices = 2; devices <= 8; ++devices) {
    CAPTURE(devices);
    const Tally tally = try_everywhere(plan_of(small_data_parallel(devices)),
                                       [](std::vector<Instruction>& list, std::size_t i) {
                                         if (list[i].op != Op::receive_add) return false;
                                         list[i].op = Op::receive;
                                         return true;
                                       });
    CHECK(tally.caught == devices * (devices - 1));
    CHECK(tally.harmless == 0);
  }
}

TEST_CASE("an all-reduce that adds a message in place of keeping it is caught, wherever it does") {
  for (int devices = 2; devices <= 8; ++devices) {
    CAPTURE(devices);
    const Tally tally = try_everywhere(plan_of(small_data_parallel(devices)),
                                       [](std::vector<Instruction>& list, std::size_t i) {
                                         if (list[i].op != Op::receive) return false;
                                         list[i].op = Op::receive_add;
                                         return true;
                                       });
    CHECK(tally.caught == devices * (devices - 1));
    CHECK(tally.harmless == 0);
  }
}

TEST_CASE("a forgotten or wrong mean is caught on every device, and on all at once") {
  const Plan plan = plan_of(small_data_parallel(4));
  const Tally tally = try_everywhere(plan, [](std::vector<Instruction>& list, std::size_t i) {
    if (list[i].op != Op::scale) return false;
    list[i].denominator = 3;
    return true;
  });
  CHECK(tally.caught == 4);

  Program sum = plan.program;
  for (DeviceProgram& device : sum.devices) device.instructions.pop_back();
  const auto results = test::run_to_end(test::make_devices(sum, plan.data));
  const auto report = check_gradients(sum, plan.data, results);
  REQUIRE(report.ok());  // the devices agree, on the sum
  CHECK(!report.value().single_device.within_bound());
  CHECK(!report.value().finite_difference.within_bound());
  CHECK(!report.value().passed());
}

TEST_CASE("two instructions that change places are caught wherever it changes a number") {
  int caught = 0;
  int harmless = 0;
  for (const int devices : {2, 3, 4}) {
    const Plan plan = plan_of(small_data_parallel(devices));
    const int length = static_cast<int>(plan.program.devices[0].instructions.size());
    for (int distance = 1; distance < length; ++distance) {
      const Tally tally =
          try_everywhere(plan, [distance](std::vector<Instruction>& list, std::size_t i) {
            const std::size_t other = i + static_cast<std::size_t>(distance);
            if (other >= list.size() || list[i] == list[other]) return false;
            std::swap(list[i], list[other]);
            return true;
          });
      caught += tally.caught;
      harmless += tally.harmless;
    }
  }
  CHECK(caught > 3 * harmless);
  CHECK(harmless > 0);  // sends and receives of other chunks may change places
}

TEST_CASE("equal weights for unequal shares are caught") {
  RunConfig config = small_data_parallel(3);
  config.shares = {2, 4, 6};
  config.weighted = true;
  Plan plan = plan_of(config);
  for (DeviceProgram& device : plan.program.devices) {
    device.instructions.erase(device.instructions.begin() + 2);  // the weight
    device.instructions.back().denominator = 3;
  }
  const auto results = test::run_to_end(test::make_devices(plan.program, plan.data));
  CHECK(!check_gradients(plan.program, plan.data, results).value().passed());
}

TEST_CASE(
    "whatever program validates runs to its end or to a located error, and never passes wrong") {
  RunConfig pipeline = find_strategy("pipeline_parallel").value().defaults();
  pipeline.stages = 2;
  pipeline.microbatches = 2;
  pipeline.rows = 4;
  pipeline.widths = {2, 3, 2};
  int valid = 0;
  for (const RunConfig& config : {small_data_parallel(3), pipeline}) {
    const Plan plan = plan_of(config);
    const auto right = test::run_to_end(test::make_devices(plan.program, plan.data));
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
      CAPTURE(seed);
      Draw draw(seed);
      Program changed = plan.program;
      for (int changes = 1 + draw.below(3); changes > 0; --changes) {
        const int rank = draw.below(static_cast<int>(changed.devices.size()));
        auto& list = changed.devices[static_cast<std::size_t>(rank)].instructions;
        const int size = static_cast<int>(list.size());
        const auto at = list.begin() + draw.below(size);
        const auto other = list.begin() + draw.below(size);
        switch (draw.below(4)) {
          case 0:
            std::iter_swap(at, other);
            break;
          case 1:
            at->op = static_cast<Op>(draw.below(8));
            break;
          case 2:
            list.insert(at, Instruction(*other));
            break;
          default:
            at->tensor = test::drawn_tensor(draw);
        }
      }
      const Ending ending = ending_of(changed, plan, right);
      REQUIRE(ending != Ending::passed_unnoticed);
      valid += ending != Ending::refused;
    }
  }
  CHECK(valid > 500);
}

TEST_CASE("results that cannot be gradients of the run are refused") {
  const Plan plan = plan_of(small_data_parallel(3));
  const auto right = test::run_to_end(test::make_devices(plan.program, plan.data));
  REQUIRE(check_gradients(plan.program, plan.data, right).value().passed());

  std::vector<DeviceResult> results(right.begin(), right.begin() + 2);
  CHECK(check_error(plan, results).code == "wrong_results");
  results = right;
  results[1].gradient.pop_back();
  CHECK(check_error(plan, results).code == "wrong_results");
  CHECK(check_error(plan, results).where == "device 1");
  results = right;
  results[2].precision = Precision::float32;
  CHECK(check_error(plan, results).code == "wrong_results");
  results = right;
  results[2].loss_sums[0] = std::numeric_limits<double>::quiet_NaN();
  CHECK(check_error(plan, results).code == "not_finite");
  CHECK(check_error(plan, results).where == "device 2");
  results = right;
  const double bad = std::numeric_limits<double>::infinity();
  std::memcpy(results[1].gradient.data() + 21 * sizeof bad, &bad, sizeof bad);
  CHECK(check_error(plan, results).code == "not_finite");
  CHECK(check_error(plan, results).where == "device 1");
  results = right;
  results[2].gradient[22 * sizeof bad] ^= std::byte{1};  // 3 · 7 weights, then the bias
  CHECK(check_error(plan, results).code == "replicas_disagree");
  CHECK(check_error(plan, results).where == "device 2");
  CHECK(check_error(plan, results).message.find("layer 0 bias, row 1") != std::string::npos);
}

TEST_CASE("a wrong loss fails the check") {
  const Plan plan = plan_of(small_data_parallel(3));
  auto results = test::run_to_end(test::make_devices(plan.program, plan.data));
  results[1].loss_sums[0] *= 1 + 1e-12;
  CHECK(!check_gradients(plan.program, plan.data, results).value().passed());
  for (DeviceResult& result : results) result.loss_sums[0] = std::numeric_limits<double>::max();
  CHECK(!check_gradients(plan.program, plan.data, results).value().passed());
}

TEST_CASE("a stage that no device holds is missed") {
  const Program program = test::program_from(
      "program idle\n"
      "stages 2\n"
      "microbatches 1\n"
      "device 0 replica 0 stages 0\n");
  const TrainingSet data = {.model = MlpSpec{{2, 3, 1}}, .row_ranges = {{0, 4}}};
  const auto results = test::run_to_end(test::make_devices(program, data));
  const auto report = check_gradients(program, data, results);
  REQUIRE(!report.ok());
  CHECK(report.error().code == "missing_stage");
  CHECK(report.error().where == "layer 1 weight, row 0, column 0");
}

TEST_CASE("a part of a block that is not added up is caught, wherever it is") {
  RunConfig config = find_strategy("parallel_3d").value().defaults();
  config.microbatches = 1;
  config.rows = 2;
  config.transformer = {.vocabulary = 7, .sequence_length = 4, .hidden = 8, .heads = 2};
  const Plan plan = make_plan(config).value();
  int broken = 0;
  for (std::size_t rank = 0; rank < plan.program.devices.size(); ++rank) {
    const std::size_t count = plan.program.devices[rank].instructions.size();
    for (std::size_t i = 0; i < count; ++i) {
      Program program = plan.program;
      Instruction& instruction = program.devices[rank].instructions[i];
      if (instruction.op != Op::receive_add) continue;
      instruction.op = Op::receive;  // keeps the other's part, and forgets its own
      const auto results = test::run_to_end(test::make_devices(program, plan.data));
      const auto report = check_gradients(program, plan.data, results, {.finite_differences = 0});
      CAPTURE(rank, i);
      REQUIRE((!report.ok() || !report.value().passed()));
      ++broken;
    }
  }
  CHECK(broken > 40);
}

TEST_CASE("a device that has nothing to do does not disturb the check") {
  const Program program = test::program_from(
      "program idle\n"
      "stages 1\n"
      "microbatches 1\n"
      "device 0 replica 0 stages\n"
      "device 1 replica 0 stages 0\n"
      "  forward stage 0 microbatch 0\n"
      "  backward stage 0 microbatch 0\n");
  const TrainingSet data = {.model = MlpSpec{{2, 3, 1}}, .row_ranges = {{0, 4}}};
  const auto results = test::run_to_end(test::make_devices(program, data));
  const auto report = check_gradients(program, data, results);
  REQUIRE(report.ok());
  CHECK(report.value().single_device.bit_equal);
  CHECK(!report.value().has_parameters);
}
