#include "program/validate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "program/fault_list.h"
#include "program/instruction.h"
#include "program/messages.h"
#include "program/wait_cycle.h"

namespace lockstep {
namespace {

std::size_t index(int value) {
  return static_cast<std::size_t>(value);
}

bool within(int value, int end) {
  return value >= 0 && value < end;
}

std::string device_text(int rank) {
  return "device " + std::to_string(rank);
}

std::string place_text(InstructionPlace place) {
  return device_text(place.rank) + ", instruction " + std::to_string(place.index);
}

std::string range_text(std::string_view what, int value, int end) {
  return std::string(what) + " " + std::to_string(value) + " does not exist; there are 0 to " +
         std::to_string(end - 1) + ".";
}

/// What a device has at a point of its list, for each (stage, microbatch); bits of a set.
enum Holding : std::uint8_t {
  kOutput = 1,          // the stage's activation
  kOutputGradient = 2,  // the gradient with respect to it
  kForwardDone = 4,
  kInputGradientDone = 8,
};

/// How often a replica did what to one (stage, microbatch).
struct WorkCount {
  int forward = 0;
  int backward = 0;
  int backward_input = 0;
  int backward_weight = 0;

  int& of(Op op) {
    switch (op) {
      case Op::forward:
        return forward;
      case Op::backward:
        return backward;
      case Op::backward_input:
        return backward_input;
      default:
        return backward_weight;
    }
  }
};

/// One validation. The checks look at one thing each and pass over instructions that another check
/// has refused, so that one slip is one fault.
class Validation {
 public:
  explicit Validation(const Program& program)
      : program_(program), ranks_(static_cast<int>(program.devices.size())) {}

  std::vector<Error> run() {
    check_sizes();
    if (!faults_.empty()) return faults_.take();  // nothing below can be counted
    each_instruction([this](const Instruction& instruction, InstructionPlace place) {
      check_range(instruction, place);
    });
    check_inputs();
    check_work();
    check_messages();
    return faults_.take();
  }

 private:
  void check_sizes() {
    const int stages_max = kMaxRanks * kMaxChunks;
    const auto check = [this](std::string_view what, int value, int most) {
      if (value >= 1 && value <= most) return;
      faults_.add("out_of_range", "program",
                  "The number of " + std::string(what) + " is " + std::to_string(value) +
                      "; it may be 1 to " + std::to_string(most) + ".");
    };
    check("stages", program_.stages, stages_max);
    check("microbatches", program_.microbatches, kMaxMicrobatches);
    check("devices", ranks_, kMaxRanks);
    check("shards", program_.shards, kMaxRanks);
    for (int rank = 0; rank < std::min(ranks_, kMaxRanks); ++rank) {
      const DeviceProgram& device = program_.devices[index(rank)];
      if (!within(device.replica, ranks_)) {
        faults_.add("out_of_range", device_text(rank),
                    range_text("Replica", device.replica, ranks_));
      }
      if (!within(device.shard, program_.shards)) {
        faults_.add("out_of_range", device_text(rank),
                    range_text("Shard", device.shard, program_.shards));
      }
      for (const int stage : device.stages) {
        if (within(stage, program_.stages)) continue;
        faults_.add("out_of_range", device_text(rank), range_text("Stage", stage, program_.stages));
      }
    }
  }

  template <typename Visit>
  void each_instruction(Visit visit) const {
    for (int rank = 0; rank < ranks_; ++rank) {
      const std::vector<Instruction>& list = program_.devices[index(rank)].instructions;
      for (int i = 0; i < static_cast<int>(list.size()); ++i) {
        visit(list[index(i)], InstructionPlace{rank, i});
      }
    }
  }

  void check_range(const Instruction& instruction, InstructionPlace place) {
    if (is_stage_work(instruction.op)) {
      check_cell(instruction.stage, instruction.microbatch, place);
    } else if (instruction.op == Op::scale) {
      if (instruction.numerator != 0 && instruction.denominator != 0) return;
      faults_.add("scale_by_zero", place_text(place),
                  "Scaling by " + std::to_string(instruction.numerator) + "/" +
                      std::to_string(instruction.denominator) + " loses the gradient.");
    } else if (is_message(instruction.op)) {
      check_tensor(instruction.tensor, place);
      check_peer(instruction, place);
    }
  }

  void check_cell(int stage, int microbatch, InstructionPlace place) {
    if (!within(stage, program_.stages)) {
      faults_.add("out_of_range", place_text(place), range_text("Stage", stage, program_.stages));
    }
    if (!within(microbatch, program_.microbatches)) {
      faults_.add("out_of_range", place_text(place),
                  range_text("Microbatch", microbatch, program_.microbatches));
    }
  }

  void check_tensor(const TensorName& tensor, InstructionPlace place) {
    if (is_of_microbatch(tensor.kind)) {
      check_cell(tensor.stage, tensor.microbatch, place);
    } else if (tensor.kind == TensorKind::shared_gradient ||
               (tensor.kind != TensorKind::block && tensor.stage != kAllStages)) {
      check_held(tensor, place);
    }
    const bool exists = tensor.count >= 1 && within(tensor.chunk, tensor.chunks) &&
                        tensor.count <= tensor.chunks - tensor.chunk;
    if (exists) return;
    faults_.add("out_of_range", place_text(place),
                "There is no " + to_text(tensor) + "; chunks count from 0.");
  }

  void check_held(const TensorName& tensor, InstructionPlace place) {
    if (!within(tensor.stage, program_.stages)) {
      faults_.add("out_of_range", place_text(place),
                  range_text("Stage", tensor.stage, program_.stages));
    } else if (!holds(place.rank, tensor.stage)) {
      faults_.add("wrong_device", place_text(place),
                  to_text(tensor) + " is of a stage that device " + std::to_string(place.rank) +
                      " does not hold.");
    }
  }

  bool holds(int rank, int stage) const {
    return std::ranges::count(program_.devices[index(rank)].stages, stage) > 0;
  }

  void check_peer(const Instruction& instruction, InstructionPlace place) {
    if (!within(instruction.peer, ranks_)) {
      faults_.add("out_of_range", place_text(place),
                  range_text("Device", instruction.peer, ranks_));
    } else if (instruction.peer == place.rank) {
      faults_.add("self_send", place_text(place),
                  "The device is itself the other end of \"" + to_text(instruction) + "\".");
    }
  }

  bool in_range(int stage, int microbatch) const {
    return within(stage, program_.stages) && within(microbatch, program_.microbatches);
  }

  std::size_t cell(int stage, int microbatch) const {
    return index(stage) * index(program_.microbatches) + index(microbatch);
  }

  std::size_t cells() const { return index(program_.stages) * index(program_.microbatches); }

  /// Goes through each device's list with what it holds at that point.
  void check_inputs() {
    std::vector<std::uint8_t> held(cells());
    for (int rank = 0; rank < ranks_; ++rank) {
      const DeviceProgram& device = program_.devices[index(rank)];
      std::ranges::fill(held, std::uint8_t{0});
      for (int i = 0; i < static_cast<int>(device.instructions.size()); ++i) {
        const Instruction& instruction = device.instructions[index(i)];
        if (is_stage_work(instruction.op)) {
          check_stage_work(instruction, {rank, i}, held);
        } else if (is_message(instruction.op)) {
          check_message_input(instruction, {rank, i}, held);
        } else if (instruction.op == Op::update) {
          std::ranges::fill(held, std::uint8_t{0});
        }
      }
    }
  }

  void check_stage_work(const Instruction& work, InstructionPlace place,
                        std::vector<std::uint8_t>& held) {
    const int stage = work.stage;
    const int microbatch = work.microbatch;
    if (!in_range(stage, microbatch)) return;
    if (!holds(place.rank, stage)) {
      faults_.add("wrong_device", place_text(place),
                  "\"" + to_text(work) + "\" is on device " + std::to_string(place.rank) +
                      ", which does not hold stage " + std::to_string(stage) + ".");
      return;
    }
    std::uint8_t& here = held[cell(stage, microbatch)];
    const auto need = [&](bool has, std::string_view what) {
      if (has) return;
      faults_.add("missing_input", place_text(place),
                  "\"" + to_text(work) + "\" needs " + std::string(what) +
                      ", which the device has neither made nor received before.");
    };
    if (work.op == Op::forward) {
      need(stage == 0 || (held[cell(stage - 1, microbatch)] & kOutput),
           "the activation of the stage before");
      here |= kOutput | kForwardDone;
    } else if (work.op == Op::backward_weight) {
      need(here & kInputGradientDone, "the backward_input of the same cell");
    } else {
      need(here & kForwardDone, "the forward of the same cell");
      need(stage == program_.stages - 1 || (here & kOutputGradient),
           "the activation_gradient from the stage after");
      here |= kInputGradientDone;
      if (stage > 0) held[cell(stage - 1, microbatch)] |= kOutputGradient;
    }
  }

  void check_message_input(const Instruction& message, InstructionPlace place,
                           std::vector<std::uint8_t>& held) {
    const TensorName& tensor = message.tensor;
    if (!is_of_microbatch(tensor.kind)) return;  // every device has these from the start
    if (!in_range(tensor.stage, tensor.microbatch)) return;
    std::uint8_t& here = held[cell(tensor.stage, tensor.microbatch)];
    const std::uint8_t bit = tensor.kind == TensorKind::activation ? kOutput : kOutputGradient;
    if (message.op != Op::receive && !(here & bit)) {
      faults_.add("missing_input", place_text(place),
                  "\"" + to_text(message) +
                      "\" needs a tensor that the device has neither made nor received before.");
    }
    if (is_receive(message.op)) here |= bit;
  }

  /// Replica and shard: who does all of the model's work together.
  using Member = std::pair<int, int>;

  void check_work() {
    std::set<Member> members;
    bool any_work = false;
    for (const DeviceProgram& device : program_.devices) {
      members.insert({device.replica, device.shard});
      for (const Instruction& instruction : device.instructions) {
        if (!is_stage_work(instruction.op)) continue;
        any_work = true;
        if (instruction.op != Op::forward) any_backward_ = true;
      }
    }
    if (!any_work) return;
    check_updates();
    for (int step = 0; step < step_count(program_); ++step) {
      for (const Member& member : members) check_member(member, step);
    }
  }

  /// All devices end their steps together, and nothing comes behind the last.
  void check_updates() {
    const int steps = step_count(program_);
    for (int rank = 0; rank < ranks_; ++rank) {
      const std::vector<Instruction>& list = program_.devices[index(rank)].instructions;
      const auto updates = std::ranges::count(list, Op::update, &Instruction::op);
      if (updates == 0 && steps == 1 && !has_update()) return;
      if (updates != steps) {
        faults_.add("unequal_steps", device_text(rank),
                    "This device has " + std::to_string(updates) + " updates and another " +
                        std::to_string(steps) + ".");
      } else if (list.back().op != Op::update) {
        faults_.add("unequal_steps", device_text(rank),
                    "The last instruction is not the update that ends the last step.");
      }
    }
  }

  bool has_update() const {
    return std::ranges::any_of(program_.devices, [](const DeviceProgram& device) {
      return std::ranges::count(device.instructions, Op::update, &Instruction::op) > 0;
    });
  }

  void check_member(const Member& member, int step) {
    std::vector<WorkCount> counts(cells());
    std::vector<int> step_of(index(ranks_), 0);
    each_instruction([&](const Instruction& work, InstructionPlace place) {
      const DeviceProgram& device = program_.devices[index(place.rank)];
      int& now = step_of[index(place.rank)];
      if (work.op == Op::update) ++now;
      if (now != step || Member(device.replica, device.shard) != member) return;
      if (!is_stage_work(work.op) || !in_range(work.stage, work.microbatch)) return;
      ++counts[cell(work.stage, work.microbatch)].of(work.op);
    });
    std::string where = "replica " + std::to_string(member.first);
    if (program_.shards > 1) where += ", shard " + std::to_string(member.second);
    if (step > 0) where += ", step " + std::to_string(step);
    for (int stage = 0; stage < program_.stages; ++stage) {
      for (int microbatch = 0; microbatch < program_.microbatches; ++microbatch) {
        if (faults_.full()) return;
        const std::string on =
            " of stage " + std::to_string(stage) + " on microbatch " + std::to_string(microbatch);
        check_count(counts[cell(stage, microbatch)], where, on);
      }
    }
  }

  void check_count(const WorkCount& count, const std::string& where, const std::string& on) {
    const auto check_once = [&](int times, std::string_view what) {
      if (times == 0) {
        faults_.add("missing_work", where, "The " + std::string(what) + on + " is missing.");
      } else if (times > 1) {
        faults_.add(
            "doubled_work", where,
            "The " + std::string(what) + on + " is done " + std::to_string(times) + " times.");
      }
    };
    check_once(count.forward, "forward");
    if (!any_backward_) return;
    const bool halves = count.backward_input > 0 || count.backward_weight > 0;
    if (count.backward > 0 && halves) {
      faults_.add("doubled_work", where,
                  "The backward" + on + " is done whole and again in halves.");
    } else if (halves) {
      check_once(count.backward_input, "backward_input");
      check_once(count.backward_weight, "backward_weight");
    } else {
      check_once(count.backward, "backward");
    }
  }

  void check_messages() {
    const MessageEnds ends = match_messages(program_);
    each_instruction([&](const Instruction& message, InstructionPlace place) {
      if (message.op != Op::send && !is_receive(message.op)) return;
      if (!within(message.peer, ranks_) || message.peer == place.rank) return;
      if (ends[index(place.rank)][index(place.index)].exists()) return;
      const std::string peer = device_text(message.peer);
      if (message.op == Op::send) {
        faults_.add("no_receive", place_text(place),
                    "\"" + to_text(message) + "\": " + peer + " has no receive for it.");
      } else {
        faults_.add("no_send", place_text(place),
                    "\"" + to_text(message) + "\": " + peer + " has no send for it.");
      }
    });
    check_waits(ends);
  }

  void check_waits(const MessageEnds& ends) {
    const std::vector<int> stopped_at = run_order(program_, ends).stopped_at;
    std::vector<int> waits_for(index(ranks_), -1);
    for (int rank = 0; rank < ranks_; ++rank) {
      const int at = stopped_at[index(rank)];
      if (at == static_cast<int>(program_.devices[index(rank)].instructions.size())) continue;
      waits_for[index(rank)] = ends[index(rank)][index(at)].rank;
    }
    for (const std::vector<int>& cycle : wait_cycles(waits_for)) {
      std::string message;
      for (const int rank : cycle) {
        const int at = stopped_at[index(rank)];
        message += (message.empty() ? "" : ", which ") + std::string() +
                   (message.empty() ? device_text(rank) + " waits" : "waits") + " at instruction " +
                   std::to_string(at) + " (" +
                   to_text(program_.devices[index(rank)].instructions[index(at)]) + ") for " +
                   device_text(waits_for[index(rank)]);
      }
      faults_.add("deadlock", device_text(cycle.front()), message + ".");
    }
  }

  const Program& program_;
  int ranks_;
  bool any_backward_ = false;
  FaultList faults_;
};

}  // namespace

std::vector<Error> validate(const Program& program) {
  return Validation(program).run();
}

}  // namespace lockstep
