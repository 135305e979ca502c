#include "cost/simulate.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "program/instruction.h"
#include "program/messages.h"

namespace lockstep {
namespace {

/// No time of a simulation may pass this: half of what fits, so that no sum of two overflows.
constexpr Ticks kTicksMax = Ticks{1} << 62;

std::size_t index(int value) {
  return static_cast<std::size_t>(value);
}

struct StageTicks {
  Ticks forward = 0;
  Ticks backward_input = 0;
  Ticks backward_weight = 0;
};

/// The sizes of messages that occur in a program, in bytes.
using Sizes = std::vector<Rational>;

/// A link with the time that a message of each of the sizes keeps its ports busy.
struct LinkTicks {
  Ticks latency = 0;
  std::vector<Ticks> busy;  ///< by size
};

/// Which of the sizes each send of a program has.
struct Messages {
  Sizes sizes = {Rational(0)};
  std::vector<std::vector<int>> size_of;  ///< by rank and instruction

  int of(InstructionPlace send) const { return size_of[index(send.rank)][index(send.index)]; }
};

Rational bytes_of(const TensorName& tensor, const MessageBytes& bytes) {
  const auto whole = [&] {
    switch (tensor.kind) {
      case TensorKind::activation:
      case TensorKind::activation_gradient:
        return bytes.activation;
      case TensorKind::gradient:
        return bytes.gradient;
      case TensorKind::shared_gradient:
        return bytes.shared_gradient;
      case TensorKind::parameters:
        return bytes.parameters;
      case TensorKind::block:
        return bytes.blocks;
    }
    return Rational(0);
  };
  return whole() * Rational(tensor.count) / Rational(tensor.chunks);
}

/// Looks up every send's size. All have none where sizes make no difference.
Messages messages_of(const Program& program, const Durations& durations) {
  Messages messages;
  const auto matters = [](const Link& link) { return link.per_byte.sign() != 0; };
  const bool any = matters(durations.link) ||
                   std::ranges::any_of(durations.links,
                                       [&](const auto& entry) { return matters(entry.second); });
  std::map<std::tuple<TensorKind, int, int>, int> known;  // by kind, count and chunks
  for (const DeviceProgram& device : program.devices) {
    std::vector<int>& sizes = messages.size_of.emplace_back(device.instructions.size(), 0);
    if (!any) continue;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const TensorName& tensor = device.instructions[i].tensor;
      if (device.instructions[i].op != Op::send) continue;
      const auto [entry, is_new] = known.try_emplace({tensor.kind, tensor.count, tensor.chunks},
                                                     static_cast<int>(messages.sizes.size()));
      if (is_new) messages.sizes.push_back(bytes_of(tensor, durations.bytes));
      sizes[i] = entry->second;
    }
  }
  return messages;
}

/// Durations as whole numbers of a tick.
struct TickDurations {
  Rational tick;
  std::vector<StageTicks> stages;
  std::vector<LinkTicks> links;  ///< by sender · ranks + receiver
  std::optional<Ticks> overlap;  ///< of a pair
  Ticks longest = 0;             ///< of all work and messages

  Ticks of(const Instruction& work) const {
    const StageTicks& ticks = stages[stages.size() == 1 ? 0 : index(work.stage)];
    switch (work.op) {
      case Op::forward:
        return ticks.forward;
      case Op::backward_input:
        return ticks.backward_input;
      case Op::backward_weight:
        return ticks.backward_weight;
      default:
        return ticks.backward_input + ticks.backward_weight;
    }
  }
};

Error too_large() {
  return {"too_large", "durations",
          "The durations have no common tick in which their sum can be counted exactly."};
}

/// Finds the tick of some durations: one over the least common multiple of their denominators.
class TickMaker {
 public:
  TickMaker(const Durations& durations, const Sizes& sizes, int ranks)
      : durations_(durations), sizes_(sizes), ranks_(ranks) {}

  Result<TickDurations> make() {
    each([this](const Rational& duration, auto where) { include(duration, where()); });
    if (error_) return *error_;
    TickDurations result;
    result.tick = Rational(1) / per_unit_;
    for (const StageTimes& times : durations_.stages) {
      StageTicks& ticks = result.stages.emplace_back();
      ticks.forward = in_ticks(times.forward);
      ticks.backward_input = in_ticks(times.backward_input);
      ticks.backward_weight = in_ticks(times.backward_weight);
      result.longest = std::max(
          {result.longest, ticks.forward, add(ticks.backward_input, ticks.backward_weight)});
    }
    add_links(result);
    if (durations_.overlap) {
      result.overlap = in_ticks(*durations_.overlap);
      result.longest = std::max(result.longest, *result.overlap);
    }
    if (error_) return *error_;
    return result;
  }

 private:
  void add_links(TickDurations& result) {
    result.links.assign(index(ranks_) * index(ranks_), link_ticks(durations_.link, result.longest));
    for (const auto& [edge, link] : durations_.links) {
      const auto [from, to] = edge;
      const bool exists = from >= 0 && from < ranks_ && to >= 0 && to < ranks_ && from != to;
      if (exists) {
        result.links[index(from) * index(ranks_) + index(to)] = link_ticks(link, result.longest);
      } else if (!error_) {
        error_ = {"out_of_range", edge_text(edge), "There is no such pair of devices."};
      }
    }
  }

  LinkTicks link_ticks(const Link& link, Ticks& longest) {
    LinkTicks ticks = {.latency = in_ticks(link.latency), .busy = {}};
    for (const Rational& size : sizes_) {
      ticks.busy.push_back(in_ticks(busy_time(link, size)));
      longest = std::max(longest, add(ticks.latency, ticks.busy.back()));
    }
    return ticks;
  }

  static Rational busy_time(const Link& link, const Rational& size) {
    return link.startup + size * link.per_byte;
  }

  static std::string edge_text(std::pair<int, int> edge) {
    return "link " + std::to_string(edge.first) + " to " + std::to_string(edge.second);
  }

  template <typename Visit>
  void each(Visit visit) const {
    for (std::size_t stage = 0; stage < durations_.stages.size(); ++stage) {
      const StageTimes& times = durations_.stages[stage];
      const auto where = [stage](std::string_view work) {
        return
            [stage, work] { return "stage " + std::to_string(stage) + ", " + std::string(work); };
      };
      visit(times.forward, where("forward"));
      visit(times.backward_input, where("backward_input"));
      visit(times.backward_weight, where("backward_weight"));
    }
    if (durations_.overlap) visit(*durations_.overlap, [] { return std::string("overlap"); });
    for (const Rational& size : sizes_) visit(size, [] { return std::string("bytes"); });
    each_of(durations_.link, "", visit);
    for (const auto& [edge, link] : durations_.links) {
      each_of(link, edge_text(edge) + ", ", visit);
    }
  }

  template <typename Visit>
  void each_of(const Link& link, const std::string& of, Visit visit) const {
    visit(link.latency, [&of] { return of + "latency"; });
    visit(link.startup, [&of] { return of + "startup"; });
    visit(link.per_byte, [&of] { return of + "per_byte"; });
    for (const Rational& size : sizes_) {
      visit(busy_time(link, size), [&of] { return of + "per_byte"; });
    }
  }

  void include(const Rational& duration, const std::string& where) {
    if (error_) return;
    if (!duration.ok()) {
      error_ = {"out_of_range", where,
                "This is " + std::string(fault_text(duration.fault())) + "."};
    } else if (duration.sign() < 0) {
      error_ = {"out_of_range", where, "Durations and sizes are at least 0."};
    } else {
      // In lowest terms, what of the duration's denominator is not in per_unit_ yet.
      const Rational product = per_unit_ * duration;
      if (product.ok()) per_unit_ *= Rational(product.denominator(), Integer(1));
      if (!product.ok() || !per_unit_.ok()) error_ = too_large();
    }
  }

  Ticks in_ticks(const Rational& duration) {
    const std::optional<std::int64_t> ticks = to_int64(duration * per_unit_);
    if (!ticks || *ticks > kTicksMax) error_ = too_large();
    return error_ ? 0 : *ticks;
  }

  Ticks add(Ticks a, Ticks b) {
    if (a > kTicksMax - b) error_ = too_large();
    return error_ ? 0 : a + b;
  }

  const Durations& durations_;
  const Sizes& sizes_;
  int ranks_;
  Rational per_unit_ = 1;
  std::optional<Error> error_;
};

Status check(const Program& program, const Durations& durations) {
  const std::size_t given = durations.stages.size();
  if (given != 1 && given != static_cast<std::size_t>(std::max(program.stages, 0))) {
    return Error{"out_of_range", "durations",
                 "There are durations of " + std::to_string(given) + " stages for a program of " +
                     std::to_string(program.stages) + "."};
  }
  const int ranks = static_cast<int>(program.devices.size());
  for (const DeviceProgram& device : program.devices) {
    for (const Instruction& instruction : device.instructions) {
      const bool has_peer = instruction.peer >= 0 && instruction.peer < ranks;
      const bool has_stage = instruction.stage >= 0 && instruction.stage < program.stages;
      if (has_stage && has_peer) continue;
      return Error{"out_of_range", "program",
                   "\"" + to_text(instruction) +
                       "\" is of a stage or a device that the program does not have."};
    }
  }
  return fine();
}

/// Which instructions are in a pair that overlaps, by rank.
using Pairs = std::vector<std::vector<char>>;

Result<Pairs> pairs_of(const Program& program, std::span<const InstructionPlace> pairs) {
  Pairs paired;
  for (const DeviceProgram& device : program.devices) {
    paired.emplace_back(device.instructions.size(), char{0});
  }
  for (const InstructionPlace& place : pairs) {
    const bool exists = place.rank >= 0 && index(place.rank) < paired.size() && place.index >= 0 &&
                        index(place.index) + 1 < paired[index(place.rank)].size();
    const auto op = [&](int at) {
      return program.devices[index(place.rank)].instructions[index(at)].op;
    };
    if (!exists || op(place.index) != Op::forward || op(place.index + 1) != Op::backward) {
      return Error{"out_of_range", "pairs",
                   "Instruction " + std::to_string(place.index) + " of device " +
                       std::to_string(place.rank) + " is no forward with a backward after it."};
    }
    paired[index(place.rank)][index(place.index)] = 1;
    paired[index(place.rank)][index(place.index) + 1] = 1;
  }
  return paired;
}

Error deadlock(const Program& program, const RunOrder& run) {
  for (int rank = 0;; ++rank) {
    const std::vector<Instruction>& list = program.devices[index(rank)].instructions;
    const int at = run.stopped_at[index(rank)];
    if (at == static_cast<int>(list.size())) continue;
    return {"deadlock", "device " + std::to_string(rank),
            "The program does not end: device " + std::to_string(rank) +
                " waits for ever at instruction " + std::to_string(at) + " (" +
                to_text(list[index(at)]) + ")."};
  }
}

/// What one half of a pair that overlaps takes of the pair's time.
Ticks paired_ticks(const Program& program, InstructionPlace place, const TickDurations& durations) {
  const std::vector<Instruction>& list = program.devices[index(place.rank)].instructions;
  const bool is_forward = list[index(place.index)].op == Op::forward;
  const Instruction& backward = list[index(place.index) + (is_forward ? 1 : 0)];
  const Ticks backward_ticks = std::min(durations.of(backward), *durations.overlap);
  return is_forward ? *durations.overlap - backward_ticks : backward_ticks;
}

/// Goes through the instructions in an order in which they can run and dates each of them.
void date(const Program& program, const MessageEnds& ends, const RunOrder& run,
          const Messages& messages, const TickDurations& durations, const Pairs& pairs,
          Timeline& result) {
  const std::size_t ranks = program.devices.size();
  std::vector<Ticks> now(ranks, 0);
  std::vector<Ticks> out_port(ranks, 0);  // when the last message has left, and …
  std::vector<Ticks> in_port(ranks, 0);   // … when the last one was there
  std::vector<std::vector<Ticks>> left;   // by rank and index of the send
  for (const DeviceProgram& device : program.devices) left.emplace_back(device.instructions.size());
  for (const InstructionPlace place : run.order) {
    const Instruction& instruction =
        program.devices[index(place.rank)].instructions[index(place.index)];
    Ticks& clock = now[index(place.rank)];
    TimeSpan& span = result.spans[index(place.rank)][index(place.index)];
    span.start = clock;
    if (is_stage_work(instruction.op)) {
      const bool is_paired = durations.overlap && pairs[index(place.rank)][index(place.index)] != 0;
      clock += is_paired ? paired_ticks(program, place, durations) : durations.of(instruction);
    } else if (instruction.op == Op::send) {
      const LinkTicks& link = durations.links[index(place.rank) * ranks + index(instruction.peer)];
      Ticks& port = out_port[index(place.rank)];
      port = std::max(port, clock) + link.busy[index(messages.of(place))];
      left[index(place.rank)][index(place.index)] = port;
    } else if (is_receive(instruction.op)) {
      const InstructionPlace send = ends[index(place.rank)][index(place.index)];
      if (send.exists()) {
        const LinkTicks& link = durations.links[index(send.rank) * ranks + index(place.rank)];
        Ticks& port = in_port[index(place.rank)];
        port = std::max(left[index(send.rank)][index(send.index)] + link.latency,
                        port + link.busy[index(messages.of(send))]);
        clock = std::max(clock, port);
      }
    }
    span.end = clock;
  }
  result.makespan = now.empty() ? 0 : *std::ranges::max_element(now);
}

}  // namespace

Result<Timeline> simulate(const Program& program, const Durations& durations,
                          std::span<const InstructionPlace> pairs) {
  const Status checked = check(program, durations);
  if (!checked.ok()) return checked.error();
  const Result<Pairs> paired = pairs_of(program, pairs);
  if (!paired.ok()) return paired.error();
  const Messages messages = messages_of(program, durations);
  const int ranks = static_cast<int>(program.devices.size());
  const Result<TickDurations> ticks = TickMaker(durations, messages.sizes, ranks).make();
  if (!ticks.ok()) return ticks.error();

  std::size_t instructions = 0;
  Timeline result;
  result.tick = ticks.value().tick;
  for (const DeviceProgram& device : program.devices) {
    instructions += device.instructions.size();
    result.spans.emplace_back(device.instructions.size());
  }
  // Every instruction moves a clock or a port by one duration at most.
  if (instructions > 0 && ticks.value().longest > kTicksMax / static_cast<Ticks>(instructions)) {
    return too_large();
  }
  const MessageEnds ends = match_messages(program);
  const RunOrder run = run_order(program, ends);
  if (run.order.size() != instructions) return deadlock(program, run);
  date(program, ends, run, messages, ticks.value(), paired.value(), result);
  for (std::size_t rank = 0; rank < program.devices.size(); ++rank) {
    result.devices.push_back(device_times(program.devices[rank], result.spans[rank]));
  }
  return result;
}

}  // namespace lockstep
