#include "schedule/make.h"

namespace lockstep {

Result<Schedule> make_forward_only(const ScheduleShape& shape) {
  Result<Schedule> made = straight_schedule("forward_only", shape);
  if (!made.ok()) return made;
  for (int rank = 0; rank < shape.ranks; ++rank) {
    std::vector<Action>& actions = made.value().ranks[static_cast<std::size_t>(rank)];
    for (int microbatch = 0; microbatch < shape.microbatches; ++microbatch) {
      actions.push_back({ActionKind::forward, rank, microbatch});
    }
  }
  return made;
}

}  // namespace lockstep
