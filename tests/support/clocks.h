// Clocks for tests, which tell what they are told to.
#pragma once

#include <cstddef>
#include <vector>

#include "cost/measure.h"
#include "cost/timeline.h"
#include "program/instruction.h"
#include "program/program.h"

namespace lockstep::test {

using Measured = std::vector<std::vector<MeasuredSpan>>;

/// What clocks would tell if a run took its simulated times, with ticks of `tick_ms`: a receive's
/// message is there at its end.
inline Measured clocked(const Program& program, const Timeline& simulated, double zero_ms,
                        double tick_ms) {
  Measured spans(program.devices.size());
  for (std::size_t rank = 0; rank < spans.size(); ++rank) {
    const auto& list = program.devices[rank].instructions;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const TimeSpan& span = simulated.spans[rank][i];
      const auto ms = [&](Ticks ticks) { return zero_ms + static_cast<double>(ticks) * tick_ms; };
      const Ticks start = is_receive(list[i].op) ? span.end : span.start;
      spans[rank].push_back({static_cast<int>(i), ms(start), ms(span.end)});
    }
  }
  return spans;
}

}  // namespace lockstep::test
