#include "cost/timeline.h"

#include <algorithm>
#include <cstddef>

#include "program/instruction.h"

namespace lockstep {

std::optional<Bubbles> bubbles(const Timeline& timeline) {
  Rational work = 0;
  const DeviceTimes* longest = nullptr;
  const auto span = [](const DeviceTimes& times) { return times.last_end - times.first_start; };
  for (const DeviceTimes& device : timeline.devices) {
    work += timeline.time(device.busy);
    if (device.busy == 0) continue;
    if (longest == nullptr || span(device) > span(*longest)) longest = &device;
  }
  if (longest == nullptr) return std::nullopt;
  const Rational devices(static_cast<std::int64_t>(timeline.devices.size()));
  const Rational total = timeline.time(timeline.makespan) * devices;
  const Rational in_span = timeline.time(span(*longest) - longest->busy);
  return Bubbles{.of_total = (total - work) / total,
                 .of_ideal = (total - work) / work,
                 .in_span = in_span,
                 .span_of_ideal = in_span / timeline.time(longest->busy)};
}

DeviceTimes device_times(const DeviceProgram& device, const std::vector<TimeSpan>& spans) {
  DeviceTimes times;
  bool any_work = false;
  bool any_backward = false;
  int until_weight = 0;
  int until_input = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const Op op = device.instructions[i].op;
    if (!is_stage_work(op)) continue;
    times.busy += spans[i].end - spans[i].start;
    if (!any_work) times.first_start = spans[i].start;
    times.last_end = spans[i].end;
    any_work = true;
    if (op == Op::forward) {
      times.peak_until_weight_gradient = std::max(times.peak_until_weight_gradient, ++until_weight);
      times.peak_until_input_gradient = std::max(times.peak_until_input_gradient, ++until_input);
    }
    any_backward = any_backward || op != Op::forward;
    if (op == Op::backward || op == Op::backward_weight) --until_weight;
    if (op == Op::backward || op == Op::backward_input) --until_input;
  }
  if (!any_backward) times.peak_until_weight_gradient = times.peak_until_input_gradient = 0;
  return times;
}

}  // namespace lockstep
