#include <cstddef>
#include <string>

#include "schedule/make.h"

namespace lockstep {
namespace {

/// `rank_of(stage)` says who holds a stage.
template <typename RankOf>
Schedule placed(std::string_view name, const ScheduleShape& shape, RankOf rank_of) {
  Schedule schedule{.name = std::string(name), .microbatches = shape.microbatches};
  schedule.ranks.resize(static_cast<std::size_t>(shape.ranks));
  const int stages = shape.ranks * shape.chunks;
  schedule.stage_rank.reserve(static_cast<std::size_t>(stages));
  for (int stage = 0; stage < stages; ++stage) schedule.stage_rank.push_back(rank_of(stage));
  return schedule;
}

}  // namespace

Schedule looped_schedule(std::string_view name, const ScheduleShape& shape) {
  return placed(name, shape, [&shape](int stage) { return stage % shape.ranks; });
}

Result<Schedule> straight_schedule(std::string_view name, const ScheduleShape& shape) {
  if (shape.chunks != 1) {
    return Error{"chunks_not_one", "chunks",
                 "The schedule " + std::string(name) +
                     " puts one chunk of the model on a rank, not " + std::to_string(shape.chunks) +
                     "."};
  }
  return looped_schedule(name, shape);
}

Result<Schedule> v_schedule(std::string_view name, const ScheduleShape& shape) {
  if (shape.chunks != 2) {
    return Error{"chunks_not_two", "chunks",
                 "The schedule " + std::string(name) +
                     " puts two chunks of the model on a rank, not " +
                     std::to_string(shape.chunks) + "."};
  }
  return placed(name, shape, [&shape](int stage) {
    return stage < shape.ranks ? stage : 2 * shape.ranks - 1 - stage;
  });
}

}  // namespace lockstep
