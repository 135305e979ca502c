// A simulated schedule for the terminal: who works when, and the figures that are asked for.
#pragma once

#include <string>

#include "cost/timed_schedule.h"

namespace lockstep::cli {

/// Comment lines ("# …"), so that they can stand below a grid: a chart of simulated time where it
/// fits the terminal, the makespan, the bubble by each measure, the activations in flight and,
/// where bytes are given, what each device holds at most.
std::string schedule_chart(const TimedSchedule& timed);

}  // namespace lockstep::cli
