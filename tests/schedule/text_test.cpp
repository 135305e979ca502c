#include "schedule/text.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "program/program.h"
#include "support/schedules.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

void check_error(std::string_view text, std::string_view code, std::string_view where) {
  CAPTURE(text);
  const Result<Schedule> schedule = read_schedule(text);
  REQUIRE(!schedule.ok());
  CHECK(schedule.error().code == code);
  CHECK(schedule.error().where == where);
}

std::string message_of(std::string_view text) {
  const Result<Schedule> schedule = read_schedule(text);
  REQUIRE(!schedule.ok());
  return schedule.error().message;
}

}  // namespace

TEST_CASE("every schedule of the table survives both text forms") {
  each_schedule([](const ScheduleRow& row, const ScheduleShape& shape, Schedule schedule) {
    CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches);
    schedule.name = "own";
    REQUIRE(schedule_from(write_grid(schedule)) == schedule);
    REQUIRE(schedule_from(write_csv(schedule)) == schedule);
  });
}

TEST_CASE("a grid without labels, with comments and odd blanks, is the same schedule") {
  const Schedule expected = schedule_from("rank 0: 0F0 0B0\nrank 1: 1F0 1B0\n");
  CHECK(schedule_from("0F0 0B0\n1F0 1B0") == expected);
  CHECK(schedule_from("# mine, it has commas\n\n  0F0\t0B0  # first, second\r\n\n1F0 1B0\r\n") ==
        expected);
  CHECK(schedule_from("rank 0 :0F0 0B0\n1F0 1B0\n") == expected);
}

TEST_CASE("a CSV with blanks around its cells and empty cells for idle time is the same schedule") {
  const Schedule expected = schedule_from("0F0 0B0\n1F0 1B0");
  CHECK(schedule_from("0F0,0B0\n1F0,1B0\n") == expected);
  CHECK(schedule_from("0F0,,,0B0\r\n,1F0, 1B0 ,\r\n") == expected);
}

TEST_CASE("PyTorch's compute-only CSV of 1F1B reads as the same order and is written back equal") {
  // pipelining's _dump_csv for Schedule1F1B with 2 stages and 3 microbatches
  constexpr std::string_view csv = "0F0,0F1,0B0,0F2,0B1,0B2\n1F0,1B0,1F1,1B1,1F2,1B2\n";
  CHECK(schedule_from(csv).ranks == made("one_f_one_b", 2, 3).ranks);
  CHECK(write_csv(schedule_from(csv)) == csv);
}

TEST_CASE("a rank without work keeps its row in both forms") {
  const Schedule schedule = schedule_from("rank 0: 0F0 0B0\nrank 1:\n");
  CHECK(schedule.ranks.size() == 2);
  CHECK(write_grid(schedule) == "rank 0: 0F0 0B0\nrank 1:\n");
  CHECK(schedule_from(write_csv(schedule)) == schedule);
}

TEST_CASE("the holder of a stage is the rank with most of its actions, then the rank in turn") {
  CHECK(schedule_from("0F0 3F0 3B0 0B0\n1F0 2F0 2B0 1B0").stage_rank == std::vector{0, 1, 1, 0});
  CHECK(schedule_from("0F0 1F0 0B0\n1F1 1B0").stage_rank == std::vector{0, 1});
  CHECK(schedule_from("0F0 1F0 0B0\n1B0").stage_rank == std::vector{0, 1});
}

TEST_CASE("a wrong text is refused at the word that is wrong") {
  check_error("", "empty", "line 1, column 1");
  check_error("# nothing\n\n", "empty", "line 1, column 1");
  check_error("0F0 0G0", "unknown_action", "line 1, column 5");
  check_error("0F0,0B0\n1F0,  1X0\n", "unknown_action", "line 2, column 7");
  check_error("0F0,0 B0", "unknown_action", "line 1, column 5");
  check_error("0F0 B0", "unknown_action", "line 1, column 5");
  check_error("0F0 0B", "unknown_action", "line 1, column 5");
  check_error("00", "unknown_action", "line 1, column 1");
  check_error("0F-1", "unknown_action", "line 1, column 1");
  check_error("1024F0", "out_of_range", "line 1, column 1");
  check_error("0F1024", "out_of_range", "line 1, column 1");
  check_error("0F99999999999999999999", "out_of_range", "line 1, column 1");
  check_error("rank 1: 0F0", "unexpected", "line 1, column 6");
  check_error("rank 0: 0F0\nrank two: 1F0", "not_a_number", "line 2, column 6");
  check_error("row 0: 0F0", "unexpected", "line 1, column 1");
  check_error("rank 0 1: 0F0", "unexpected", "line 1, column 8");
  check_error(": 0F0", "missing", "line 1, column 1");
}

TEST_CASE("a pair that overlaps is spelled as PyTorch spells it, in both forms") {
  const std::string row = "0F0 0F1 (0F2;1B0)OVERLAP_F_B";
  const Schedule schedule = schedule_from("0F0, 0F1, (0F2;1B0)OVERLAP_F_B");
  CHECK(schedule.ranks.at(0) == std::vector<Action>{{ActionKind::forward, 0, 0},
                                                    {ActionKind::forward, 0, 1},
                                                    {ActionKind::forward, 0, 2, true},
                                                    {ActionKind::backward, 1, 0}});
  CHECK(write_grid(schedule) == "rank 0: " + row + "\n");
  check_error("0F0 (0F1)OVERLAP_F_B", "unknown_action", "line 1, column 5");
  check_error("(0F0;1B0)", "unknown_action", "line 1, column 1");
  check_error("(0F0;)OVERLAP_F_B", "unknown_action", "line 1, column 6");
  check_error("(0F0;1B0", "unknown_action", "line 1, column 1");
  check_error("(;)OVERLAP_F_B", "unknown_action", "line 1, column 2");
  check_error("(0F0;1X0)OVERLAP_F_B", "unknown_action", "line 1, column 6");
  check_error("(0F0;0B0;0B1)OVERLAP_F_B", "unknown_action", "line 1, column 6");
}

TEST_CASE("a text may have as many ranks as there may be, and not one more") {
  std::string text;
  for (int rank = 0; rank < kMaxRanks; ++rank) text += std::to_string(rank) + "F0\n";
  CHECK(read_schedule(text).ok());
  check_error(text + "64F0\n", "too_large", "line 65, column 1");
}

TEST_CASE("a text may have as many actions as the largest schedule, and not many more") {
  std::string text;
  for (std::size_t i = 0; i < kMaxTextActions; ++i) text += "0F0,";
  CHECK(read_schedule(text).ok());
  const Result<Schedule> more = read_schedule(text + "0F0");
  REQUIRE(!more.ok());
  CHECK(more.error().code == "too_large");
}

TEST_CASE("an unknown action is answered with what was probably meant") {
  CHECK(message_of("0f3") == "\"0f3\" is not an action. Did you mean 0F3?");
  CHECK(message_of("2BW1") ==
        "\"2BW1\" is not an action. BW is PyTorch's older word for a full backward: write 2B1.");
  CHECK(message_of("0F0,0SEND_F0") ==
        "\"0SEND_F0\" is not an action. Give the compute actions alone: sends and receives follow "
        "from them.");
  CHECK(message_of("0Q1") ==
        "\"0Q1\" is not an action. An action is a stage, one of F, B, I, W, and a microbatch, such "
        "as 2F0.");
}
