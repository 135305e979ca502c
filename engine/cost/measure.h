// A timeline out of what the clocks of devices have seen.
#pragma once

#include <span>
#include <vector>

#include "core/result.h"
#include "cost/timeline.h"
#include "program/program.h"

namespace lockstep {

/// When a device ran an instruction: milliseconds, from a zero that all devices share.
struct MeasuredSpan {
  int instruction = 0;  ///< index in the device's list
  double start_ms = 0;
  double end_ms = 0;
};

/// Clocks are read in fractions of a millisecond; no browser tells finer than this.
inline constexpr std::int64_t kMeasuredTicksPerMs = 1000;

/// The timeline of `program` as it was measured: `spans` by rank, one for each instruction in the
/// order of the list. Its zero is the earliest start, its tick 1/1000 ms. A receive lasts from when
/// its message is there: waiting is idle time between spans. Errors, at "device 2, span 5":
/// out_of_range (a time that is no finite number, ends before it starts or is longer than a day),
/// out_of_order, missing_span, unexpected_span.
Result<Timeline> measured_timeline(const Program& program,
                                   std::span<const std::vector<MeasuredSpan>> spans);

}  // namespace lockstep
