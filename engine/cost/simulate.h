// When everything in a program happens: an exact event simulation, without tensors. Times are
// simulated, in the unit of the durations that are given; they say nothing of this machine.
#pragma once

#include <vector>

#include "core/rational.h"
#include "core/result.h"
#include "cost/timeline.h"
#include "program/program.h"

namespace lockstep {

/// How long one stage works on one microbatch; all at least 0. A whole backward takes both halves.
/// The default is the usual picture: forward, input gradient and weight gradient take equally long.
struct StageTimes {
  Rational forward = 1;
  Rational backward_input = 1;
  Rational backward_weight = 1;
};

/// How long things take, in any one unit.
struct Durations {
  std::vector<StageTimes> stages = {StageTimes{}};  ///< by stage; a single one holds for all
  Rational latency = 0;  ///< from the end of a send to its arrival at another device; at least 0
};

/// Times `program`, which should have no faults (validate). A device works through its list; a send
/// does not block; a message is there `latency` after its send. Exact: durations become whole
/// numbers of a common tick. Linear in the number of instructions.
/// Errors: out_of_range (a negative duration, a stage without one), too_large (the sum of all
/// durations in ticks is past 2^62), deadlock (the program does not end).
Result<Timeline> simulate(const Program& program, const Durations& durations);

}  // namespace lockstep
