#include "schedule/lower.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "program/instruction.h"
#include "program/validate.h"
#include "support/programs.h"
#include "support/schedules.h"

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("every schedule of the table lowers to a program without faults") {
  each_schedule([](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
    CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches);
    const Program program = lower(schedule);
    REQUIRE(validate(program).empty());
    REQUIRE(program.name == row.name);
    REQUIRE(program.stages == shape.ranks * shape.chunks);
    REQUIRE(program.microbatches == shape.microbatches);
  });
}

TEST_CASE("every boundary between ranks is crossed by each microbatch once forward, once back") {
  each_schedule([](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
    CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches);
    int boundaries = 0;
    for (std::size_t stage = 0; stage + 1 < schedule.stage_rank.size(); ++stage) {
      boundaries += schedule.stage_rank[stage] != schedule.stage_rank[stage + 1] ? 1 : 0;
    }
    int sends = 0;
    for (const DeviceProgram& device : lower(schedule).devices) {
      for (const Instruction& instruction : device.instructions) {
        sends += instruction.op == Op::send ? 1 : 0;
      }
    }
    REQUIRE(sends == (schedule.has_backward() ? 2 : 1) * shape.microbatches * boundaries);
  });
}

TEST_CASE("both directions of DualPipe go from rank to rank, each over its own copies") {
  const Program program = lower(made("dualpipe", 2, 4));
  CHECK(program.devices.at(0).stages == std::vector{0, 1});
  CHECK(program.devices.at(1).stages == std::vector{0, 1});
  // microbatches 2 and 3 enter at rank 1
  const auto& list = program.devices.at(1).instructions;
  CHECK(to_text(list.at(0)) == "forward stage 0 microbatch 2");
  CHECK(to_text(list.at(1)) == "send activation stage 0 microbatch 2 to 0");
  CHECK(to_text(list.at(2)) == "receive activation stage 0 microbatch 0 from 0");
  CHECK(to_text(list.at(3)) == "forward stage 1 microbatch 0");
}

TEST_CASE("the smallest pipeline, by hand") {
  Program expected = program_from(kSmallPipeline);
  expected.name = "gpipe";
  CHECK(lower(made("gpipe", 2, 1)) == expected);
}

TEST_CASE("stages on one rank pass on their tensors without a message") {
  const Program program = lower(schedule_from("0F0 1F0 1B0 0B0"));
  CHECK(program.devices.at(0).stages == std::vector{0, 1});
  CHECK(program.devices.at(0).instructions.size() == 4);
  CHECK(validate(program).empty());
}

TEST_CASE("a split backward sends its gradient after I, and W needs no message") {
  const Program program = lower(schedule_from("0F0 0I0 0W0\n1F0 1I0 1W0"));
  CHECK(validate(program).empty());
  const auto& list = program.devices.at(1).instructions;
  REQUIRE(list.size() == 5);
  CHECK(to_text(list[2]) == "backward_input stage 1 microbatch 0");
  CHECK(to_text(list[3]) == "send activation_gradient stage 0 microbatch 0 to 0");
  CHECK(to_text(list[4]) == "backward_weight stage 1 microbatch 0");
}

TEST_CASE("of a pair that overlaps all receives come first and all sends last") {
  const Program program = lower(make_schedule("dualpipe_v", {2, 2, 4}).value());
  CHECK(validate(program).empty());
  const auto& list = program.devices.at(1).instructions;
  const auto forward_of = [&list](int stage, int microbatch) {
    return std::ranges::find_if(list, [=](const Instruction& work) {
      return work.op == Op::forward && work.stage == stage && work.microbatch == microbatch;
    });
  };
  // (1F3;2B1): what stage 1 makes stays on this rank, as stage 2 is here too
  const auto receiving = forward_of(1, 3);
  CHECK(to_text(receiving[-2]) == "receive activation stage 0 microbatch 3 from 0");
  CHECK(to_text(receiving[-1]) == "receive activation_gradient stage 2 microbatch 1 from 0");
  CHECK(to_text(receiving[1]) == "backward stage 2 microbatch 1");
  // (2F2;1B0)
  const auto sending = forward_of(2, 2);
  CHECK(to_text(sending[1]) == "backward stage 1 microbatch 0");
  CHECK(to_text(sending[2]) == "send activation stage 2 microbatch 2 to 0");
  CHECK(to_text(sending[3]) == "send activation_gradient stage 0 microbatch 0 to 0");
}
