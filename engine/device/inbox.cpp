#include "device/inbox.h"

#include <cassert>
#include <cmath>
#include <string>

#include "core/hash.h"
#include "program/instruction.h"

namespace lockstep {
namespace {

std::string to_text(const TensorShape& shape) {
  return std::to_string(shape.rows) + " by " + std::to_string(shape.columns);
}

/// The index of the first number that is not finite.
template <typename T>
std::optional<std::size_t> find_not_finite(const std::vector<std::byte>& bytes) {
  const std::vector<T> values = from_bytes<T>(bytes);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) return i;
  }
  return std::nullopt;
}

Error refused(const Message& message, const char* code, const std::string& reason) {
  const std::string place = message_place(message);
  return Error{code, place, place + " was refused: " + reason};
}

Status check_finite_values(const Message& message) {
  const std::optional<std::size_t> bad = message.precision == Precision::float32
                                             ? find_not_finite<float>(message.values)
                                             : find_not_finite<double>(message.values);
  if (!bad) return fine();
  const auto columns = static_cast<std::size_t>(message.columns);
  return refused(message, "not_finite",
                 to_text(message.tensor) + " holds a NaN or infinity at row " +
                     std::to_string(*bad / columns) + ", column " + std::to_string(*bad % columns));
}

}  // namespace

Inbox::Inbox(const Program& program, const TrainingSet& data, int rank, std::uint32_t step)
    : rank_(rank), step_(step), precision_(data.precision) {
  const DeviceProgram& device = program.devices[static_cast<std::size_t>(rank)];
  ends_ = match_messages(program)[static_cast<std::size_t>(rank)];
  for (std::size_t i = 0; i < device.instructions.size(); ++i) {
    const Instruction& instruction = device.instructions[i];
    if (!is_receive(instruction.op)) continue;
    const TensorShape shape = tensor_shape(program, data, device, instruction.tensor);
    expected_.emplace(std::pair{ends_[i].rank, ends_[i].index},
                      Expected{instruction.tensor, shape});
  }
}

Status Inbox::accept(std::span<const std::byte> buffer) {
  Result<Message> decoded = decode_message(buffer);
  if (!decoded.ok()) return decoded.error();
  Message& message = decoded.value();
  if (Status status = check(message); !status.ok()) return status;

  Expected& expected = expected_.at({message.from, message.send});
  const std::uint64_t fingerprint = fnv1a(buffer);
  if (expected.fingerprint) {
    if (*expected.fingerprint == fingerprint) return fine();
    return refused(message, "duplicate_differs", "it came before with other values");
  }
  expected.fingerprint = fingerprint;
  expected.values = std::move(message.values);
  return fine();
}

Status Inbox::check(const Message& message) const {
  if (message.to != rank_) {
    return refused(message, "wrong_device",
                   "it is for device " + std::to_string(message.to) + " and came to device " +
                       std::to_string(rank_));
  }
  if (message.step != step_) {
    return refused(message, "stale_step",
                   "it belongs to step " + std::to_string(message.step) + " and this is step " +
                       std::to_string(step_));
  }
  const auto entry = expected_.find({message.from, message.send});
  if (entry == expected_.end()) {
    return refused(message, "unknown_message", "the program has no such send to this device");
  }
  const Expected& expected = entry->second;
  if (message.tensor != expected.tensor) {
    return refused(
        message, "wrong_tensor",
        "it carries " + to_text(message.tensor) + " in place of " + to_text(expected.tensor));
  }
  if (message.precision != precision_) {
    return refused(message, "wrong_precision", "its numbers have another precision than this run");
  }
  const TensorShape shape = {message.rows, message.columns};
  if (shape != expected.shape) {
    return refused(message, "wrong_shape",
                   "it is " + to_text(shape) + " in place of " + to_text(expected.shape));
  }
  return check_finite_values(message);
}

bool Inbox::holds(int receive) const {
  return expected(receive).values.has_value();
}

std::vector<std::byte> Inbox::take(int receive) {
  assert(holds(receive));
  const InstructionPlace send = ends_[static_cast<std::size_t>(receive)];
  std::optional<std::vector<std::byte>>& values = expected_.at({send.rank, send.index}).values;
  return std::exchange(values, std::nullopt).value();
}

const Inbox::Expected& Inbox::expected(int receive) const {
  const InstructionPlace send = ends_[static_cast<std::size_t>(receive)];
  return expected_.at({send.rank, send.index});
}

}  // namespace lockstep
