// A simulated schedule for the terminal: who works when, and the figures that are asked for.
#pragma once

#include <string>

#include "json/schedule_json.h"

namespace lockstep::cli {

/// Comment lines ("# …"), so that they can stand below a grid: a chart of simulated time where it
/// fits the terminal, the makespan, the bubble by each measure and the activations in flight.
std::string schedule_chart(const TimedSchedule& timed);

}  // namespace lockstep::cli
