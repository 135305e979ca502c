#include "cost/timed_schedule.h"

#include <utility>

#include "schedule/lower.h"

namespace lockstep {

Result<TimedSchedule> timed_schedule(Schedule schedule, Durations durations,
                                     std::span<const StageBytes> bytes) {
  Program program = lower(schedule);
  Result<Timeline> simulation = simulate(program, durations, overlapping_pairs(schedule, program));
  if (!simulation.ok()) return simulation.error();
  constexpr StageBytes kNone;
  Result<std::vector<DeviceMemory>> memory =
      memory_of(program, simulation.value(), bytes.empty() ? std::span(&kNone, 1) : bytes);
  if (!memory.ok()) return memory.error();
  return TimedSchedule{.schedule = std::move(schedule),
                       .program = std::move(program),
                       .durations = std::move(durations),
                       .simulation = std::move(simulation).value(),
                       .bytes = {bytes.begin(), bytes.end()},
                       .memory = std::move(memory).value()};
}

}  // namespace lockstep
