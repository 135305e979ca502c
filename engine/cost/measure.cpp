#include "cost/measure.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

namespace lockstep {
namespace {

/// A run takes seconds; what seems to take longer is no measurement.
constexpr double kLongestMs = 24.0 * 3600 * 1000;

Error fault(std::string code, std::size_t rank, std::size_t span, std::string message) {
  return {std::move(code), "device " + std::to_string(rank) + ", span " + std::to_string(span),
          std::move(message)};
}

Status check_count(std::size_t rank, std::size_t expected, std::size_t given) {
  if (given == expected) return fine();
  const std::string counts = "The device has " + std::to_string(expected) + " instructions, and " +
                             std::to_string(given) + " were measured.";
  return given < expected ? fault("missing_span", rank, given, counts)
                          : fault("unexpected_span", rank, expected, counts);
}

Status check_span(std::size_t rank, std::size_t index, const MeasuredSpan& span, double zero_ms) {
  if (span.instruction != static_cast<int>(index)) {
    return fault("out_of_order", rank, index,
                 "This is instruction " + std::to_string(span.instruction) + ", but instruction " +
                     std::to_string(index) + " is next.");
  }
  const double length_ms = span.end_ms - span.start_ms;
  const bool is_time =
      span.start_ms - zero_ms >= 0 && span.end_ms - zero_ms <= kLongestMs && length_ms >= 0;
  if (is_time) return fine();
  return fault("out_of_range", rank, index, "This is no time that a run can take.");
}

double earliest_start(std::span<const std::vector<MeasuredSpan>> spans) {
  double zero_ms = std::numeric_limits<double>::infinity();
  for (const std::vector<MeasuredSpan>& device : spans) {
    for (const MeasuredSpan& span : device) zero_ms = std::min(zero_ms, span.start_ms);
  }
  return zero_ms;
}

}  // namespace

Result<Timeline> measured_timeline(const Program& program,
                                   std::span<const std::vector<MeasuredSpan>> spans) {
  if (spans.size() != program.devices.size()) {
    return Error{"missing_span", "devices",
                 "The run has " + std::to_string(program.devices.size()) + " devices, and " +
                     std::to_string(spans.size()) + " were measured."};
  }
  const double zero_ms = earliest_start(spans);
  const auto ticks = [zero_ms](double time_ms) {
    return static_cast<Ticks>((time_ms - zero_ms) * double{kMeasuredTicksPerMs} + 0.5);
  };
  Timeline timeline;
  timeline.tick = Rational(1, kMeasuredTicksPerMs);
  for (std::size_t rank = 0; rank < spans.size(); ++rank) {
    const DeviceProgram& device = program.devices[rank];
    const Status count = check_count(rank, device.instructions.size(), spans[rank].size());
    if (!count.ok()) return count.error();
    std::vector<TimeSpan>& list = timeline.spans.emplace_back();
    Ticks free_from = 0;
    for (std::size_t i = 0; i < spans[rank].size(); ++i) {
      const Status checked = check_span(rank, i, spans[rank][i], zero_ms);
      if (!checked.ok()) return checked.error();
      const Ticks end = std::max(free_from, ticks(spans[rank][i].end_ms));
      list.push_back({std::max(free_from, ticks(spans[rank][i].start_ms)), end});
      free_from = end;
    }
    timeline.makespan = std::max(timeline.makespan, free_from);
    timeline.devices.push_back(device_times(device, list));
  }
  return timeline;
}

}  // namespace lockstep
