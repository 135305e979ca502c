#include "schedule/validate.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "program/fault_list.h"
#include "program/validate.h"
#include "schedule/lower.h"
#include "support/programs.h"
#include "support/schedules.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Places = std::vector<std::pair<std::string, std::string>>;

Places faults_of(const Schedule& schedule) {
  Places places;
  for (const Error& fault : validate_schedule(schedule)) {
    places.emplace_back(fault.code, fault.where);
  }
  return places;
}

/// Stage s on rank s, as a learner's grid would be for p ranks and m microbatches.
Schedule grid(int microbatches, std::string_view text) {
  Schedule schedule = schedule_from(text);
  schedule.microbatches = microbatches;
  schedule.stage_rank.clear();
  for (int rank = 0; rank < static_cast<int>(schedule.ranks.size()); ++rank) {
    schedule.stage_rank.push_back(rank);
  }
  return schedule;
}

std::string deadlock_of(const Schedule& schedule) {
  const std::vector<Error> faults = validate_schedule(schedule);
  REQUIRE(!faults.empty());
  REQUIRE(faults.back().code == "deadlock");
  return faults.back().message;
}

}  // namespace

TEST_CASE("one F with one B, or with one I and one W, is whole") {
  CHECK(faults_of(grid(1, "0F0 0B0\n1F0 1B0")).empty());
  CHECK(faults_of(grid(2, "0F0 0F1 0I0 0B1 0W0\n1F0 1I0 1F1 1B1 1W0")).empty());
  CHECK(faults_of(schedule_from("0F0 3F0 3B0 0B0\n1F0 2F0 2B0 1B0")).empty());
}

TEST_CASE("every action that is missing is named on the rank that owes it") {
  CHECK(faults_of(grid(1, "0F0 0B0\n1B0")) == Places{{"missing_work", "rank 1"}});
  CHECK(faults_of(grid(2, "0F0 0F1 0B0\n1F0 1B0 1F1 1B1")) == Places{{"missing_work", "rank 0"}});
  CHECK(faults_of(grid(1, "0F0 0B0\nrank 1:")) ==
        Places{{"missing_work", "rank 1"}, {"missing_work", "rank 1"}});
  CHECK(validate_schedule(grid(1, "0F0 0I0\n1F0 1B0")).at(0).message == "0W0 is missing.");
}

TEST_CASE("every action that is doubled is named") {
  CHECK(faults_of(grid(1, "0F0 0F0 0B0\n1F0 1B0")) == Places{{"doubled_work", "rank 0"}});
  CHECK(faults_of(grid(1, "0F0 0B0\n1F0 1I0 1B0")) == Places{{"doubled_work", "rank 1"}});
  CHECK(validate_schedule(grid(1, "0F0 0B0 0B0 0B0\n1F0 1B0")).at(0).message ==
        "0B0 is done 3 times.");
}

TEST_CASE("an action on a rank that does not hold its stage is named where it stands") {
  const std::vector<Error> faults = validate_schedule(grid(1, "0F0 1F0 0B0\n1B0"));
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].code == "wrong_rank");
  CHECK(faults[0].where == "rank 0, action 1");
  CHECK(faults[0].message == "1F0 is on rank 0, but stage 1 is held by rank 1.");
}

TEST_CASE("an action that comes before one that it needs on the same rank is named") {
  CHECK(faults_of(grid(1, "0F0 0B0\n1B0 1F0")) == Places{{"order", "rank 1, action 0"}});
  CHECK(faults_of(grid(1, "0F0 0W0 0I0\n1F0 1B0")) == Places{{"order", "rank 0, action 1"}});
  // stages 1 and 2 share rank 1
  CHECK(faults_of(schedule_from("0F0 3F0 3B0 0B0\n2F0 1F0 2B0 1B0")).at(0) ==
        std::pair<std::string, std::string>{"order", "rank 1, action 0"});
  CHECK(faults_of(schedule_from("0F0 3F0 3B0 0B0\n1F0 2F0 1B0 2B0")).at(0) ==
        std::pair<std::string, std::string>{"order", "rank 1, action 2"});
}

TEST_CASE("what is outside of the stages and microbatches is named") {
  CHECK(faults_of(grid(1, "0F0 0F1 0B0\n1F0 1B0 2F0")) ==
        Places{{"out_of_range", "rank 0, action 1"}, {"out_of_range", "rank 1, action 2"}});
  CHECK(faults_of(Schedule{.microbatches = 0}) == Places(3, {"out_of_range", "schedule"}));
  Schedule nowhere = grid(1, "0F0 0B0\n1F0 1B0");
  nowhere.stage_rank = {0, 2};
  CHECK(faults_of(nowhere) == Places{{"out_of_range", "schedule"}});
}

TEST_CASE("only a forward and the full backward right after it may overlap") {
  const auto check_bad = [](std::string_view text) {
    CAPTURE(text);
    const Places faults = faults_of(grid(2, text));
    CHECK(std::ranges::count(faults, "bad_pair", &Places::value_type::first) == 1);
  };
  CHECK(faults_of(grid(2, "0F0 (0F1;0B0)OVERLAP_F_B 0B1")).empty());
  check_bad("0F0 0B0 (0B1;0F1)OVERLAP_F_B");
  check_bad("(0F0;0F1)OVERLAP_F_B 0B0 0B1");
  check_bad("0F0 (0F1;0I0)OVERLAP_F_B 0W0 0B1");
  // a pair waits for what both need: neither half can begin before 0B0 on rank 0 is done
  CHECK(deadlock_of(grid(2, "0F0 (0F1;0B0)OVERLAP_F_B 0B1\n1F0 1F1 1B0 1B1")) ==
        "0B0 on rank 0 waits for 1B0 on rank 1, which comes after 1F1; 1F1 on rank 1 waits for 0F1 "
        "on rank 0, which comes after 0B0.");
}

TEST_CASE("a forward pass alone is whole, unless it is to train") {
  const Schedule schedule = grid(2, "0F0 0F1\n1F0 1F1");
  CHECK(faults_of(schedule).empty());
  const std::vector<Error> faults = validate_schedule(schedule, {.backward = true});
  CHECK(faults.size() == 4);
  CHECK(faults.at(0).message == "0B0 is missing.");
  CHECK(faults_of(grid(2, "0F0 0F1\n1F0 1F1 1B0")).size() == 3);
}

TEST_CASE("an action of DualPipe on the rank of the other direction is named") {
  Schedule schedule = made("dualpipe", 2, 4);
  std::swap(schedule.ranks[0].front(), schedule.ranks[1].front());  // 0F0 and 0F2
  const std::vector<Error> faults = validate_schedule(schedule);
  REQUIRE(faults.size() >= 2);
  CHECK(faults[0].code == "wrong_rank");
  CHECK(faults[0].message ==
        "0F2 is on rank 0, but stage 0 is held by rank 1 for this microbatch.");
  schedule.second_half_rank.pop_back();
  CHECK(faults_of(schedule) == Places{{"out_of_range", "schedule"}});
}

TEST_CASE("where and when the memory cap is broken is told, once until there is room again") {
  const auto faults = [](std::string_view text, int cap, Freeing freeing) {
    std::vector<std::string> told;
    for (const Error& fault :
         validate_schedule(schedule_from(text), {.memory_cap = cap, .freeing = freeing})) {
      CHECK(fault.code == "memory");
      told.push_back(fault.where + ": " + fault.message);
    }
    return told;
  };
  using Told = std::vector<std::string>;
  constexpr Freeing kW = Freeing::at_weight_gradient;
  constexpr Freeing kI = Freeing::at_input_gradient;
  const std::string_view gpipe = "0F0 0F1 0F2 0B0 0B1 0B2";
  CHECK(faults(gpipe, 3, kW).empty());
  CHECK(faults(gpipe, 2, kW) ==
        Told{"rank 0, action 2: 0F2 is the activation number 3 in flight on rank 0, where 2 fit."});
  CHECK(faults(gpipe, 1, kW) ==
        Told{"rank 0, action 1: 0F1 is the activation number 2 in flight on "
             "rank 0, where 1 fit; after 0F2 there are 3."});
  const std::string_view twice = "0F0 0F1 0B0 0B1 0F2 0F3 0B2 0B3";
  CHECK(faults(twice, 1, kW).size() == 2);
  CHECK(faults(twice, 1, kW).at(1).starts_with("rank 0, action 5: 0F3"));
  const std::string_view halves = "0F0 0I0 0F1 0I1 0W0 0W1";
  CHECK(faults(halves, 1, kI).empty());
  CHECK(faults(halves, 1, kW).size() == 1);
}

TEST_CASE("a memory cap is broken exactly where a schedule keeps more than it") {
  each_schedule([](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
    CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches);
    for (const Freeing freeing : {Freeing::at_weight_gradient, Freeing::at_input_gradient}) {
      int peak = 0;
      for (const std::vector<Action>& actions : schedule.ranks) {
        int in_flight = 0;
        for (const Action& action : actions) {
          in_flight += action.kind == ActionKind::forward ? 1 : 0;
          peak = std::max(peak, in_flight);
          in_flight -= frees(action.kind, freeing) ? 1 : 0;
        }
      }
      REQUIRE(validate_schedule(schedule, {.memory_cap = peak, .freeing = freeing}).empty());
      if (!schedule.has_backward()) continue;
      const std::vector<Error> faults =
          validate_schedule(schedule, {.memory_cap = peak - 1, .freeing = freeing});
      REQUIRE(!faults.empty());
      REQUIRE(faults.front().code == "memory");
    }
  });
}

TEST_CASE("a deadlock is spelled out as the circle of cells that wait for each other") {
  // rank 0 wants 0B0 before it sends 0F1, rank 1 wants 1F1 before it does 1B0
  CHECK(deadlock_of(grid(2, "0F0 0B0 0F1 0B1\n1F0 1F1 1B0 1B1")) ==
        "0B0 on rank 0 waits for 1B0 on rank 1, which comes after 1F1; "
        "1F1 on rank 1 waits for 0F1 on rank 0, which comes after 0B0.");
}

TEST_CASE("a rank that only waits for a circle is not part of it") {
  CHECK(deadlock_of(grid(2, "0F0 0B0 0F1 0B1\n1F0 1B0 1F1 1B1\n2F0 2F1 2B0 2B1")) ==
        "1B0 on rank 1 waits for 2B0 on rank 2, which comes after 2F1; "
        "2F1 on rank 2 waits for 1F1 on rank 1, which comes after 1B0.");
}

TEST_CASE("a circle through three ranks tells which cells wait for the very cell that is stuck") {
  CHECK(deadlock_of(schedule_from("3F0 0F0 3B0 0B0\n1F0 4F0 4B0 1B0\n2F0 5F0 5B0 2B0")) ==
        "3F0 on rank 0 waits for 2F0 on rank 2; 2F0 on rank 2 waits for 1F0 on rank 1; "
        "1F0 on rank 1 waits for 0F0 on rank 0, which comes after 3F0.");
}

TEST_CASE("all faults are listed, not the first alone") {
  const Places faults = faults_of(grid(2, "0F0 0B0 0F1 0B1 1W0\n1F0 1F1 1B0 1B1 1F1"));
  CHECK(faults == Places{{"wrong_rank", "rank 0, action 4"},
                         {"doubled_work", "rank 1"},
                         {"doubled_work", "rank 1"},
                         {"deadlock", "rank 0"}});
}

TEST_CASE("a schedule with a million faults is answered with the first thousand") {
  Schedule schedule{.microbatches = kMaxMicrobatches};
  schedule.ranks.resize(1);
  schedule.stage_rank.assign(1024, 0);
  const std::vector<Error> faults = validate_schedule(schedule);
  REQUIRE(faults.size() == kMaxFaults + 1);
  CHECK(faults.back().code == "more_faults");
}

TEST_CASE("shuffled schedules are without fault exactly when their programs are") {
  int valid = 0;
  int broken = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    Schedule schedule = shuffled_schedule(draw, 4);
    if (draw.below(4) == 0) schedule.ranks.front().front().microbatch += draw.below(3) - 1;
    const bool schedule_valid = validate_schedule(schedule).empty();
    REQUIRE(schedule_valid == validate(lower(schedule)).empty());
    ++(schedule_valid ? valid : broken);
  }
  CHECK(valid > 100);
  CHECK(broken > 100);
}

TEST_CASE(
    "any row with neighbours that changed places is without fault exactly when its program is") {
  int valid = 0;
  int broken = 0;
  for (const ScheduleRow& row : schedule_table()) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      CAPTURE(row.name, seed);
      Draw draw(seed);
      const int ranks = 2 + 2 * draw.below(2);
      Schedule schedule = row.make({ranks, row.default_chunks, 8}).value();
      for (std::vector<Action>& actions : schedule.ranks) {
        // pairs that overlap are a matter of the schedule alone
        for (Action& action : actions) action.overlaps_next = false;
      }
      for (int swaps = draw.below(4); swaps > 0; --swaps) {
        auto& actions = schedule.ranks[static_cast<std::size_t>(draw.below(ranks))];
        const auto at = static_cast<std::size_t>(draw.below(static_cast<int>(actions.size()) - 1));
        std::swap(actions[at], actions[at + 1]);
      }
      const bool schedule_valid = validate_schedule(schedule).empty();
      REQUIRE(schedule_valid == validate(lower(schedule)).empty());
      ++(schedule_valid ? valid : broken);
    }
  }
  CHECK(valid > 500);
  CHECK(broken > 300);
}
