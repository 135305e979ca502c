#include "picture/story.h"

#include <algorithm>
#include <cstddef>

#include "picture/exchange_story.h"
#include "program/instruction.h"

namespace lockstep {
namespace {

bool exchanges_gradients(const DeviceProgram& device) {
  return std::ranges::any_of(device.instructions, [](const Instruction& instruction) {
    return instruction.op == Op::send && !is_of_microbatch(instruction.tensor.kind);
  });
}

bool trains(const DeviceProgram& device) {
  return std::ranges::any_of(device.instructions, [](const Instruction& instruction) {
    return is_stage_work(instruction.op) && instruction.op != Op::forward;
  });
}

bool works_on(const DeviceProgram& device, int stage, int microbatch) {
  return std::ranges::any_of(device.instructions, [=](const Instruction& work) {
    return is_stage_work(work.op) && work.stage == stage && work.microbatch == microbatch;
  });
}

/// Tells of one piece of stage work.
class Teller {
 public:
  Teller(const Program& program, int rank, const Instruction& work)
      : program_(program),
        here_(program.devices[static_cast<std::size_t>(rank)]),
        rank_(rank),
        work_(work) {}

  std::string forward() const {
    return on("Forward") + " Needs: " +
           (first() ? "the rows of microbatch " + microbatch() + "."
                    : "the output of " + neighbour(-1) + ".") +
           " Feeds: " + (last() ? std::string("the loss") : neighbour(1)) +
           (trains(here_) ? ", and the backward of its own stage, which needs what is kept until "
                            "then."
                          : ". Nothing is kept: there is no backward.");
  }

  std::string backward() const {
    return on("Backward") + needs_of_gradient() + feeds_of_gradient() +
           " It also adds to the parameter gradient of stage " + stage() + after_gradient() +
           ", and frees what its forward kept.";
  }

  std::string backward_input() const {
    return on("Input gradient") + needs_of_gradient() + feeds_of_gradient() +
           " The weight gradient of stage " + stage() + " can wait, and needs this first.";
  }

  std::string backward_weight() const {
    return on("Weight gradient") + " Needs: what the forward and the input gradient of stage " +
           stage() + " kept. Feeds: the parameter gradient of stage " + stage() +
           (exchanges_gradients(here_) ? after_gradient() + "."
                                       : ". Nothing waits for it but the end of the step.");
  }

 private:
  std::string stage() const { return std::to_string(work_.stage); }
  std::string microbatch() const { return std::to_string(work_.microbatch); }
  bool first() const { return work_.stage == 0; }
  bool last() const { return work_.stage == program_.stages - 1; }

  std::string on(std::string_view what) const {
    return std::string(what) + " of microbatch " + microbatch() + " on stage " + stage() +
           " (device " + std::to_string(rank_) + ").";
  }

  std::string needs_of_gradient() const {
    return " Needs: " +
           (last() ? "the gradient of the loss" : "the gradient from " + neighbour(1)) +
           ", and what its forward kept.";
  }

  std::string feeds_of_gradient() const {
    return first() ? std::string(" No stage comes before: it feeds none.")
                   : " Feeds: " + neighbour(-1) + ".";
  }

  std::string after_gradient() const {
    return exchanges_gradients(here_) ? ", which the exchange with the other devices needs" : "";
  }

  /// "stage 2 on device 3", or "stage 2 on this device".
  std::string neighbour(int step) const {
    const int wanted = work_.stage + step;
    const auto holds = [&](const DeviceProgram& device) {
      return device.replica == here_.replica && std::ranges::count(device.stages, wanted) > 0;
    };
    const bool has_copies = std::ranges::count_if(program_.devices, holds) > 1;
    const auto holder = std::ranges::find_if(program_.devices, [&](const DeviceProgram& device) {
      return holds(device) && (!has_copies || works_on(device, wanted, work_.microbatch));
    });
    const auto peer = holder - program_.devices.begin();
    return "stage " + std::to_string(wanted) + " on " +
           (peer == rank_ ? std::string("this device") : "device " + std::to_string(peer));
  }

  const Program& program_;
  const DeviceProgram& here_;
  int rank_;
  const Instruction& work_;
};

}  // namespace

std::string story(const Program& program, const MessageEnds& ends, InstructionPlace place) {
  const DeviceProgram& device = program.devices[static_cast<std::size_t>(place.rank)];
  const Instruction& work = device.instructions[static_cast<std::size_t>(place.index)];
  const Teller teller(program, place.rank, work);
  switch (work.op) {
    case Op::forward:
      return teller.forward();
    case Op::backward:
      return teller.backward();
    case Op::backward_input:
      return teller.backward_input();
    case Op::backward_weight:
      return teller.backward_weight();
    case Op::scale:
      return scale_story(device, place.index);
    case Op::send:
    case Op::receive:
    case Op::receive_add:
      return message_story(program, ends, place);
    case Op::update:
      return "The optimizer's step on this device's parameters. Needs: their gradient. Feeds: the "
             "next step of training.";
  }
  return {};
}

}  // namespace lockstep
