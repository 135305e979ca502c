// A schedule with its program, when everything in it happens, and what is held meanwhile.
#pragma once

#include <span>
#include <vector>

#include "core/result.h"
#include "cost/memory.h"
#include "cost/simulate.h"
#include "schedule/schedule.h"

namespace lockstep {

struct TimedSchedule {
  Schedule schedule;
  Program program;
  Durations durations;
  Timeline simulation;
  std::vector<StageBytes> bytes;     ///< as given; empty: only activations are counted
  std::vector<DeviceMemory> memory;  ///< by rank
};

/// Lowers and simulates `schedule`, which should have no faults (validate_schedule). Errors: those
/// of simulate and memory_of.
Result<TimedSchedule> timed_schedule(Schedule schedule, Durations durations,
                                     std::span<const StageBytes> bytes = {});

}  // namespace lockstep
