#include "schedule/lower.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "program/instruction.h"
#include "schedule/action.h"

namespace lockstep {
namespace {

/// Writes one rank's instructions.
class Lowering {
 public:
  Lowering(const Schedule& schedule, int rank) : schedule_(schedule), rank_(rank) {}

  std::vector<Instruction> instructions(const std::vector<Action>& actions) {
    list_.reserve(3 * actions.size());  // at most a receive and a send with each
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const bool is_pair = actions[i].overlaps_next && i + 1 < actions.size();
      add(std::span(actions).subspan(i, is_pair ? 2 : 1));
      if (is_pair) ++i;
    }
    return std::move(list_);
  }

 private:
  /// Receives what all of them need, does them, sends what they made.
  void add(std::span<const Action> together) {
    for (const Action& action : together) receive_needs(action);
    for (const Action& action : together) {
      list_.push_back(
          {.op = action_op(action.kind), .stage = action.stage, .microbatch = action.microbatch});
    }
    for (const Action& action : together) send_made(action);
  }

  void receive_needs(const Action& action) {
    switch (action.kind) {
      case ActionKind::forward:
        return message(Op::receive, TensorKind::activation, action.stage - 1, action);
      case ActionKind::backward:
      case ActionKind::backward_input:
        return message(Op::receive, TensorKind::activation_gradient, action.stage + 1, action);
      case ActionKind::backward_weight:
        return;
    }
  }

  void send_made(const Action& action) {
    switch (action.kind) {
      case ActionKind::forward:
        return message(Op::send, TensorKind::activation, action.stage + 1, action);
      case ActionKind::backward:
      case ActionKind::backward_input:
        return message(Op::send, TensorKind::activation_gradient, action.stage - 1, action);
      case ActionKind::backward_weight:
        return;
    }
  }

  /// A message of `action` to or from the holder of its `neighbour` stage, where that is another
  /// rank. What passes between two stages is named after the first of them.
  void message(Op op, TensorKind kind, int neighbour, const Action& action) {
    if (neighbour < 0 || neighbour >= static_cast<int>(schedule_.stage_rank.size())) return;
    const int peer = schedule_.rank_of(neighbour, action.microbatch);
    if (peer == rank_) return;
    const TensorName tensor = {kind, std::min(neighbour, action.stage), action.microbatch};
    list_.push_back({.op = op, .tensor = tensor, .peer = peer});
  }

  const Schedule& schedule_;
  int rank_;
  std::vector<Instruction> list_;
};

}  // namespace

Program lower(const Schedule& schedule) {
  Program program{.name = schedule.name,
                  .stages = static_cast<int>(schedule.stage_rank.size()),
                  .microbatches = schedule.microbatches};
  program.devices.resize(schedule.ranks.size());
  for (int rank = 0; rank < static_cast<int>(schedule.ranks.size()); ++rank) {
    const std::vector<Action>& actions = schedule.ranks[static_cast<std::size_t>(rank)];
    program.devices[static_cast<std::size_t>(rank)].instructions =
        Lowering(schedule, rank).instructions(actions);
  }
  const auto hold = [&program](int rank, int stage) {
    if (rank < 0 || rank >= static_cast<int>(program.devices.size())) return;
    program.devices[static_cast<std::size_t>(rank)].stages.push_back(stage);
  };
  for (int stage = 0; stage < program.stages; ++stage) {
    const int first = schedule.rank_of(stage, 0);
    const int last = schedule.rank_of(stage, schedule.microbatches);
    hold(first, stage);
    if (last != first) hold(last, stage);
  }
  return program;
}

std::vector<InstructionPlace> overlapping_pairs(const Schedule& schedule, const Program& program) {
  std::vector<InstructionPlace> pairs;
  for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
    const std::vector<Instruction>& list = program.devices[rank].instructions;
    std::size_t at = 0;
    for (const Action& action : schedule.ranks[rank]) {
      while (!is_stage_work(list[at].op)) ++at;
      if (action.overlaps_next) pairs.push_back({static_cast<int>(rank), static_cast<int>(at)});
      ++at;
    }
  }
  return pairs;
}

}  // namespace lockstep
