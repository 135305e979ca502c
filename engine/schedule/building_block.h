// Schedules in a V that repeat one building block every six slots, by which their memory is chosen
// (Qi et al. 2024, "Pipeline Parallelism with Controllable Memory", section 3).
#pragma once

#include <array>

#include "schedule/schedule.h"

namespace lockstep {

/// When the passes of one microbatch stand, in slots of one forward, input or weight gradient of a
/// chunk. The passes: forward down the ranks (stages 0 … p−1), forward back up (p … 2p−1), input
/// gradient down, input gradient back up; weight gradients take the slots that are left.
struct BuildingBlock {
  std::array<int, 4> step = {};  ///< slots from a rank to the next one, of each pass
  std::array<int, 3> turn = {};  ///< slots from the end of a pass to the start of the next
  int memory = 1;                ///< chunk activations that a rank keeps at most
};

/// Fills a v_schedule: each rank does its forwards and input gradients in the order of their slots,
/// as soon as it can, for equal times. Where it would wait, and before a forward for which it has
/// no memory left, it does the weight gradient that has waited longest.
void repeat_block(const BuildingBlock& block, const ScheduleShape& shape, Schedule& schedule);

}  // namespace lockstep
