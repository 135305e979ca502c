// Schedules with communication for tests.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <string_view>
#include <utility>

#include "schedule/communication.h"
#include "schedule/text.h"
#include "support/schedules.h"

namespace lockstep::test {

/// The schedule with communication that a literal text spells.
inline CommunicationSchedule communication_from(std::string_view text) {
  Result<CommunicationSchedule> schedule = read_communication(text);
  REQUIRE(schedule.ok());
  return std::move(schedule).value();
}

/// A schedule without faults, with its communication.
inline CommunicationSchedule communicated(const Schedule& schedule,
                                          Weights weights = Weights::whole) {
  Result<CommunicationSchedule> result = add_communication(schedule, weights);
  REQUIRE(result.ok());
  return std::move(result).value();
}

/// Calls `visit(schedule, communicated)` for every schedule of each_schedule, with its weights
/// whole and sharded.
template <typename Visit>
void each_communication(Visit visit) {
  each_schedule([&](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
    for (const Weights weights : {Weights::whole, Weights::sharded}) {
      CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches, weights);
      visit(schedule, communicated(schedule, weights));
    }
  });
}

}  // namespace lockstep::test
