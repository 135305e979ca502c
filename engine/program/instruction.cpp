#include "program/instruction.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace lockstep {
namespace {

constexpr std::array<OpRow, 9> kOps = {{
    {Op::forward, "forward"},
    {Op::backward, "backward"},
    {Op::backward_input, "backward_input"},
    {Op::backward_weight, "backward_weight"},
    {Op::send, "send"},
    {Op::receive, "receive"},
    {Op::receive_add, "receive_add"},
    {Op::scale, "scale"},
    {Op::update, "update"},
}};

constexpr std::array<TensorKindRow, 6> kTensorKinds = {{
    {TensorKind::activation, "activation"},
    {TensorKind::activation_gradient, "activation_gradient"},
    {TensorKind::gradient, "gradient"},
    {TensorKind::shared_gradient, "shared_gradient"},
    {TensorKind::parameters, "parameters"},
    {TensorKind::block, "block"},
}};

std::string work_text(int stage, int microbatch) {
  return " stage " + std::to_string(stage) + " microbatch " + std::to_string(microbatch);
}

}  // namespace

std::span<const OpRow> op_table() {
  return kOps;
}

std::string_view op_word(Op op) {
  const auto row = std::ranges::find(kOps, op, &OpRow::op);
  assert(row != kOps.end());
  return row->word;
}

std::span<const TensorKindRow> tensor_kind_table() {
  return kTensorKinds;
}

std::string_view tensor_word(TensorKind kind) {
  const auto row = std::ranges::find(kTensorKinds, kind, &TensorKindRow::kind);
  assert(row != kTensorKinds.end());
  return row->word;
}

bool is_stage_work(Op op) {
  return op == Op::forward || op == Op::backward || op == Op::backward_input ||
         op == Op::backward_weight;
}

bool is_receive(Op op) {
  return op == Op::receive || op == Op::receive_add;
}

bool is_message(Op op) {
  return op == Op::send || is_receive(op);
}

int step_count(const Program& program) {
  std::ptrdiff_t updates = 1;
  for (const DeviceProgram& device : program.devices) {
    updates =
        std::max(updates, std::ranges::count(device.instructions, Op::update, &Instruction::op));
  }
  return static_cast<int>(updates);
}

bool is_of_microbatch(TensorKind kind) {
  return kind == TensorKind::activation || kind == TensorKind::activation_gradient;
}

std::string to_text(const TensorName& tensor) {
  std::string text(tensor_word(tensor.kind));
  if (is_of_microbatch(tensor.kind)) {
    text += work_text(tensor.stage, tensor.microbatch);
    if (tensor == whole_of(tensor)) return text;
  } else if (tensor.kind != TensorKind::block && tensor.stage != kAllStages) {
    text += " stage " + std::to_string(tensor.stage);
  }
  const std::string first = std::to_string(tensor.chunk);
  const std::string of = " of " + std::to_string(tensor.chunks);
  if (tensor.count == 1) return text + " chunk " + first + of;
  return text + " chunks " + first + " to " + std::to_string(tensor.chunk + tensor.count - 1) + of;
}

std::string to_text(const Instruction& instruction) {
  std::string text(op_word(instruction.op));
  if (is_stage_work(instruction.op)) {
    return text + work_text(instruction.stage, instruction.microbatch);
  }
  if (instruction.op == Op::update) return text;
  if (instruction.op == Op::scale) {
    return text + " " + std::to_string(instruction.numerator) + "/" +
           std::to_string(instruction.denominator);
  }
  return text + " " + to_text(instruction.tensor) +
         (instruction.op == Op::send ? " to " : " from ") + std::to_string(instruction.peer);
}

}  // namespace lockstep
