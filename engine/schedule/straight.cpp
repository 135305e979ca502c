#include <numeric>
#include <string>

#include "schedule/make.h"

namespace lockstep {

Result<Schedule> straight_schedule(std::string_view name, const ScheduleShape& shape) {
  if (shape.chunks != 1) {
    return Error{"chunks_not_one", "chunks",
                 "The schedule " + std::string(name) +
                     " puts one chunk of the model on a rank, not " + std::to_string(shape.chunks) +
                     "."};
  }
  Schedule schedule{.name = std::string(name), .microbatches = shape.microbatches};
  schedule.ranks.resize(static_cast<std::size_t>(shape.ranks));
  schedule.stage_rank.resize(schedule.ranks.size());
  std::iota(schedule.stage_rank.begin(), schedule.stage_rank.end(), 0);
  return schedule;
}

}  // namespace lockstep
