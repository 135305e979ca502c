#include "device/device.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <string>
#include <utility>

#include "device/message.h"
#include "program/instruction.h"

namespace lockstep {
namespace {

std::string device_place(int rank) {
  return "device " + std::to_string(rank);
}

/// The activations and their gradients that an instruction reads or makes.
std::vector<TensorName> tensors_used(const Instruction& instruction, int last_stage) {
  const auto name = [&instruction](TensorKind kind, int stage) {
    return TensorName{.kind = kind, .stage = stage, .microbatch = instruction.microbatch};
  };
  const int stage = instruction.stage;
  switch (instruction.op) {
    case Op::forward: {
      std::vector<TensorName> used = {name(TensorKind::activation, stage)};
      if (stage > 0) used.push_back(name(TensorKind::activation, stage - 1));
      if (stage == last_stage) used.push_back(name(TensorKind::activation_gradient, stage));
      return used;
    }
    case Op::backward:
    case Op::backward_input: {
      std::vector<TensorName> used = {name(TensorKind::activation_gradient, stage)};
      if (stage > 0) used.push_back(name(TensorKind::activation_gradient, stage - 1));
      return used;
    }
    case Op::send:
    case Op::receive:
    case Op::receive_add:
      if (!is_of_microbatch(instruction.tensor.kind)) return {};
      return {whole_of(instruction.tensor)};
    case Op::backward_weight:
    case Op::scale:
    case Op::update:
      return {};
  }
  return {};
}

/// By instruction, the tensors that it is the last to use in its step of training.
std::vector<std::vector<TensorName>> last_uses(const std::vector<Instruction>& instructions,
                                               int last_stage) {
  std::map<TensorName, std::size_t> last;
  std::vector<std::vector<TensorName>> dead_after(instructions.size());
  const auto end_step = [&] {
    for (const auto& [tensor, i] : last) dead_after[i].push_back(tensor);
    last.clear();
  };
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    for (const TensorName& tensor : tensors_used(instructions[i], last_stage)) last[tensor] = i;
    if (instructions[i].op == Op::update) end_step();
  }
  end_step();
  return dead_after;
}

/// The shape of what each send and receive carries; of the rest nothing.
std::vector<TensorShape> carried_shapes(const Program& program, const TrainingSet& data,
                                        const DeviceProgram& device) {
  std::vector<TensorShape> shapes;
  for (const Instruction& instruction : device.instructions) {
    const bool carries = is_message(instruction.op);
    shapes.push_back(carries ? tensor_shape(program, data, device, instruction.tensor)
                             : TensorShape{});
  }
  return shapes;
}

}  // namespace

Result<Device> Device::make(const Program& program, const TrainingSet& data, int rank,
                            std::uint32_t step) {
  if (Status status = check_run(program, data); !status.ok()) return status.error();
  const int devices = static_cast<int>(program.devices.size());
  if (rank < 0 || rank >= devices) {
    return Error{"unknown_device", device_place(rank),
                 "the program has devices 0 to " + std::to_string(devices - 1)};
  }
  return Device(program, data, rank, step);
}

Device::Device(const Program& program, const TrainingSet& data, int rank, std::uint32_t step)
    : rank_(rank),
      step_(step),
      precision_(data.precision),
      instructions_(program.devices[static_cast<std::size_t>(rank)].instructions),
      shapes_(carried_shapes(program, data, program.devices[static_cast<std::size_t>(rank)])),
      dead_after_(last_uses(instructions_, program.stages - 1)),
      inbox_(program, data, rank, step),
      tensors_(precision_ == Precision::float32
                   ? Tensors(DeviceTensors<float>(program, data, rank))
                   : Tensors(DeviceTensors<double>(program, data, rank))) {
  const auto size =
      std::visit([](const auto& tensors) { return tensors.gradient().size(); }, tensors_);
  counters_.gradient_bytes = static_cast<std::int64_t>(size * bytes_per_value(precision_));
  counters_.weight_bytes = counters_.gradient_bytes;
  updates_ = std::ranges::count(instructions_, Op::update, &Instruction::op) > 0;
  if (updates_) counters_.optimizer_bytes = counters_.weight_bytes * state_count(data.optimizer);
}

Status Device::deliver(std::span<const std::byte> message) {
  Status status = inbox_.accept(message);
  if (status.ok()) return status;
  Error error = status.error();
  error.where = device_place(rank_) + ", " + error.where;
  return error;
}

StepResult Device::step() {
  if (failure_) return Failed{*failure_};
  if (next_ == static_cast<int>(instructions_.size())) return Done{};
  const auto at = static_cast<std::size_t>(next_);
  const Instruction& instruction = instructions_[at];
  if (instruction.op != Op::update) {
    std::visit([](auto& tensors) { tensors.begin_step_if_due(); }, tensors_);
  }
  if (is_receive(instruction.op) && !inbox_.holds(next_)) {
    return Blocked{next_, instruction.peer};
  }
  Status status = run(instruction);
  if (status.ok() && at + 1 == instructions_.size()) {
    status = std::visit([](const auto& tensors) { return tensors.check_gradient(); }, tensors_);
  }
  if (!status.ok()) {
    failure_ = located(status.error());
    return Failed{*failure_};
  }
  std::visit(
      [this, at](auto& tensors) {
        for (const TensorName& tensor : dead_after_[at]) tensors.drop(tensor);
        const std::size_t bytes = tensors.activation_count() * bytes_per_value(precision_);
        counters_.activation_bytes_peak =
            std::max(counters_.activation_bytes_peak, static_cast<std::int64_t>(bytes));
      },
      tensors_);
  return Ran{next_++};
}

Status Device::run(const Instruction& instruction) {
  if (instruction.op == Op::send) {
    send(instruction);
    return fine();
  }
  count_in_flight(instruction.op);
  return std::visit(
      [this, &instruction](auto& tensors) {
        const int stage = instruction.stage;
        const int microbatch = instruction.microbatch;
        Status status = fine();
        switch (instruction.op) {
          case Op::forward:
            return tensors.forward(stage, microbatch);
          case Op::backward:
            status = tensors.backward_input(stage, microbatch);
            if (status.ok()) tensors.backward_weight(stage, microbatch);
            return status;
          case Op::backward_input:
            return tensors.backward_input(stage, microbatch);
          case Op::backward_weight:
            tensors.backward_weight(stage, microbatch);
            return status;
          case Op::receive:
            tensors.write(instruction.tensor, shapes_[static_cast<std::size_t>(next_)],
                          inbox_.take(next_));
            return status;
          case Op::receive_add:
            tensors.add(instruction.tensor, inbox_.take(next_));
            return status;
          case Op::scale:
            tensors.scale(instruction.numerator, instruction.denominator);
            return status;
          case Op::update:
            status = tensors.check_gradient();
            if (status.ok()) tensors.update();
            return status;
          case Op::send:
            return status;
        }
        return status;
      },
      tensors_);
}

void Device::send(const Instruction& instruction) {
  const TensorShape shape = shapes_[static_cast<std::size_t>(next_)];
  Message message = {rank_,      instruction.peer, step_,         next_, instruction.tensor,
                     precision_, shape.rows,       shape.columns, {}};
  message.values = std::visit(
      [&instruction](const auto& tensors) { return tensors.read(instruction.tensor); }, tensors_);
  ++counters_.messages_sent;
  counters_.bytes_sent += static_cast<std::int64_t>(message.values.size());
  outbox_.push_back({message.to, encode_message(message)});
}

void Device::count_in_flight(Op op) {
  if (op == Op::forward) {
    ++in_flight_;
    ++in_flight_input_;
  }
  if (op == Op::backward || op == Op::backward_weight) --in_flight_;
  if (op == Op::backward || op == Op::backward_input) --in_flight_input_;
  counters_.in_flight_peak = std::max(counters_.in_flight_peak, in_flight_);
  counters_.in_flight_input_peak = std::max(counters_.in_flight_input_peak, in_flight_input_);
}

Error Device::located(const Error& error) const {
  const std::string place = device_place(rank_) + ", instruction " + std::to_string(next_) + " (" +
                            to_text(instructions_[static_cast<std::size_t>(next_)]) + ")";
  return Error{error.code, place + ", " + error.where,
               "on " + place + " " + error.message + ": use smaller inputs, targets or parameters"};
}

const Instruction* Device::next_instruction() const {
  const auto at = static_cast<std::size_t>(next_);
  return at < instructions_.size() ? &instructions_[at] : nullptr;
}

std::optional<InstructionPlace> Device::awaited_send() const {
  const Instruction* next = next_instruction();
  if (next == nullptr || !is_receive(next->op) || inbox_.holds(next_)) return std::nullopt;
  return inbox_.send_of(next_);
}

DeviceResult Device::result() const {
  assert(next_instruction() == nullptr && !failure_);
  return std::visit(
      [this]<typename T>(const DeviceTensors<T>& tensors) {
        DeviceResult result = {precision_, to_bytes(tensors.gradient()), tensors.loss_sums(), {}};
        if (updates_) result.parameters = to_bytes<T>(tensors.parameters());
        return result;
      },
      tensors_);
}

std::vector<DeviceResult> results_of(const std::vector<Device>& devices) {
  std::vector<DeviceResult> results;
  for (const Device& device : devices) results.push_back(device.result());
  return results;
}

}  // namespace lockstep
