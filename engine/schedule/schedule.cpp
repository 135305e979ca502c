#include "schedule/schedule.h"

#include <algorithm>
#include <cstddef>

namespace lockstep {

bool frees(ActionKind kind, Freeing freeing) {
  const bool at_input = freeing == Freeing::at_input_gradient;
  return kind == ActionKind::backward ||
         kind == (at_input ? ActionKind::backward_input : ActionKind::backward_weight);
}

int Schedule::rank_of(int stage, int microbatch) const {
  const bool is_second = !second_half_rank.empty() && microbatch >= microbatches / 2;
  return (is_second ? second_half_rank : stage_rank)[static_cast<std::size_t>(stage)];
}

bool Schedule::has_backward() const {
  return std::ranges::any_of(ranks, [](const std::vector<Action>& actions) {
    return std::ranges::any_of(
        actions, [](const Action& action) { return action.kind != ActionKind::forward; });
  });
}

}  // namespace lockstep
