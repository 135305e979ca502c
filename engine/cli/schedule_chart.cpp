#include "cli/schedule_chart.h"

#include <algorithm>
#include <vector>

#include "core/decimal.h"
#include "cost/lower_bound.h"
#include "program/instruction.h"
#include "schedule/action.h"

namespace lockstep::cli {
namespace {

constexpr std::size_t kChartColumnsMax = 160;  ///< of a wide terminal
constexpr NumberStyle kAscii{.ascii = true};

bool one_stage_a_rank(const Schedule& schedule) {
  return schedule.stage_rank.size() == schedule.ranks.size() && schedule.second_half_rank.empty();
}

/// "F3", or "2F3" where a device holds several stages.
std::string label(const Schedule& schedule, const Instruction& work) {
  const std::string text = to_text(action_of(work));
  return one_stage_a_rank(schedule) ? text.substr(text.find_first_of("FBIW")) : text;
}

/// The rows of the chart, one cell a tick; empty when it is too wide to read.
std::vector<std::string> chart_rows(const TimedSchedule& timed) {
  std::size_t cell = 0;
  for (const DeviceProgram& device : timed.program.devices) {
    for (const Instruction& work : device.instructions) {
      if (is_stage_work(work.op)) cell = std::max(cell, label(timed.schedule, work).size() + 1);
    }
  }
  const auto ticks = static_cast<std::size_t>(timed.simulation.makespan);
  if (cell == 0 || ticks > kChartColumnsMax / cell) return {};
  std::vector<std::string> rows;
  for (std::size_t rank = 0; rank < timed.program.devices.size(); ++rank) {
    std::string row;
    for (std::size_t tick = 0; tick < ticks; ++tick) row += "." + std::string(cell - 1, ' ');
    const std::vector<Instruction>& list = timed.program.devices[rank].instructions;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const TimeSpan span = timed.simulation.spans[rank][i];
      if (!is_stage_work(list[i].op) || span.start == span.end) continue;
      std::string text = label(timed.schedule, list[i]);
      text.resize(static_cast<std::size_t>(span.end - span.start) * cell - 1, '-');
      row.replace(static_cast<std::size_t>(span.start) * cell, text.size(), text);
    }
    rows.push_back(row.substr(0, row.find_last_not_of(' ') + 1));
  }
  return rows;
}

std::string exact_and_rounded(const Rational& value) {
  std::string text = fraction_text(value, kAscii);
  if (!value.is_whole()) text += " = " + fixed_text(value, 3, kAscii);
  return text;
}

std::string peaks(const Timeline& simulation, int DeviceTimes::*peak) {
  std::string text;
  for (const DeviceTimes& device : simulation.devices) {
    text += (text.empty() ? "" : ", ") + std::to_string(device.*peak);
  }
  return text;
}

/// One number where all stages take equally long, else one a stage.
std::string times_text(const Durations& durations, Rational (*time)(const StageTimes&)) {
  const Rational first = time(durations.stages.front());
  const auto is_first = [&](const StageTimes& times) { return time(times) == first; };
  if (std::ranges::all_of(durations.stages, is_first)) return shortest_text(first, kAscii);
  std::string text;
  for (const StageTimes& times : durations.stages) {
    text += (text.empty() ? "" : ",") + shortest_text(time(times), kAscii);
  }
  return text;
}

std::string links_text(const Durations& durations) {
  const auto link_text = [](const Link& link) {
    std::string text = "latency " + shortest_text(link.latency, kAscii);
    if (!link.per_byte.is_zero()) {
      text += ", bandwidth " + shortest_text(Rational(1) / link.per_byte, kAscii);
    }
    return text;
  };
  std::string text = link_text(durations.link);
  for (const auto& [edge, link] : durations.links) {
    text += "; from " + std::to_string(edge.first) + " to " + std::to_string(edge.second) + " " +
            link_text(link);
  }
  return text;
}

std::string title(const TimedSchedule& timed) {
  const Schedule& schedule = timed.schedule;
  const Durations& durations = timed.durations;
  return "# " + schedule.name + ": " + std::to_string(schedule.stage_rank.size()) + " stages on " +
         std::to_string(schedule.ranks.size()) + " devices, " +
         std::to_string(schedule.microbatches) +
         " microbatches\n# one microbatch on one stage: forward " +
         times_text(durations, [](const StageTimes& times) { return times.forward; }) +
         ", backward " +
         times_text(
             durations,
             [](const StageTimes& times) { return times.backward_input + times.backward_weight; }) +
         " (input " +
         times_text(durations, [](const StageTimes& times) { return times.backward_input; }) +
         ", weight " +
         times_text(durations, [](const StageTimes& times) { return times.backward_weight; }) +
         ")" +
         (durations.overlap
              ? ", both where they overlap " + shortest_text(*durations.overlap, kAscii)
              : "") +
         "; " + links_text(durations) + "\n";
}

std::string memory_text(const TimedSchedule& timed) {
  if (timed.bytes.empty()) return "";
  std::string text = "# bytes at most, freed at the weight gradient:\n";
  for (std::size_t rank = 0; rank < timed.memory.size(); ++rank) {
    const DeviceMemory& memory = timed.memory[rank];
    constexpr Freeing kFreeing = Freeing::at_weight_gradient;
    text += "#   device " + std::to_string(rank) + (rank < 10 ? "   " : "  ") + "weights " +
            std::to_string(memory.weight_bytes) + " + gradients " +
            std::to_string(memory.gradient_bytes) + " + optimizer " +
            std::to_string(memory.optimizer_bytes) + " + activations " +
            std::to_string(memory.peak(kFreeing).bytes) + " = " +
            std::to_string(memory.peak_bytes(kFreeing)) + "\n";
  }
  return text;
}

}  // namespace

std::string schedule_chart(const TimedSchedule& timed) {
  const Timeline& simulation = timed.simulation;
  std::string text = title(timed);
  const std::vector<std::string> rows = chart_rows(timed);
  if (rows.empty()) text += "# too wide for a chart in text; --format svg draws it\n";
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    text += "#   device " + std::to_string(rank) + (rank < 10 ? "   " : "  ") + rows[rank] + "\n";
  }
  text +=
      "# simulated time in all: " + shortest_text(simulation.time(simulation.makespan), kAscii) +
      "\n";
  const Result<Rational> least =
      least_time(timed.schedule, timed.durations, {.backward = backward_form(timed.schedule)});
  if (least.ok()) {
    text += "# no order of this work takes less than " + shortest_text(least.value(), kAscii) +
            ", whatever the memory\n";
  }
  if (const std::optional<Bubbles> idle = bubbles(simulation)) {
    text += "# bubble: " + exact_and_rounded(idle->of_total) + " of the total; " +
            exact_and_rounded(idle->of_ideal) + " of the ideal; longest span idle for " +
            exact_and_rounded(idle->in_span) + ", " + exact_and_rounded(idle->span_of_ideal) +
            " of its work\n";
  }
  const std::string whole = peaks(simulation, &DeviceTimes::peak_until_weight_gradient);
  const std::string input = peaks(simulation, &DeviceTimes::peak_until_input_gradient);
  text += "# activations in flight at most, by device: " + whole + "\n";
  if (input != whole) text += "# freed at the input gradient: " + input + "\n";
  return text + memory_text(timed);
}

}  // namespace lockstep::cli
