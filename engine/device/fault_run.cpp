#include "device/fault_run.h"

namespace lockstep {

FaultRun run_with_faults(std::span<const Device> devices, const FaultPlan& plan,
                         const std::vector<DeviceResult>& expected) {
  FaultRun result{.plan = plan, .run = {}};
  result.run = run_local_cluster({devices.begin(), devices.end()},
                                 {.delivery_seed = plan.seed, .faults = plan});
  if (result.run.error) {
    result.outcome = FaultRunOutcome::error;
  } else if (results_of(result.run.devices) == expected) {
    result.outcome = FaultRunOutcome::right;
  }
  return result;
}

}  // namespace lockstep
