#include "device/fault_plan.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/nearest.h"
#include "core/random.h"
#include "program/instruction.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kPlanStream = 33;  // of core/random.h

using enum FaultOutcome;

constexpr std::array kKinds = {
    FaultKindRow{FaultKind::stale_step, "stale_step", true, error, "stale_step",
                 "a message says that it belongs to the step before"},
    FaultKindRow{FaultKind::wrong_shape, "wrong_shape", true, error, "wrong_shape",
                 "a message has a row more than it should"},
    FaultKindRow{FaultKind::wrong_rank, "wrong_rank", true, error, "wrong_device",
                 "a message says that it is for another device"},
    FaultKindRow{FaultKind::nan, "nan", true, error, "not_finite",
                 "a number of a message is not a number"},
    FaultKindRow{FaultKind::infinity, "infinity", true, error, "not_finite",
                 "a number of a message is infinite"},
    FaultKindRow{FaultKind::truncate, "truncate", true, error, "",
                 "the end of a message is lost on the wire"},
    FaultKindRow{FaultKind::bit_flip, "bit_flip", true, error, "",
                 "one bit of a message changes on the wire"},
    FaultKindRow{FaultKind::version_mismatch, "version_mismatch", true, error, "message_version",
                 "a message is of a newer format"},
    FaultKindRow{FaultKind::delay, "delay", true, right, "", "a message is held for 500 ticks"},
    FaultKindRow{FaultKind::reorder, "reorder", true, right, "",
                 "a message arrives after the sender's next one"},
    FaultKindRow{FaultKind::duplicate, "duplicate", true, right, "", "a message arrives twice"},
    FaultKindRow{FaultKind::drop, "drop", true, error, "message_lost", "a message never arrives"},
    FaultKindRow{FaultKind::crash_before_send, "crash_before_send", false, error, "device_crashed",
                 "a device ends just before it sends"},
    FaultKindRow{FaultKind::crash_after_send, "crash_after_send", false, error, "device_crashed",
                 "a device ends just after it sent"},
    FaultKindRow{FaultKind::hang, "hang", false, error, "device_hung",
                 "a device does nothing any more"},
    FaultKindRow{FaultKind::slow, "slow", false, right_or_error, "device_hung",
                 "a device takes 100 turns for each instruction"},
    FaultKindRow{FaultKind::out_of_memory, "out_of_memory", false, error, "out_of_memory",
                 "a device gets no memory for its next instruction"},
    FaultKindRow{FaultKind::pause, "pause", false, right, "", "a device rests for 500 ticks"},
};

bool takes_send(FaultKind kind) {
  return kind <= FaultKind::crash_after_send;
}

std::vector<int> sends_of(const Device& device) {
  std::vector<int> sends;
  const std::span<const Instruction> instructions = device.instructions();
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    if (instructions[i].op == Op::send) sends.push_back(static_cast<int>(i));
  }
  return sends;
}

/// What a run takes without faults at most: a tick an instruction, at most two a message and two a
/// device.
std::int64_t work_ticks(std::span<const Device> devices) {
  std::size_t ticks = 0;
  for (const Device& device : devices) {
    ticks += device.instructions().size() + 2 * sends_of(device).size() + 2;
  }
  return static_cast<std::int64_t>(ticks);
}

Status check_fault(const PlannedFault& fault, const std::string& place,
                   std::span<const Device> devices) {
  const auto kind = static_cast<std::size_t>(fault.kind);
  if (kind >= kKinds.size()) {
    return Error{"unknown_fault", place + "/kind",
                 "there are faults of " + std::to_string(kKinds.size()) + " kinds, and this is " +
                     "none of them"};
  }
  if (fault.device < 0 || static_cast<std::size_t>(fault.device) >= devices.size()) {
    return Error{"unknown_device", place + "/device",
                 "the run has devices 0 to " + std::to_string(devices.size() - 1) +
                     ", and no device " + std::to_string(fault.device)};
  }
  if (fault.when < 0) {
    return Error{"negative_tick", place + "/when",
                 "ticks count from 0, and this is " + std::to_string(fault.when)};
  }
  if (fault.send == kAnySend) return fine();
  const std::string name(kKinds[kind].name);
  if (!takes_send(fault.kind)) {
    return Error{"unknown_send", place + "/send", "a fault of the kind " + name + " has no send"};
  }
  const auto instructions = devices[static_cast<std::size_t>(fault.device)].instructions();
  const bool there = fault.send >= 0 &&
                     static_cast<std::size_t>(fault.send) < instructions.size() &&
                     instructions[static_cast<std::size_t>(fault.send)].op == Op::send;
  if (there) return fine();
  return Error{"unknown_send", place + "/send",
               "instruction " + std::to_string(fault.send) + " of device " +
                   std::to_string(fault.device) + " is no send"};
}

}  // namespace

std::span<const FaultKindRow> fault_kinds() {
  return kKinds;
}

Result<FaultKindRow> find_fault_kind(std::string_view name) {
  const auto row = std::ranges::find(kKinds, name, &FaultKindRow::name);
  if (row != kKinds.end()) return *row;
  std::vector<std::string_view> names;
  for (const FaultKindRow& kind : kKinds) names.push_back(kind.name);
  return Error{"unknown_fault", "kind",
               "there is no fault \"" + std::string(name) + "\"" + did_you_mean(name, names)};
}

FaultPlan draw_fault_plan(std::uint64_t seed, std::span<const Device> devices) {
  std::uint64_t index = 0;
  const auto below = [&](std::size_t bound) {
    return random_below(seed, kPlanStream, index++, bound);
  };
  FaultPlan plan{.seed = seed, .faults = {}};
  const std::uint32_t of_four = below(4);
  const std::uint32_t count = of_four < 2 ? 1 : of_four;  // half of the plans have one fault
  const auto ticks = static_cast<std::size_t>(work_ticks(devices));
  while (plan.faults.size() < count) {
    PlannedFault fault;
    fault.kind = static_cast<FaultKind>(below(kKinds.size()));
    fault.device = static_cast<int>(below(devices.size()));
    const std::vector<int> sends = sends_of(devices[static_cast<std::size_t>(fault.device)]);
    if (takes_send(fault.kind) && !sends.empty()) {
      fault.send = sends[below(sends.size())];
    } else {
      fault.when = below(ticks / 2 + 1);
    }
    plan.faults.push_back(fault);
  }
  return plan;
}

Status check_fault_plan(const FaultPlan& plan, std::span<const Device> devices) {
  if (plan.faults.size() > kFaultsMax) {
    return Error{"too_many_faults", "faults",
                 "a plan has at most " + std::to_string(kFaultsMax) + " faults"};
  }
  for (std::size_t i = 0; i < plan.faults.size(); ++i) {
    const std::string place = "faults/" + std::to_string(i);
    if (Status status = check_fault(plan.faults[i], place, devices); !status.ok()) return status;
  }
  return fine();
}

std::int64_t fault_deadline(std::span<const Device> devices, std::size_t faults) {
  constexpr std::int64_t kSlack = 20;
  return kSlack * work_ticks(devices) + static_cast<std::int64_t>(faults) * kDelayTicks;
}

}  // namespace lockstep
