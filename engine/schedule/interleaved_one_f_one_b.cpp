#include <algorithm>

#include "schedule/interleaved.h"
#include "schedule/make.h"

namespace lockstep {

Result<Schedule> make_interleaved_one_f_one_b(const ScheduleShape& shape) {
  const Result<InterleavedOrder> made = InterleavedOrder::make(shape);
  if (!made.ok()) return made.error();
  const InterleavedOrder& order = made.value();
  Schedule schedule = looped_schedule("interleaved_one_f_one_b", shape);
  for (int rank = 0; rank < shape.ranks; ++rank) {
    std::vector<Action>& actions = schedule.ranks[static_cast<std::size_t>(rank)];
    const int warm_up = std::min(
        order.count(), (shape.chunks - 1) * order.round_size() + 2 * (shape.ranks - 1 - rank));
    int forward = 0;
    while (forward < warm_up) actions.push_back(order.forward(rank, forward++));
    for (int backward = 0; backward < order.count(); ++backward) {
      if (forward < order.count()) actions.push_back(order.forward(rank, forward++));
      actions.push_back(order.backward(ActionKind::backward, rank, backward));
    }
  }
  return schedule;
}

}  // namespace lockstep
