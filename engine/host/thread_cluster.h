// All devices of a run natively, one thread each, with measured time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/result.h"
#include "device/device.h"

namespace lockstep {

/// One instruction as it was measured; nanoseconds since the run began (std::chrono::steady_clock).
/// Waiting is the gap before a receive.
struct MeasuredSpan {
  int instruction = 0;  ///< index in the device's list
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
};

struct ThreadOptions {
  std::optional<std::chrono::nanoseconds> deadline = std::nullopt;  ///< for the whole run
  std::stop_token cancel = {};  ///< ends the run early when asked to stop
};

struct ThreadRun {
  std::vector<Device> devices;                   ///< by rank, as they stood at the end
  std::vector<std::vector<MeasuredSpan>> spans;  ///< by rank
  std::optional<Error> error;  ///< why the run ended early; `where` names the device
  std::int64_t duration_ns = 0;
};

/// Runs `devices` (one for each rank, as Device::make gave them) to the end, each in its own
/// thread. The first device that fails or refuses a message stops all. Errors: those of the
/// devices, `deadline_passed`, `cancelled`. Where no deadline is given a program that validates
/// still ends.
ThreadRun run_thread_cluster(std::vector<Device> devices, const ThreadOptions& options);

}  // namespace lockstep
