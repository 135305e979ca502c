#include <string>

#include "schedule/dual_order.h"
#include "schedule/make.h"

namespace lockstep {

Result<Schedule> make_dualpipe_v(const ScheduleShape& shape) {
  Result<Schedule> made = v_schedule("dualpipe_v", shape);
  if (!made.ok()) return made;
  if (shape.microbatches < 2 * shape.ranks) {
    return Error{"too_few_microbatches", "microbatches",
                 "The schedule dualpipe_v needs at least 2p = " + std::to_string(2 * shape.ranks) +
                     " microbatches on " + std::to_string(shape.ranks) + " ranks, not " +
                     std::to_string(shape.microbatches) + "."};
  }
  for (int rank = 0; rank < shape.ranks; ++rank) {
    made.value().ranks[static_cast<std::size_t>(rank)] =
        dual_order({.ranks = shape.ranks,
                    .rank = rank,
                    .microbatches = shape.microbatches,
                    .stage = {rank, 2 * shape.ranks - 1 - rank}});
  }
  return made;
}

}  // namespace lockstep
