// When everything in a program happens, as a simulation computes it (simulate.h) or as clocks have
// seen it (measure.h). The two are never mixed in one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/rational.h"
#include "program/program.h"

namespace lockstep {

/// A point or length of time, as a multiple of Timeline::tick.
using Ticks = std::int64_t;

/// From when to when a device was at an instruction. In simulated time a receive lasts as long as
/// the device waits in it, and sends and scales take none; in measured time waiting is in no span.
struct TimeSpan {
  Ticks start = 0;
  Ticks end = 0;

  bool operator==(const TimeSpan&) const = default;
};

/// What one device did. Activations in flight are counted in (stage, microbatch) pairs whose
/// forward is done and whose memory is not free yet; a device without any backward keeps none.
struct DeviceTimes {
  Ticks busy = 0;                      ///< in stage work
  Ticks first_start = 0;               ///< of its stage work; 0 if it has none
  Ticks last_end = 0;                  ///< of its stage work; 0 if it has none
  int peak_until_weight_gradient = 0;  ///< freed by backward or backward_weight
  int peak_until_input_gradient = 0;   ///< freed by backward or backward_input

  bool operator==(const DeviceTimes&) const = default;
};

/// When everything in a program happened, in simulated or in measured time.
struct Timeline {
  Rational tick;       ///< length of one tick, in the unit of the durations or in ms
  Ticks makespan = 0;  ///< from 0 to the end of the last instruction
  std::vector<std::vector<TimeSpan>> spans;  ///< by rank and instruction
  std::vector<DeviceTimes> devices;          ///< by rank

  Rational time(Ticks ticks) const { return tick * Rational(ticks); }
};

/// The idle share of a timeline, by each of the three measures that are in use. They differ, so
/// always say which: 4 stages and 8 microbatches are 3/11 of the total and 3/8 of the ideal.
struct Bubbles {
  Rational of_total;       ///< idle / (makespan · devices): GPipe's
  Rational of_ideal;       ///< idle / work, which is what no idling would take: Megatron's
  Rational in_span;        ///< a time: the longest first start to last end, minus its own work;
                           ///< Zero Bubble's, which leaves out the skew between stages
  Rational span_of_ideal;  ///< in_span / that device's work
};

/// The bubbles of a timeline, unless no device was ever busy.
std::optional<Bubbles> bubbles(const Timeline& timeline);

/// What a device did in all, from the spans of its instructions.
DeviceTimes device_times(const DeviceProgram& device, const std::vector<TimeSpan>& spans);

}  // namespace lockstep
