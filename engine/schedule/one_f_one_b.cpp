#include <algorithm>

#include "schedule/make.h"

namespace lockstep {

Result<Schedule> make_one_f_one_b(const ScheduleShape& shape) {
  Result<Schedule> made = straight_schedule("one_f_one_b", shape);
  if (!made.ok()) return made;
  for (int rank = 0; rank < shape.ranks; ++rank) {
    std::vector<Action>& actions = made.value().ranks[static_cast<std::size_t>(rank)];
    const int warm_up = std::min(shape.microbatches, shape.ranks - 1 - rank);
    int forward = 0;
    while (forward < warm_up) actions.push_back({ActionKind::forward, rank, forward++});
    for (int backward = 0; backward < shape.microbatches; ++backward) {
      if (forward < shape.microbatches) {
        actions.push_back({ActionKind::forward, rank, forward++});
      }
      actions.push_back({ActionKind::backward, rank, backward});
    }
  }
  return made;
}

}  // namespace lockstep
