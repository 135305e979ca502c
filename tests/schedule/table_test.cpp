#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "program/program.h"
#include "schedule/action.h"
#include "schedule/interleaved.h"
#include "schedule/schedule.h"
#include "schedule/text.h"
#include "schedule/validate.h"
#include "support/schedules.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

void check_refused(std::string_view name, const ScheduleShape& shape, std::string_view code,
                   std::string_view where) {
  CAPTURE(name, shape.ranks, shape.chunks, shape.microbatches);
  const Result<Schedule> schedule = make_schedule(name, shape);
  REQUIRE(!schedule.ok());
  CHECK(schedule.error().code == code);
  CHECK(schedule.error().where == where);
}

}  // namespace

TEST_CASE("every schedule of the table has no fault, the right name and the shape asked for") {
  int made_count = 0;
  each_schedule([&](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
    CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches);
    REQUIRE(validate_schedule(schedule).empty());
    REQUIRE(schedule.name == row.name);
    REQUIRE(schedule.microbatches == shape.microbatches);
    REQUIRE(schedule.ranks.size() == static_cast<std::size_t>(shape.ranks));
    REQUIRE(schedule.stage_rank.size() == static_cast<std::size_t>(shape.ranks * shape.chunks));
    ++made_count;
  });
  CHECK(made_count >= 2 * 8 * 16);  // gpipe and one_f_one_b refuse no p and no m
}

TEST_CASE("every row makes a schedule of 4 ranks and 8 microbatches with its own default chunks") {
  for (const ScheduleRow& row : schedule_table()) {
    CAPTURE(row.name);
    CHECK(make_schedule(row.name, {4, row.default_chunks, 8}).ok());
  }
}

TEST_CASE("a row says that it cannot train exactly where there is no backward") {
  for (const ScheduleRow& row : schedule_table()) {
    CAPTURE(row.name);
    const Schedule schedule = row.make({4, row.default_chunks, 8}).value();
    CHECK(row.not_trainable.empty() == schedule.has_backward());
  }
}

TEST_CASE("names and aliases are distinct, and a schedule is found by any of them") {
  std::set<std::string_view> names;
  for (const ScheduleRow& row : schedule_table()) {
    CHECK(names.insert(row.name).second);
    CHECK(find_schedule(row.name).value().name == row.name);
    for (const std::string_view alias : row.aliases) {
      CHECK(names.insert(alias).second);
      CHECK(find_schedule(alias).value().name == row.name);
    }
  }
}

TEST_CASE("an unknown schedule is answered with the name that was probably meant") {
  const Result<ScheduleRow> row = find_schedule("one_f_oneb");
  REQUIRE(!row.ok());
  CHECK(row.error().code == "unknown_schedule");
  CHECK(row.error().message ==
        "There is no schedule called \"one_f_oneb\" (did you mean \"one_f_one_b\"?).");
}

TEST_CASE("a shape outside the limits is refused, and the limit is named") {
  check_refused("gpipe", {0, 1, 1}, "out_of_range", "ranks");
  check_refused("gpipe", {kMaxRanks + 1, 1, 1}, "out_of_range", "ranks");
  check_refused("gpipe", {1, 0, 1}, "out_of_range", "chunks");
  check_refused("gpipe", {1, kMaxChunks + 1, 1}, "out_of_range", "chunks");
  check_refused("gpipe", {1, 1, 0}, "out_of_range", "microbatches");
  check_refused("gpipe", {1, 1, kMaxMicrobatches + 1}, "out_of_range", "microbatches");
  check_refused("pipe", {1, 1, 1}, "unknown_schedule", "schedule");
}

TEST_CASE("gpipe and one_f_one_b refuse more than one chunk a rank") {
  check_refused("gpipe", {4, 2, 8}, "chunks_not_one", "chunks");
  check_refused("1F1B", {4, 2, 8}, "chunks_not_one", "chunks");
}

TEST_CASE("a schedule refuses the shapes that its source refuses, and names the condition") {
  check_refused("zbv", {4, 1, 8}, "chunks_not_two", "chunks");
  check_refused("DualPipeV", {4, 3, 8}, "chunks_not_two", "chunks");
  check_refused("DualPipeV", {4, 2, 7}, "too_few_microbatches", "microbatches");
  check_refused("ZB-H2", {4, 1, 6}, "too_few_microbatches", "microbatches");
  check_refused("ZB-H1", {4, 2, 8}, "chunks_not_one", "chunks");
  check_refused("Interleaved1F1B", {3, 2, 10}, "microbatches_not_in_rounds", "microbatches");
  check_refused("DualPipe", {4, 2, 8}, "chunks_not_one", "chunks");
  check_refused("DualPipe", {3, 1, 8}, "ranks_not_even", "ranks");
  check_refused("DualPipe", {4, 1, 9}, "microbatches_not_even", "microbatches");
  check_refused("DualPipe", {4, 1, 6}, "too_few_microbatches", "microbatches");
  check_refused("V-Half", {4, 1, 8}, "chunks_not_two", "chunks");
  check_refused("V-Min", {4, 3, 8}, "chunks_not_two", "chunks");
}

TEST_CASE("of the interleaved schedules' two conditions each broken one is named") {
  CHECK(make_schedule("Interleaved1F1B", {3, 2, 10}).error().message ==
        "Megatron's condition is broken: 3 ranks do not divide 10 microbatches. So is PyTorch's: "
        "max(1, ⌊m/p⌋) = 3 rounds do not divide 10 microbatches.");
  const ScheduleRow row = find_schedule("Interleaved1F1B").value();
  // ⌊6/4⌋ = 1 round divides 6
  CHECK(make_schedule(row.name, {4, 2, 6}).ok());
  CHECK(row.remark({4, 2, 6}) ==
        "Megatron's condition is broken: 4 ranks do not divide 6 microbatches; PyTorch's holds.");
  CHECK(row.remark({4, 2, 8}).empty());
}

TEST_CASE("Megatron's condition implies PyTorch's") {
  for (int ranks = 1; ranks <= 8; ++ranks) {
    for (int microbatches = 1; microbatches <= 64; ++microbatches) {
      const RoundConditions conditions = round_conditions({ranks, 1, microbatches});
      CAPTURE(ranks, microbatches);
      CHECK((conditions.pytorch || !conditions.megatron));
    }
  }
}

TEST_CASE("the naive order takes each microbatch forward and back before the next") {
  CHECK(write_grid(made("naive", 2, 2)) ==
        "rank 0: 0F0 0B0 0F1 0B1\n"
        "rank 1: 1F0 1B0 1F1 1B1\n");
}

TEST_CASE("a forward pass alone has no backward") {
  CHECK(write_grid(made("forward_only", 2, 3)) ==
        "rank 0: 0F0 0F1 0F2\n"
        "rank 1: 1F0 1F1 1F2\n");
}

TEST_CASE("DualPipe is the picture in DeepSeek's README: 8 ranks, 20 microbatches") {
  // rank 0 begins with 6 forwards of the first half, then one of each half, 3 times input gradient,
  // weight gradient, forward of the second half; rank 7 mirrors it. Its numbers there count each
  // direction from 0 and from 10.
  const Schedule schedule = made("dualpipe", 8, 20);
  const std::vector<Action>& first = schedule.ranks.at(0);
  const std::vector<Action>& last = schedule.ranks.at(7);
  std::string text;
  for (std::size_t i = 0; i < 17; ++i) text += to_text(first[i]) + " ";
  CHECK(text == "0F0 0F1 0F2 0F3 0F4 0F5 0F6 7F10 7I10 7W10 7F11 7I11 7W11 7F12 7I12 7W12 7F13 ");
  REQUIRE(first.size() == last.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    CHECK(last[i].kind == first[i].kind);
    CHECK(last[i].stage == first[i].stage);
    CHECK((last[i].microbatch + 10) % 20 == first[i].microbatch);
  }
}

TEST_CASE("GPipe does all forwards, then all backwards, in the order of microbatches") {
  CHECK(write_grid(made("gpipe", 2, 2)) ==
        "rank 0: 0F0 0F1 0B0 0B1\n"
        "rank 1: 1F0 1F1 1B0 1B1\n");
}

TEST_CASE("1F1B is figure 4 of Narayanan et al. 2021") {
  // 4 stages, 8 microbatches: the warm-up is one forward shorter on each later rank
  CHECK(write_grid(made("one_f_one_b", 4, 8)) ==
        "rank 0: 0F0 0F1 0F2 0F3 0B0 0F4 0B1 0F5 0B2 0F6 0B3 0F7 0B4 0B5 0B6 0B7\n"
        "rank 1: 1F0 1F1 1F2 1B0 1F3 1B1 1F4 1B2 1F5 1B3 1F6 1B4 1F7 1B5 1B6 1B7\n"
        "rank 2: 2F0 2F1 2B0 2F2 2B1 2F3 2B2 2F4 2B3 2F5 2B4 2F6 2B5 2F7 2B6 2B7\n"
        "rank 3: 3F0 3B0 3F1 3B1 3F2 3B2 3F3 3B3 3F4 3B4 3F5 3B5 3F6 3B6 3F7 3B7\n");
}

TEST_CASE("1F1B with fewer microbatches than ranks is still whole") {
  CHECK(write_grid(made("one_f_one_b", 3, 1)) ==
        "rank 0: 0F0 0B0\nrank 1: 1F0 1B0\nrank 2: 2F0 2B0\n");
}
