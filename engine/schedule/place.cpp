#include "schedule/place.h"

#include <algorithm>
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

std::size_t index(int value) {
  return static_cast<std::size_t>(value);
}

/// How many actions stand on the rank that holds their stage.
int well_placed(const Schedule& schedule) {
  int count = 0;
  for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
    for (const Action& action : schedule.ranks[rank]) {
      const int holder = schedule.rank_of(action.stage, action.microbatch);
      if (index(holder) == rank) ++count;
    }
  }
  return count;
}

}  // namespace

void place_stages(Schedule& schedule) {
  std::vector<std::vector<int>> actions_on;  // by stage and rank
  const std::size_t ranks = schedule.ranks.size();
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (const Action& action : schedule.ranks[rank]) {
      const std::size_t stage = index(action.stage);
      if (stage >= actions_on.size()) actions_on.resize(stage + 1, std::vector<int>(ranks, 0));
      ++actions_on[stage][rank];
      schedule.microbatches = std::max(schedule.microbatches, action.microbatch + 1);
    }
  }
  for (std::size_t stage = 0; stage < actions_on.size(); ++stage) {
    const std::vector<int>& counts = actions_on[stage];
    const auto most = std::ranges::max_element(counts);
    const std::size_t in_turn = stage % ranks;
    schedule.stage_rank.push_back(static_cast<int>(
        counts[in_turn] == *most ? in_turn : static_cast<std::size_t>(most - counts.begin())));
  }
  if (actions_on.size() != ranks || schedule.microbatches % 2 != 0) return;
  Schedule both_ways = schedule;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    both_ways.stage_rank[rank] = static_cast<int>(rank);
    both_ways.second_half_rank.push_back(static_cast<int>(ranks - 1 - rank));
  }
  if (well_placed(both_ways) > well_placed(schedule)) schedule = std::move(both_ways);
}

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
