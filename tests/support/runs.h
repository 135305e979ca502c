// Runs for tests: devices of a plan, made and run.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "device/device.h"
#include "device/local_cluster.h"
#include "model/training_set.h"
#include "program/program.h"

namespace lockstep::test {

/// All devices of a run, which must be fine.
inline std::vector<Device> make_devices(const Program& program, const TrainingSet& data) {
  std::vector<Device> devices;
  for (int rank = 0; rank < static_cast<int>(program.devices.size()); ++rank) {
    Result<Device> device = Device::make(program, data, rank);
    REQUIRE(device.ok());
    devices.push_back(std::move(device).value());
  }
  return devices;
}

/// Results of a run in the local cluster, which must end well.
inline std::vector<DeviceResult> run_to_end(std::vector<Device> devices, std::uint64_t seed = 0) {
  const LocalRun run = run_local_cluster(std::move(devices), {.delivery_seed = seed});
  if (run.error) FAIL(run.error->where << ": " << run.error->message);
  return results_of(run.devices);
}

/// Steps a device until it cannot go on.
inline StepResult step_until_stopped(Device& device) {
  StepResult result = device.step();
  while (std::holds_alternative<Ran>(result)) result = device.step();
  return result;
}

}  // namespace lockstep::test
