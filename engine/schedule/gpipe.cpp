#include <algorithm>

#include "schedule/make.h"

namespace lockstep {

Result<Schedule> make_gpipe_lifo(const ScheduleShape& shape) {
  Result<Schedule> made = make_gpipe(shape);
  if (!made.ok()) return made;
  made.value().name = "gpipe_lifo";
  for (std::vector<Action>& actions : made.value().ranks) {
    std::reverse(actions.begin() + shape.microbatches, actions.end());
  }
  return made;
}

Result<Schedule> make_gpipe(const ScheduleShape& shape) {
  Result<Schedule> made = straight_schedule("gpipe", shape);
  if (!made.ok()) return made;
  for (int rank = 0; rank < shape.ranks; ++rank) {
    std::vector<Action>& actions = made.value().ranks[static_cast<std::size_t>(rank)];
    for (const ActionKind kind : {ActionKind::forward, ActionKind::backward}) {
      for (int microbatch = 0; microbatch < shape.microbatches; ++microbatch) {
        actions.push_back({kind, rank, microbatch});
      }
    }
  }
  return made;
}

}  // namespace lockstep
