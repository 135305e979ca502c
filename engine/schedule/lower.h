// From the order of work to a program: puts in the sends and receives.
#pragma once

#include <vector>

#include "program/messages.h"
#include "program/program.h"
#include "schedule/schedule.h"

namespace lockstep {

/// The program that does `schedule`: an activation or its gradient is sent right after it is made
/// and received right before it is used (of a pair that overlaps, all receives come first and all
/// sends last); stages on one rank pass theirs on without a message. A
/// schedule without faults gives a program without faults. Of one with faults (a cell on a rank
/// that does not hold its stage, say) it makes what it can, with the same faults: ask validate.
Program lower(const Schedule& schedule);

/// Where the pairs of `schedule` that overlap begin in `program`, which must be lower(schedule):
/// the places of their forwards, each with its backward right after it.
std::vector<InstructionPlace> overlapping_pairs(const Schedule& schedule, const Program& program);

}  // namespace lockstep
