// Schedules for tests: every row of the table in every shape that the laws run over.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "schedule/schedule.h"
#include "schedule/text.h"
#include "support/programs.h"

namespace lockstep::test {

/// Calls `visit(row, shape, schedule)` for every row of the table and every shape with p <= 8,
/// v <= 3 and m <= 16 that the row does not refuse.
template <typename Visit>
void each_schedule(Visit visit) {
  for (const ScheduleRow& row : schedule_table()) {
    for (int ranks = 1; ranks <= 8; ++ranks) {
      for (int chunks = 1; chunks <= 3; ++chunks) {
        for (int microbatches = 1; microbatches <= 16; ++microbatches) {
          const ScheduleShape shape = {ranks, chunks, microbatches};
          const Result<Schedule> schedule = make_schedule(row.name, shape);
          if (schedule.ok()) visit(row, shape, schedule.value());
        }
      }
    }
  }
}

/// The schedule that a literal text spells.
inline Schedule schedule_from(std::string_view text) {
  Result<Schedule> schedule = read_schedule(text);
  REQUIRE(schedule.ok());
  return std::move(schedule).value();
}

inline Schedule made(std::string_view name, int ranks, int microbatches) {
  Result<Schedule> schedule = make_schedule(name, {ranks, 1, microbatches});
  REQUIRE(schedule.ok());
  return std::move(schedule).value();
}

/// GPipe or 1F1B on 1 to `most` ranks with as many microbatches, in which up to five pairs of
/// neighbouring actions have changed places: valid about every other time.
inline Schedule shuffled_schedule(Draw& draw, int most) {
  const std::string_view name = draw.below(2) == 0 ? "gpipe" : "one_f_one_b";
  const int ranks = 1 + draw.below(most);
  const int microbatches = 1 + draw.below(most);
  Schedule schedule = made(name, ranks, microbatches);
  for (int swaps = draw.below(6); swaps > 0; --swaps) {
    auto& actions = schedule.ranks[static_cast<std::size_t>(draw.below(ranks))];
    const auto at = static_cast<std::size_t>(draw.below(static_cast<int>(actions.size()) - 1));
    std::swap(actions[at], actions[at + 1]);
  }
  return schedule;
}

}  // namespace lockstep::test
