// Many runs with faults drawn from seeds, over runs of several kinds, with the count of what came
// of them.
#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "device/fault_run.h"
#include "strategy/strategy.h"
#include "support/runs.h"

namespace lockstep::test {

struct SoakRun {
  std::vector<Device> devices;
  std::vector<DeviceResult> expected;
};

inline SoakRun soak_run(const RunConfig& config) {
  const Result<Plan> plan = make_plan(config);
  if (!plan.ok()) FAIL(plan.error().where << ": " << plan.error().message);
  SoakRun run{make_devices(plan.value().program, plan.value().data), {}};
  run.expected = run_to_end(run.devices);
  return run;
}

/// Data parallel on 1 to 8 devices, and pipelines of several schedules; small, so that they are
/// fast.
inline std::vector<SoakRun> soak_runs() {
  std::vector<SoakRun> runs;
  for (int devices = 1; devices <= 8; ++devices) {
    RunConfig config = find_strategy("data_parallel").value().defaults();
    config.widths = {3, 5, 2};
    config.devices = devices;
    config.rows = devices;
    runs.push_back(soak_run(config));
  }
  for (const char* schedule : {"gpipe", "one_f_one_b", "zb_h1", "looped_bfs"}) {
    RunConfig config = find_strategy("pipeline_parallel").value().defaults();
    config.widths = {2, 2, 2, 2, 2};
    config.schedule = schedule;
    config.stages = schedule == std::string_view("looped_bfs") ? 2 : 4;
    config.chunks = 4 / config.stages;
    config.microbatches = 4;
    config.rows = 4;
    runs.push_back(soak_run(config));
  }
  return runs;
}

struct SoakCount {
  int runs = 0, right = 0, error = 0;
};

/// What is wrong with how a run with faults ended, or nothing: a wrong number, an end after the
/// deadline, an error without a device or one that names a device that no fault struck, a fault of
/// an error kind alone that is not found.
inline std::string soak_fault(const FaultRun& run, std::span<const Device> devices) {
  if (run.outcome == FaultRunOutcome::wrong) return "a wrong number and no error";
  if (run.run.ticks > fault_deadline(devices, run.plan.faults.size())) return "after the deadline";
  const std::vector<PlannedFault>& struck = run.run.struck;
  if (run.outcome == FaultRunOutcome::error) {
    if (!run.run.fault) return "no device is named: " + run.run.error->message;
    if (run.run.fault->seed != run.plan.seed) return "another seed";
    if (std::ranges::find(struck, run.run.fault->device, &PlannedFault::device) == struck.end()) {
      return "device " + std::to_string(run.run.fault->device) + " is named and had no fault";
    }
  }
  if (struck.size() != 1) return "";
  const FaultKindRow& row = fault_kinds()[static_cast<std::size_t>(struck[0].kind)];
  if (row.outcome == FaultOutcome::right && run.run.error) return "an error of a harmless fault";
  if (row.outcome == FaultOutcome::error && !run.run.error) return "a fault was not found";
  if (run.run.error && !row.code.empty() && row.code != run.run.fault->kind) {
    return "the error is " + run.run.fault->kind;
  }
  return "";
}

/// Tries the seeds [first, end), each on one of the runs, and prints what came of each kind.
inline void soak(std::uint64_t first, std::uint64_t end) {
  const std::vector<SoakRun> runs = soak_runs();
  std::vector<SoakCount> counts(fault_kinds().size());
  for (std::uint64_t seed = first; seed < end; ++seed) {
    const SoakRun& base = runs[seed % runs.size()];
    const FaultRun run =
        run_with_faults(base.devices, draw_fault_plan(seed, base.devices), base.expected);
    const std::string wrong = soak_fault(run, base.devices);
    if (!wrong.empty()) FAIL("seed " << seed << ", run " << seed % runs.size() << ": " << wrong);
    for (const PlannedFault& fault : run.run.struck) {
      SoakCount& count = counts[static_cast<std::size_t>(fault.kind)];
      ++count.runs;
      ++(run.run.error ? count.error : count.right);
    }
  }
  std::printf("kind of fault      struck   right   error\n");
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    const SoakCount& count = counts[kind];
    std::printf("%-17s  %6d  %6d  %6d\n", std::string(fault_kinds()[kind].name).c_str(), count.runs,
                count.right, count.error);
    CHECK(count.runs > 0);
  }
  std::printf("%llu runs, no wrong number, every error names a device that had a fault\n",
              static_cast<unsigned long long>(end - first));
}

}  // namespace lockstep::test
