// All devices of a run in one thread, with everything that chance decides on a real cluster, which
// device works next and which message arrives next, drawn from a seed instead. A run is replayed
// exactly by its seed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/result.h"
#include "device/device.h"

namespace lockstep {

/// A step of a lesson takes a few thousand ticks; the largest program that validates, 64 devices
/// with 1024 microbatches, takes about a million.
inline constexpr std::int64_t kTicksMax = 100'000'000;

struct LocalOptions {
  std::uint64_t delivery_seed = 0;
  std::int64_t ticks_max = kTicksMax;
};

struct LocalRun {
  std::vector<Device> devices;   ///< by rank, as they stood at the end
  std::optional<Error> error;    ///< why the run ended early; `where` names the device
  std::int64_t ticks = 0;        ///< steps tried and messages delivered
  std::uint64_t trace_hash = 0;  ///< 64-bit FNV-1a over all that happened, in order
};

/// Runs `devices` (one for each rank, as Device::make gave them) to the end. At each tick either a
/// device that may go on takes a step or one message on its way, any of them, arrives. Errors: what
/// a device fails with or refuses; `deadlock`, when all that are left wait; `ticks_used_up`.
LocalRun run_local_cluster(std::vector<Device> devices, const LocalOptions& options);

}  // namespace lockstep
