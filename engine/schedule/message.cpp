#include "schedule/message.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <optional>
#include <utility>

#include "schedule/action.h"
#include "schedule/lower.h"
#include "schedule/validate_communication.h"

namespace lockstep {
namespace {

using enum CommunicationKind;

/// The instruction of an action on `rank`; nothing where there is none.
std::optional<Instruction> instruction_of(const CommunicationAction& action, int rank,
                                          const Schedule& work) {
  if (is_of_weights(action.kind)) return std::nullopt;
  if (is_work(action.kind)) {
    return Instruction{.op = action_op(static_cast<ActionKind>(action.kind)),
                       .stage = action.stage,
                       .microbatch = action.microbatch};
  }
  const int stages = static_cast<int>(work.stage_rank.size());
  const int other = other_stage(action);
  if (other < 0 || other >= stages || action.stage >= stages) return std::nullopt;
  const int peer = work.rank_of(other, action.microbatch);
  if (peer == rank) return std::nullopt;
  const bool sends = action.kind == send_forward || action.kind == send_backward;
  const bool is_forward = action.kind == send_forward || action.kind == receive_forward;
  // What passes between two stages is named after the first of them.
  return Instruction{
      .op = sends ? Op::send : Op::receive,
      .tensor = {.kind = is_forward ? TensorKind::activation : TensorKind::activation_gradient,
                 .stage = std::min(action.stage, other),
                 .microbatch = action.microbatch},
      .peer = peer};
}

}  // namespace

int other_stage(const CommunicationAction& message) {
  assert(is_message(message.kind));
  const bool next = message.kind == send_forward || message.kind == receive_backward;
  return next ? message.stage + 1 : message.stage - 1;
}

CommunicationAction other_end(const CommunicationAction& message) {
  const auto kind = [&message] {
    switch (message.kind) {
      case send_forward:
        return receive_forward;
      case receive_forward:
        return send_forward;
      case send_backward:
        return receive_backward;
      default:
        return send_backward;
    }
  };
  return {.kind = kind(), .stage = other_stage(message), .microbatch = message.microbatch};
}

TracedProgram trace_program(const CommunicationSchedule& schedule, const Schedule& work) {
  TracedProgram traced = {.program = lower(work), .actions = {}};
  for (int rank = 0; rank < static_cast<int>(schedule.ranks.size()); ++rank) {
    const auto& row = schedule.ranks[static_cast<std::size_t>(rank)];
    std::vector<Instruction>& list =
        traced.program.devices[static_cast<std::size_t>(rank)].instructions;
    std::vector<int>& actions = traced.actions.emplace_back();
    list.clear();
    for (int i = 0; i < static_cast<int>(row.size()); ++i) {
      const std::optional<Instruction> instruction =
          instruction_of(row[static_cast<std::size_t>(i)], rank, work);
      if (!instruction) continue;
      list.push_back(*instruction);
      actions.push_back(i);
    }
  }
  return traced;
}

Result<Program> to_program(const CommunicationSchedule& schedule) {
  const std::vector<Error> faults = validate_communication(schedule);
  if (!faults.empty()) return faults.front();
  return trace_program(schedule, work_of(schedule)).program;
}

}  // namespace lockstep
