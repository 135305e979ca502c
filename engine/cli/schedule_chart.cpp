#include "cli/schedule_chart.h"

#include <algorithm>
#include <vector>

#include "core/decimal.h"
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

std::string title(const TimedSchedule& timed) {
  const Schedule& schedule = timed.schedule;
  const StageTimes& times = timed.durations.stages[0];
  return "# " + schedule.name + ": " + std::to_string(schedule.stage_rank.size()) + " stages on " +
         std::to_string(schedule.ranks.size()) + " devices, " +
         std::to_string(schedule.microbatches) +
         " microbatches\n# one microbatch on one stage: " + "forward " +
         shortest_text(times.forward, kAscii) + ", backward " +
         shortest_text(times.backward_input + times.backward_weight, kAscii) + " (input " +
         shortest_text(times.backward_input, kAscii) + ", weight " +
         shortest_text(times.backward_weight, kAscii) + "); latency " +
         shortest_text(timed.durations.link.latency, kAscii) + "\n";
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
  return text;
}

}  // namespace lockstep::cli
