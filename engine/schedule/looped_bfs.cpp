#include "schedule/make.h"

namespace lockstep {

Result<Schedule> make_looped_bfs(const ScheduleShape& shape) {
  Schedule schedule = looped_schedule("looped_bfs", shape);
  for (int rank = 0; rank < shape.ranks; ++rank) {
    std::vector<Action>& actions = schedule.ranks[static_cast<std::size_t>(rank)];
    for (int chunk = 0; chunk < shape.chunks; ++chunk) {
      for (int microbatch = 0; microbatch < shape.microbatches; ++microbatch) {
        actions.push_back({ActionKind::forward, chunk * shape.ranks + rank, microbatch});
      }
    }
    for (int chunk = shape.chunks - 1; chunk >= 0; --chunk) {
      for (int microbatch = shape.microbatches - 1; microbatch >= 0; --microbatch) {
        actions.push_back({ActionKind::backward, chunk * shape.ranks + rank, microbatch});
      }
    }
  }
  return schedule;
}

}  // namespace lockstep
