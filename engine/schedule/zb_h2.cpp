#include <string>

#include "schedule/make.h"

namespace lockstep {

Result<Schedule> make_zb_h2(const ScheduleShape& shape) {
  Result<Schedule> made = straight_schedule("zb_h2", shape);
  if (!made.ok()) return made;
  const int least = 2 * shape.ranks - 1;
  if (shape.microbatches < least) {
    return Error{"too_few_microbatches", "microbatches",
                 "The schedule zb_h2 needs at least 2p − 1 = " + std::to_string(least) +
                     " microbatches on " + std::to_string(shape.ranks) + " ranks, not " +
                     std::to_string(shape.microbatches) + "."};
  }
  for (int rank = 0; rank < shape.ranks; ++rank) {
    std::vector<Action>& actions = made.value().ranks[static_cast<std::size_t>(rank)];
    int forward = 0;
    int weight = 0;
    while (forward < 2 * (shape.ranks - rank) - 1) {
      actions.push_back({ActionKind::forward, rank, forward++});
    }
    for (int input = 0; input < shape.microbatches; ++input) {
      actions.push_back({ActionKind::backward_input, rank, input});
      if (input >= 2 * rank) actions.push_back({ActionKind::backward_weight, rank, weight++});
      if (forward < shape.microbatches) actions.push_back({ActionKind::forward, rank, forward++});
    }
    while (weight < shape.microbatches) {
      actions.push_back({ActionKind::backward_weight, rank, weight++});
    }
  }
  return made;
}

}  // namespace lockstep
