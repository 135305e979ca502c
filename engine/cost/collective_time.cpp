#include "cost/collective_time.h"

#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

namespace lockstep {

Program collective_program(const CollectiveRow& row, int devices) {
  Program program{.name = std::string(row.name)};
  program.devices.resize(static_cast<std::size_t>(devices));
  std::vector<int> group(static_cast<std::size_t>(devices));
  std::iota(group.begin(), group.end(), 0);
  row.append(program, group, kDeviceGradient);
  return program;
}

Result<TimedCollective> time_collective(const CollectiveRow& row, int devices,
                                        const CollectiveLink& link) {
  const Durations durations = {
      .link = {.startup = link.latency, .per_byte = Rational(1) / link.bandwidth},
      .bytes = {.gradient = link.bytes, .blocks = link.bytes * Rational(devices)}};
  const Result<Timeline> timeline = simulate(collective_program(row, devices), durations);
  if (!timeline.ok()) return timeline.error();
  return TimedCollective{row, devices, link, timeline.value().time(timeline.value().makespan)};
}

}  // namespace lockstep
