#include <algorithm>
#include <string>

#include "schedule/dual_order.h"
#include "schedule/make.h"

namespace lockstep {
namespace {

Status check_shape(const ScheduleShape& shape) {
  if (shape.ranks % 2 != 0) {
    return Error{"ranks_not_even", "ranks",
                 "The schedule dualpipe has as many ranks in either half of the pipeline: " +
                     std::to_string(shape.ranks) + " is not even."};
  }
  if (shape.microbatches % 2 != 0) {
    return Error{"microbatches_not_even", "microbatches",
                 "The schedule dualpipe sends as many microbatches in either direction: " +
                     std::to_string(shape.microbatches) + " is not even."};
  }
  if (shape.microbatches < 2 * shape.ranks) {
    return Error{"too_few_microbatches", "microbatches",
                 "The schedule dualpipe needs at least 2p = " + std::to_string(2 * shape.ranks) +
                     " microbatches on " + std::to_string(shape.ranks) + " ranks, not " +
                     std::to_string(shape.microbatches) + "."};
  }
  return fine();
}

}  // namespace

Result<Schedule> make_dualpipe(const ScheduleShape& shape) {
  Result<Schedule> made = straight_schedule("dualpipe", shape);
  if (!made.ok()) return made;
  if (const Status checked = check_shape(shape); !checked.ok()) return checked.error();
  const int last = shape.ranks - 1;
  const int half = shape.microbatches / 2;
  for (int rank = 0; rank <= last; ++rank) {
    made.value().second_half_rank.push_back(last - rank);
    DualPlace place = {.ranks = shape.ranks / 2,
                       .rank = std::min(rank, last - rank),
                       .microbatches = half,
                       .stage = {rank, last - rank},
                       .first_microbatch = {0, half}};
    if (rank >= shape.ranks / 2) {  // nearer to where the second half of the microbatches enters
      std::ranges::reverse(place.stage);
      std::ranges::reverse(place.first_microbatch);
    }
    made.value().ranks[static_cast<std::size_t>(rank)] = dual_order(place);
  }
  return made;
}

}  // namespace lockstep
