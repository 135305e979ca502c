#include "export/trace.h"

#include <cstddef>
#include <utility>

#include "program/instruction.h"
#include "program/messages.h"
#include "schedule/action.h"

namespace lockstep {
namespace {

std::size_t index(int value) {
  return static_cast<std::size_t>(value);
}

std::string track_name(int rank, const DeviceProgram& device) {
  std::string name = "rank " + std::to_string(rank);
  if (device.stages.empty()) return name;
  name += device.stages.size() == 1 ? ": stage " : ": stages ";
  for (const int stage : device.stages) {
    if (stage != device.stages.front()) name += ", ";
    name += std::to_string(stage);
  }
  return name;
}

class Tracing {
 public:
  explicit Tracing(const TimedSchedule& timed)
      : timed_(timed), ends_(match_messages(timed.program)) {}

  Trace run() {
    Trace trace = {.name = timed_.schedule.name,
                   .makespan = timed_.simulation.time(timed_.simulation.makespan),
                   .tracks = {}};
    number_messages();
    for (int rank = 0; rank < static_cast<int>(timed_.program.devices.size()); ++rank) {
      trace.tracks.push_back({.name = track_name(rank, timed_.program.devices[index(rank)]),
                              .slices = slices(rank),
                              .counts = counts(rank)});
    }
    return trace;
  }

 private:
  const std::vector<Instruction>& list_of(int rank) const {
    return timed_.program.devices[index(rank)].instructions;
  }

  void number_messages() {
    int next = 0;
    for (int rank = 0; rank < static_cast<int>(timed_.program.devices.size()); ++rank) {
      std::vector<int>& numbers = numbers_.emplace_back(list_of(rank).size(), -1);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (list_of(rank)[i].op == Op::send) numbers[i] = next++;
      }
    }
  }

  /// lower() puts the receives of a cell before its work and the sends after it.
  std::vector<TraceSlice> slices(int rank) const {
    const std::vector<Action>& actions = timed_.schedule.ranks[index(rank)];
    const std::vector<std::string> names = cell_texts(actions);
    std::vector<TraceSlice> slices;
    slices.reserve(names.size());
    std::vector<TraceMessage> received;
    std::size_t action = 0;
    for (std::size_t i = 0; i < list_of(rank).size(); ++i) {
      const Instruction& instruction = list_of(rank)[i];
      const TimeSpan span = timed_.simulation.spans[index(rank)][i];
      if (instruction.op == Op::receive) {
        const InstructionPlace send = ends_[index(rank)][i];
        if (!send.exists()) continue;
        received.push_back(
            {numbers_[index(send.rank)][index(send.index)], to_text(instruction.tensor)});
      } else if (instruction.op == Op::send) {
        slices.back().sent.push_back({numbers_[index(rank)][i], to_text(instruction.tensor)});
      } else if (action > 0 && actions[action - 1].overlaps_next) {
        slices.back().end = timed_.simulation.time(span.end);
        ++action;
      } else {
        slices.push_back(
            {.name = names[slices.size()],
             .category = actions[action].overlaps_next ? "overlap" : op_word(instruction.op),
             .start = timed_.simulation.time(span.start),
             .end = timed_.simulation.time(span.end),
             .received = std::exchange(received, {}),
             .sent = {}});
        ++action;
      }
    }
    return slices;
  }

  std::vector<TraceCount> counts(int rank) const {
    std::vector<TraceCount> counts = {{.time = 0}};
    for (const MemoryPoint& point : timed_.memory[index(rank)].points) {
      const Rational time = timed_.simulation.time(point.time);
      if (counts.back().time != time) counts.push_back({.time = time});
      counts.back().activations = point.until_weight_gradient.count;
    }
    return counts;
  }

  const TimedSchedule& timed_;
  MessageEnds ends_;
  std::vector<std::vector<int>> numbers_;  // of the sends, by rank and instruction
};

}  // namespace

Trace make_trace(const TimedSchedule& timed) {
  return Tracing(timed).run();
}

}  // namespace lockstep
