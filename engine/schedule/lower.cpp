#include "schedule/lower.h"

#include <cstddef>

#include "schedule/action.h"

namespace lockstep {
namespace {

/// Writes one rank's instructions.
class Lowering {
 public:
  Lowering(const Schedule& schedule, int rank) : schedule_(schedule), rank_(rank) {}

  std::vector<Instruction> instructions(const std::vector<Action>& actions) {
    list_.reserve(3 * actions.size());  // at most a receive and a send with each
    for (const Action& action : actions) add(action);
    return std::move(list_);
  }

 private:
  void add(const Action& action) {
    const int before = action.stage - 1;
    const int after = action.stage + 1;
    const TensorName input = {TensorKind::activation, before, action.microbatch};
    const TensorName input_gradient = {TensorKind::activation_gradient, before, action.microbatch};
    const TensorName output = {TensorKind::activation, action.stage, action.microbatch};
    const TensorName output_gradient = {TensorKind::activation_gradient, action.stage,
                                        action.microbatch};
    const Instruction work = {
        .op = action_op(action.kind), .stage = action.stage, .microbatch = action.microbatch};
    switch (action.kind) {
      case ActionKind::forward:
        message(Op::receive, input, before);
        list_.push_back(work);
        message(Op::send, output, after);
        break;
      case ActionKind::backward:
      case ActionKind::backward_input:
        message(Op::receive, output_gradient, after);
        list_.push_back(work);
        message(Op::send, input_gradient, before);
        break;
      case ActionKind::backward_weight:
        list_.push_back(work);
        break;
    }
  }

  /// A message to or from the holder of `stage`, where that is another rank.
  void message(Op op, const TensorName& tensor, int stage) {
    if (stage < 0 || stage >= static_cast<int>(schedule_.stage_rank.size())) return;
    const int peer = schedule_.stage_rank[static_cast<std::size_t>(stage)];
    if (peer != rank_) list_.push_back({.op = op, .tensor = tensor, .peer = peer});
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
  for (int stage = 0; stage < program.stages; ++stage) {
    const int rank = schedule.stage_rank[static_cast<std::size_t>(stage)];
    if (rank < 0 || rank >= static_cast<int>(program.devices.size())) continue;
    program.devices[static_cast<std::size_t>(rank)].stages.push_back(stage);
  }
  return program;
}

}  // namespace lockstep
