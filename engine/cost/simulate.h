// When everything in a program happens: an exact event simulation, without tensors. Times are
// simulated, in the unit of the durations that are given; they say nothing of this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/rational.h"
#include "core/result.h"
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

/// A point or length of simulated time, as a multiple of Simulation::tick.
using Ticks = std::int64_t;

/// From when to when a device was at an instruction. Sends and scales take no time; a receive lasts
/// as long as the device waits in it.
struct TimeSpan {
  Ticks start = 0;
  Ticks end = 0;

  bool operator==(const TimeSpan&) const = default;
};

/// What one device did. Activations in flight are counted in (stage, microbatch) pairs whose
/// forward is done and whose memory is not free yet.
struct DeviceTimes {
  Ticks busy = 0;                      ///< in stage work
  Ticks first_start = 0;               ///< of its stage work; 0 if it has none
  Ticks last_end = 0;                  ///< of its stage work; 0 if it has none
  int peak_until_weight_gradient = 0;  ///< freed by backward or backward_weight
  int peak_until_input_gradient = 0;   ///< freed by backward or backward_input

  bool operator==(const DeviceTimes&) const = default;
};

struct Simulation {
  Rational tick;                             ///< length of one tick, in the unit of the durations
  Ticks makespan = 0;                        ///< from 0 to the end of the last instruction
  std::vector<std::vector<TimeSpan>> spans;  ///< by rank and instruction
  std::vector<DeviceTimes> devices;          ///< by rank

  Rational time(Ticks ticks) const { return tick * Rational(ticks); }
};

/// The idle share of a simulation, by each of the three measures that are in use. They differ, so
/// always say which: 4 stages and 8 microbatches are 3/11 of the total and 3/8 of the ideal.
struct Bubbles {
  Rational of_total;       ///< idle / (makespan · devices): GPipe's
  Rational of_ideal;       ///< idle / work, which is what no idling would take: Megatron's
  Rational in_span;        ///< a time: the longest first start to last end, minus its own work;
                           ///< Zero Bubble's, which leaves out the skew between stages
  Rational span_of_ideal;  ///< in_span / that device's work
};

/// Times `program`, which should have no faults (validate). A device works through its list; a send
/// does not block; a message is there `latency` after its send. Exact: durations become whole
/// numbers of a common tick. Linear in the number of instructions.
/// Errors: out_of_range (a negative duration, a stage without one), too_large (the sum of all
/// durations in ticks is past 2^62), deadlock (the program does not end).
Result<Simulation> simulate(const Program& program, const Durations& durations);

/// The bubbles of a simulation, unless no device was ever busy.
std::optional<Bubbles> bubbles(const Simulation& simulation);

}  // namespace lockstep
