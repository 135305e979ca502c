#include "cost/simulate.h"

#include <algorithm>
#include <cstddef>
#include <string>
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

/// Durations as whole numbers of a tick.
struct TickDurations {
  Rational tick;
  std::vector<StageTicks> stages;
  Ticks latency = 0;
  Ticks longest = 0;  ///< of all work and the latency

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
  explicit TickMaker(const Durations& durations) : durations_(durations) {}

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
    result.latency = in_ticks(durations_.latency);
    result.longest = std::max(result.longest, result.latency);
    if (error_) return *error_;
    return result;
  }

 private:
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
    visit(durations_.latency, [] { return std::string("latency"); });
  }

  void include(const Rational& duration, const std::string& where) {
    if (error_) return;
    if (!duration.ok()) {
      error_ = {"out_of_range", where,
                "This is " + std::string(fault_text(duration.fault())) + "."};
    } else if (duration.sign() < 0) {
      error_ = {"out_of_range", where, "A duration is at least 0."};
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
  for (const DeviceProgram& device : program.devices) {
    for (const Instruction& instruction : device.instructions) {
      if (instruction.stage >= 0 && instruction.stage < program.stages) continue;
      return Error{
          "out_of_range", "program",
          "\"" + to_text(instruction) + "\" is of a stage that the program does not have."};
    }
  }
  return fine();
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

/// Goes through the instructions in an order in which they can run and dates each of them.
void date(const Program& program, const MessageEnds& ends, const RunOrder& run,
          const TickDurations& durations, Timeline& result) {
  std::vector<Ticks> now(program.devices.size(), 0);
  for (const InstructionPlace place : run.order) {
    const Instruction& instruction =
        program.devices[index(place.rank)].instructions[index(place.index)];
    Ticks& clock = now[index(place.rank)];
    TimeSpan& span = result.spans[index(place.rank)][index(place.index)];
    span.start = clock;
    if (is_stage_work(instruction.op)) {
      clock += durations.of(instruction);
    } else if (is_receive(instruction.op)) {
      const InstructionPlace send = ends[index(place.rank)][index(place.index)];
      if (send.exists()) {
        const Ticks sent = result.spans[index(send.rank)][index(send.index)].end;
        clock = std::max(clock, sent + durations.latency);
      }
    }
    span.end = clock;
  }
  result.makespan = now.empty() ? 0 : *std::ranges::max_element(now);
}

}  // namespace

Result<Timeline> simulate(const Program& program, const Durations& durations) {
  const Status checked = check(program, durations);
  if (!checked.ok()) return checked.error();
  const Result<TickDurations> ticks = TickMaker(durations).make();
  if (!ticks.ok()) return ticks.error();

  std::size_t instructions = 0;
  Timeline result;
  result.tick = ticks.value().tick;
  for (const DeviceProgram& device : program.devices) {
    instructions += device.instructions.size();
    result.spans.emplace_back(device.instructions.size());
  }
  // Every instruction moves the clock by one duration at most.
  if (instructions > 0 && ticks.value().longest > kTicksMax / static_cast<Ticks>(instructions)) {
    return too_large();
  }
  const MessageEnds ends = match_messages(program);
  const RunOrder run = run_order(program, ends);
  if (run.order.size() != instructions) return deadlock(program, run);
  date(program, ends, run, ticks.value(), result);
  for (std::size_t rank = 0; rank < program.devices.size(); ++rank) {
    result.devices.push_back(device_times(program.devices[rank], result.spans[rank]));
  }
  return result;
}

}  // namespace lockstep
