// All devices of a run in one thread, with everything that chance decides on a real cluster, which
// device works next and which message arrives next, drawn from a seed instead. A run is replayed
// exactly by its seed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "device/device.h"
#include "device/fault_plan.h"

namespace lockstep {

/// A step of a lesson takes a few thousand ticks; the largest program that validates, 64 devices
/// with 1024 microbatches, takes about a million.
inline constexpr std::int64_t kTicksMax = 100'000'000;

struct LocalOptions {
  std::uint64_t delivery_seed = 0;
  std::int64_t ticks_max = kTicksMax;
  FaultPlan faults = {};  ///< with any, the run ends by fault_deadline at the latest
};

/// Why a run ended early, for a program: who is at fault as far as the others can tell.
struct FaultError {
  int device = 0;          ///< rank
  std::uint32_t step = 0;  ///< of training, where the device that noticed it stood
  std::string kind;        ///< the code of the error
  std::uint64_t seed = 0;  ///< of the fault plan

  bool operator==(const FaultError&) const = default;
};

struct LocalRun {
  std::vector<Device> devices;       ///< by rank, as they stood at the end
  std::optional<Error> error;        ///< why the run ended early; `where` names the device
  std::optional<FaultError> fault;   ///< the same, where a device can be named
  std::vector<PlannedFault> struck;  ///< those of the plan that found what to strike
  std::int64_t ticks = 0;            ///< steps tried and messages delivered
  std::uint64_t trace_hash = 0;      ///< 64-bit FNV-1a over all that happened, in order
};

/// Runs `devices` (one for each rank, as Device::make gave them) to the end. At each tick either a
/// device that may go on takes a step or one message on its way, any of them, arrives. Errors: what
/// a device fails with or refuses (the sender is at fault); `deadlock`, when all that are left
/// wait; `ticks_used_up`. With a fault plan also: those of check_fault_plan, and then nothing runs;
/// out_of_memory; and, once nothing goes on or at the deadline, device_crashed; device_hung, of the
/// device that let most turns pass; message_lost, of the sender of a message that a device waits
/// for and that was sent.
LocalRun run_local_cluster(std::vector<Device> devices, const LocalOptions& options);

}  // namespace lockstep
