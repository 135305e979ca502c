// A simulated schedule as a trace: what each rank does from when to when, which messages go from
// where to where, and what is held meanwhile. engine/json writes it in the format of trace viewers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/rational.h"
#include "cost/timed_schedule.h"

namespace lockstep {

/// One end of a message; both ends have the number and the name.
struct TraceMessage {
  int number = 0;    ///< from 0, in the order of sending ranks and their lists
  std::string name;  ///< "activation stage 0 microbatch 3"
};

/// A cell of the schedule. Times are simulated, in the unit of the durations.
struct TraceSlice {
  std::string name;           ///< "2F0", or "(2F1;5B0)OVERLAP_F_B" of a pair that overlaps
  std::string_view category;  ///< forward, backward, backward_input, backward_weight or overlap
  Rational start;
  Rational end;
  std::vector<TraceMessage> received;  ///< what it waited for: used at its start
  std::vector<TraceMessage> sent;      ///< sent at its end
};

/// From this time on so many activations are in flight (DeviceTimes), until their weight gradient.
struct TraceCount {
  Rational time;
  int activations = 0;
};

/// What a rank does, in order; slices do not overlap.
struct TraceTrack {
  std::string name;  ///< "rank 1: stages 1, 3"
  std::vector<TraceSlice> slices;
  std::vector<TraceCount> counts;  ///< the first at time 0, then at later and later times
};

struct Trace {
  std::string name;  ///< of the schedule
  Rational makespan;
  std::vector<TraceTrack> tracks;  ///< by rank
};

/// The trace of a schedule without faults (validate_schedule).
Trace make_trace(const TimedSchedule& timed);

}  // namespace lockstep
