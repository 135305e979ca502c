#include <algorithm>

#include "schedule/interleaved.h"
#include "schedule/make.h"

namespace lockstep {
namespace {

/// A rank's work: forwards, then a forward and an input gradient in turn; from the rank-th input
/// gradient on a weight gradient follows each, so that rank r keeps r of them to fill its drain.
void add_rank(const InterleavedOrder& order, const ScheduleShape& shape, int rank,
              std::vector<Action>& actions) {
  const int warm_up =
      std::min(order.count(), (shape.chunks - 1) * order.round_size() + shape.ranks - 1 - rank);
  int forward = 0;
  int weight = 0;
  while (forward < warm_up) actions.push_back(order.forward(rank, forward++));
  for (int input = 0; input < order.count(); ++input) {
    if (forward < order.count()) actions.push_back(order.forward(rank, forward++));
    actions.push_back(order.backward(ActionKind::backward_input, rank, input));
    if (input >= rank) {
      actions.push_back(order.backward(ActionKind::backward_weight, rank, weight++));
    }
  }
  while (weight < order.count()) {
    actions.push_back(order.backward(ActionKind::backward_weight, rank, weight++));
  }
}

}  // namespace

Result<Schedule> make_interleaved_zero_bubble(const ScheduleShape& shape) {
  const Result<InterleavedOrder> order = InterleavedOrder::make(shape);
  if (!order.ok()) return order.error();
  Schedule schedule = looped_schedule("interleaved_zero_bubble", shape);
  for (int rank = 0; rank < shape.ranks; ++rank) {
    add_rank(order.value(), shape, rank, schedule.ranks[static_cast<std::size_t>(rank)]);
  }
  return schedule;
}

Result<Schedule> make_zb_h1(const ScheduleShape& shape) {
  Result<Schedule> made = straight_schedule("zb_h1", shape);
  if (!made.ok()) return made;
  Result<Schedule> interleaved = make_interleaved_zero_bubble(shape);
  if (interleaved.ok()) interleaved.value().name = "zb_h1";
  return interleaved;
}

}  // namespace lockstep
