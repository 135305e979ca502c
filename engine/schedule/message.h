// The sends and receives of schedules with communication as instructions of programs.
#pragma once

#include <vector>

#include "program/program.h"
#include "schedule/communication.h"

namespace lockstep {

/// The stage at the other end of a send or a receive; it may be none of the schedule.
int other_stage(const CommunicationAction& message);

/// The send that a receive waits for, or the receive that takes a send.
CommunicationAction other_end(const CommunicationAction& message);

/// The program that does a schedule, and which of its rank's actions each instruction is.
struct TracedProgram {
  Program program;
  std::vector<std::vector<int>> actions;  ///< by rank and instruction
};

/// The program of a schedule that may have faults: of these it leaves out messages of stages that
/// do not exist, or between stages on one rank. `work` must be work_of(schedule).
TracedProgram trace_program(const CommunicationSchedule& schedule, const Schedule& work);

}  // namespace lockstep
