#include "picture/timeline_words.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/decimal.h"
#include "program/instruction.h"
#include "schedule/schedule.h"

namespace lockstep {
namespace {

/// Fractions longer than this are told as a percentage alone.
constexpr std::size_t kFractionLettersMax = 12;

std::string count_text(std::size_t count, std::string_view one, std::string_view several) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : several);
}

std::string what_text(const Instruction& instruction) {
  const std::string peer = "device " + std::to_string(instruction.peer);
  switch (instruction.op) {
    case Op::send:
      return "send " + to_text(instruction.tensor) + " to " + peer;
    case Op::receive:
      return "receive " + to_text(instruction.tensor) + " from " + peer;
    case Op::receive_add:
      return "receive " + to_text(instruction.tensor) + " from " + peer + " and add it";
    case Op::scale:
      return "scale the gradient";
    case Op::update:
      return "update the parameters";
    default:
      return std::string(op_word(instruction.op)) + " of stage " +
             std::to_string(instruction.stage) + " on microbatch " +
             std::to_string(instruction.microbatch);
  }
}

/// Pieces of stage work, and how many of them no clock told a length of.
struct WorkCount {
  std::size_t pieces = 0;
  std::size_t without_length = 0;
};

WorkCount count_work(const Program& program, const Timeline& timeline) {
  WorkCount count;
  for (std::size_t rank = 0; rank < program.devices.size(); ++rank) {
    const std::vector<Instruction>& list = program.devices[rank].instructions;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!is_stage_work(list[i].op)) continue;
      ++count.pieces;
      const TimeSpan& span = timeline.spans[rank][i];
      if (span.start == span.end) ++count.without_length;
    }
  }
  return count;
}

}  // namespace

bool is_exchange(const Instruction& instruction) {
  return instruction.op == Op::scale ||
         (is_message(instruction.op) && !is_of_microbatch(instruction.tensor.kind));
}

std::string TimelineWords::title() const {
  return name() + ": " + count_text(program_.devices.size(), "device", "devices") + ", " +
         count_text(static_cast<std::size_t>(program_.microbatches), "microbatch", "microbatches");
}

/// What people call the schedule: "1F1B"; else the program's name in words.
std::string TimelineWords::name() const {
  const Result<ScheduleRow> row = find_schedule(program_.name);
  if (row.ok()) return std::string(row.value().aliases.front());
  std::string name = program_.name;
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::vector<std::string> TimelineWords::notes() const {
  std::vector<std::string> notes = {idle()};
  if (std::string coarse = coarse_clock(); !coarse.empty()) notes.push_back(std::move(coarse));
  return notes;
}

std::string TimelineWords::idle() const {
  const std::optional<Bubbles> idle = bubbles(timeline_);
  if (!idle) {
    if (count_work(program_, timeline_).pieces == 0) return "No device does stage work.";
    return is_measured_ ? "The clock saw no work take time." : "Work takes no time here.";
  }
  if (idle->of_total.is_zero()) return "No device is ever idle.";
  const bool exchanges = std::ranges::any_of(program_.devices, [](const DeviceProgram& device) {
    return std::ranges::any_of(device.instructions, is_exchange);
  });
  const std::string of_total = std::string(exchanges ? "Not computing for " : "Idle for ") +
                               share(idle->of_total) + " of the total time";
  // The ideal time is that of the work, which clocks tell least of.
  if (is_measured_) return of_total + ".";
  return of_total + ", or " + share(idle->of_ideal) + " of the ideal time.";
}

/// Of measured times that are 0 although work was done; empty where there are none.
std::string TimelineWords::coarse_clock() const {
  const auto [pieces, without_length] = count_work(program_, timeline_);
  if (!is_measured_ || without_length == 0) return {};
  return "The clock was too coarse to tell how long " + std::to_string(without_length) + " of " +
         count_text(pieces, "piece", "pieces") +
         " of work took: " + (without_length == 1 ? "it is a thin mark." : "they are thin marks.");
}

/// "3/11 = 27.3 %"; of measured times, which are no exact fractions, the percentage alone.
std::string TimelineWords::share(const Rational& share) const {
  const std::string percent = percent_text(share, 1);
  if (is_measured_) return percent;
  const std::string fraction = fraction_text(share);
  return fraction.size() > kFractionLettersMax ? percent : fraction + " = " + percent;
}

std::string TimelineWords::description() const {
  std::string text = "Devices are rows; " + std::string(kind_of_time()) +
                     " runs to the right from 0 to " + time(timeline_.makespan) + ".";
  for (const std::string& note : notes()) text += " " + note;
  for (int rank = 0; rank < static_cast<int>(program_.devices.size()); ++rank) text += device(rank);
  return text;
}

std::string TimelineWords::device(int rank) const {
  const DeviceTimes& times = timeline_.devices[static_cast<std::size_t>(rank)];
  return " Device " + std::to_string(rank) + " works " + time(times.busy) + " between " +
         time(times.first_start) + " and " + time(times.last_end) + " and keeps at most " +
         count_text(static_cast<std::size_t>(times.peak_until_weight_gradient), "activation",
                    "activations") +
         ".";
}

std::string TimelineWords::axis() const {
  return std::string(kind_of_time()) + (is_measured_ ? ", ms" : "");
}

std::string TimelineWords::cell(int rank, int instruction) const {
  const auto row = static_cast<std::size_t>(rank);
  const auto at = static_cast<std::size_t>(instruction);
  const TimeSpan& span = timeline_.spans[row][at];
  return "device " + std::to_string(rank) + ": " +
         what_text(program_.devices[row].instructions[at]) + ", from " + time(span.start) + " to " +
         time(span.end);
}

std::string TimelineWords::time(Ticks ticks) const {
  return shortest_text(timeline_.time(ticks)) + (is_measured_ ? "\u00a0ms" : "");
}

std::string_view TimelineWords::kind_of_time() const {
  return is_measured_ ? "measured time" : "simulated time";
}

}  // namespace lockstep
