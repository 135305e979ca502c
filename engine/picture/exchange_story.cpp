#include "picture/exchange_story.h"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <span>

#include "program/instruction.h"

namespace lockstep {
namespace {

std::string device_text(int rank) {
  return "device " + std::to_string(rank);
}

std::string work_text(std::string_view what, int stage, int microbatch) {
  return std::string(what) + " of microbatch " + std::to_string(microbatch) + " on stage " +
         std::to_string(stage);
}

bool touches(const Instruction& instruction, const TensorName& tensor) {
  return is_message(instruction.op) && instruction.tensor == tensor;
}

/// What made the tensor that is sent after `before`.
std::string source_text(std::span<const Instruction> before, const TensorName& tensor) {
  switch (tensor.kind) {
    case TensorKind::activation:
      return "the " + work_text("forward", tensor.stage, tensor.microbatch);
    case TensorKind::activation_gradient:
      return "the " + work_text("backward", tensor.stage + 1, tensor.microbatch);
    case TensorKind::gradient:
    case TensorKind::shared_gradient:
    case TensorKind::parameters:
    case TensorKind::block:
      break;
  }
  const auto last =
      std::ranges::find_if(before.rbegin(), before.rend(), [&](const Instruction& instruction) {
        return is_receive(instruction.op) && touches(instruction, tensor);
      });
  return last == before.rend() ? "the gradient of its own backward"
                               : "what came from " + device_text(last->peer);
}

/// What needs the tensor that was received before `after`.
std::string use_text(std::span<const Instruction> after, const TensorName& tensor) {
  switch (tensor.kind) {
    case TensorKind::activation:
      return "the " + work_text("forward", tensor.stage + 1, tensor.microbatch);
    case TensorKind::activation_gradient:
      return "the " + work_text("backward", tensor.stage, tensor.microbatch);
    case TensorKind::gradient:
    case TensorKind::shared_gradient:
    case TensorKind::parameters:
    case TensorKind::block:
      break;
  }
  const auto next = std::ranges::find_if(after, [&](const Instruction& instruction) {
    return instruction.op == Op::scale || touches(instruction, tensor);
  });
  if (next == after.end()) return "the gradient that this device ends with";
  const std::string peer = device_text(next->peer);
  if (next->op == Op::send) return "the send to " + peer;
  if (next->op == Op::scale) return "the mean, for the sum of this chunk is complete";
  return "what is added next, from " + peer;
}

}  // namespace

std::string message_story(const Program& program, const MessageEnds& ends, InstructionPlace place) {
  const auto rank = static_cast<std::size_t>(place.rank);
  const auto index = static_cast<std::size_t>(place.index);
  const std::span<const Instruction> list = program.devices[rank].instructions;
  const Instruction& message = list[index];
  const std::string tensor = "the " + to_text(message.tensor);
  const std::string peer = device_text(message.peer);
  if (message.op != Op::send) {
    return "Takes in " + tensor + " from " + peer +
           (message.op == Op::receive_add ? ", and adds it to its own" : ", and keeps it") + " (" +
           device_text(place.rank) + "). Needs: the send of " + peer +
           ". Feeds: " + use_text(list.subspan(index + 1), message.tensor) + ".";
  }
  const InstructionPlace end = ends[rank][index];
  const bool is_added = end.exists() && program.devices[static_cast<std::size_t>(end.rank)]
                                                .instructions[static_cast<std::size_t>(end.index)]
                                                .op == Op::receive_add;
  return "Sends " + tensor + " (" + device_text(place.rank) +
         "). Needs: " + source_text(list.first(index), message.tensor) + ". Feeds: " + peer +
         (is_added ? ", which adds it to its own." : ", which keeps it.");
}

std::string scale_story(const DeviceProgram& device, int index) {
  const std::span<const Instruction> list = device.instructions;
  const Instruction& scale = list[static_cast<std::size_t>(index)];
  const bool is_last = std::ranges::none_of(
      list.subspan(static_cast<std::size_t>(index) + 1), [](const Instruction& instruction) {
        return instruction.op == Op::send || instruction.op == Op::scale;
      });
  if (!is_last) {
    return "Weighs the gradient of this device by its " + std::to_string(scale.numerator) +
           " rows. Needs: its own backward. Feeds: the sum over all devices.";
  }
  return "Divides the sum of the gradients by " + std::to_string(scale.denominator) +
         ", so that it becomes their mean. Needs: every chunk of the sum. Feeds: the gradient that "
         "this device ends with.";
}

}  // namespace lockstep
