#include "device/fault_injector.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "core/random.h"
#include "device/message.h"
#include "program/instruction.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kInjectorStream = 34;  // of core/random.h
constexpr std::size_t kVersionByte = 4;        // of device/message.h

void put_value(Message& message, std::size_t index, double value) {
  const auto put = [&](auto number) {
    std::memcpy(message.values.data() + index * sizeof number, &number, sizeof number);
  };
  if (message.precision == Precision::float32) {
    put(static_cast<float>(value));
  } else {
    put(value);
  }
}

}  // namespace

FaultInjector::FaultInjector(const FaultPlan& plan, std::size_t devices)
    : plan_(plan), struck_(plan.faults.size(), false), states_(devices) {}

Turn FaultInjector::turn(const Device& device, std::int64_t now) {
  State& state = states_[static_cast<std::size_t>(device.rank())];
  if (const Turn struck = strike_device(device, now, state); struck != Turn::go) return struck;
  if (state.hung || now < state.paused_until) return stall(state);
  if (!state.slow || ++state.turns_waited == kSlowTurns) {
    state.turns_waited = 0;
    return Turn::go;
  }
  return stall(state);
}

Turn FaultInjector::stall(State& state) {
  ++state.stalls;
  return Turn::stall;
}

Turn FaultInjector::strike_device(const Device& device, std::int64_t now, State& state) {
  const Instruction* next = device.next_instruction();
  if (next == nullptr) return Turn::go;
  for (std::size_t i = 0; i < plan_.faults.size(); ++i) {
    const PlannedFault& fault = plan_.faults[i];
    if (struck_[i] || fault.device != device.rank() || now < fault.when) continue;
    struck_[i] = true;
    switch (fault.kind) {
      case FaultKind::hang:
        state.hung = true;
        break;
      case FaultKind::slow:
        state.slow = true;
        break;
      case FaultKind::pause:
        state.paused_until = now + kDelayTicks;
        break;
      case FaultKind::out_of_memory:
        return Turn::out_of_memory;
      case FaultKind::crash_before_send:
        if (next->op == Op::send && (fault.send == kAnySend || fault.send == device.position())) {
          state.crashed = true;
          return Turn::crash;
        }
        struck_[i] = false;
        break;
      default:
        struck_[i] = false;
    }
  }
  return Turn::go;
}

MessageFate FaultInjector::send(const SendPlace& place, std::int64_t now,
                                std::vector<std::byte>& bytes) {
  MessageFate fate;
  for (std::size_t i = 0; i < plan_.faults.size(); ++i) {
    const PlannedFault& fault = plan_.faults[i];
    if (struck_[i] || fault.device != place.device || now < fault.when) continue;
    if (fault.send != kAnySend && fault.send != place.instruction) continue;
    struck_[i] = true;
    switch (fault.kind) {
      case FaultKind::delay:
        fate.delay = kDelayTicks;
        break;
      case FaultKind::reorder:
        fate.behind_next = true;
        break;
      case FaultKind::duplicate:
        fate.copies *= 2;
        break;
      case FaultKind::drop:
        fate.copies = 0;
        break;
      case FaultKind::crash_after_send:
        fate.sender_crashes = true;
        states_[static_cast<std::size_t>(place.device)].crashed = true;
        break;
      default:
        struck_[i] = change_bytes(fault, place, bytes);
    }
    fate.struck = fate.struck || struck_[i];
  }
  fate.copies = std::min(fate.copies, 2);
  return fate;
}

/// Whether the fault could change the message: one of the kinds that do, and one that fits it.
bool FaultInjector::change_bytes(const PlannedFault& fault, const SendPlace& place,
                                 std::vector<std::byte>& bytes) {
  switch (fault.kind) {
    case FaultKind::truncate:
      if (bytes.empty()) return false;
      bytes.resize(draw(bytes.size()));
      return true;
    case FaultKind::bit_flip:
      if (bytes.empty()) return false;
      bytes[draw(bytes.size())] ^= std::byte{1} << draw(8);
      return true;
    case FaultKind::version_mismatch:
      if (bytes.size() <= kVersionByte) return false;
      bytes[kVersionByte] = static_cast<std::byte>(kMessageVersion + 1);
      return true;
    default:
      break;
  }
  Result<Message> decoded = decode_message(bytes);
  if (!decoded.ok()) return false;  // an earlier fault has already spoilt it
  Message& message = decoded.value();
  const std::size_t per_value = bytes_per_value(message.precision);
  const std::size_t values = message.values.size() / per_value;
  switch (fault.kind) {
    case FaultKind::stale_step:
      --message.step;
      break;
    case FaultKind::wrong_shape:
      ++message.rows;
      message.values.resize(message.values.size() +
                            static_cast<std::size_t>(message.columns) * per_value);
      break;
    case FaultKind::wrong_rank:
      message.to = (message.to + 1) % place.ranks;
      break;
    case FaultKind::nan:
    case FaultKind::infinity:
      if (values == 0) return false;
      put_value(message, draw(values),
                fault.kind == FaultKind::nan ? std::numeric_limits<double>::quiet_NaN()
                                             : std::numeric_limits<double>::infinity());
      break;
    default:
      return false;
  }
  bytes = encode_message(message);
  return true;
}

std::size_t FaultInjector::draw(std::size_t bound) {
  return random_below(plan_.seed, kInjectorStream, draws_++, bound);
}

std::vector<PlannedFault> FaultInjector::struck() const {
  std::vector<PlannedFault> faults;
  for (std::size_t i = 0; i < struck_.size(); ++i) {
    if (struck_[i]) faults.push_back(plan_.faults[i]);
  }
  return faults;
}

}  // namespace lockstep
