// A run with faults, held against the run without them.
#pragma once

#include <span>
#include <vector>

#include "device/device.h"
#include "device/fault_plan.h"
#include "device/local_cluster.h"

namespace lockstep {

enum class FaultRunOutcome {
  right,  ///< every result is that of the run without faults, bit for bit
  error,  ///< the run ended with an error
  wrong,  ///< neither, which must never be
};

struct FaultRun {
  FaultPlan plan;
  LocalRun run;
  FaultRunOutcome outcome = FaultRunOutcome::wrong;
};

/// Runs copies of `devices` with the faults of `plan`, whose seed also draws the order of delivery,
/// and compares them with `expected`, the results of the run without faults.
FaultRun run_with_faults(std::span<const Device> devices, const FaultPlan& plan,
                         const std::vector<DeviceResult>& expected);

}  // namespace lockstep
