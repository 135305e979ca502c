#include "picture/story.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "program/instruction.h"
#include "schedule/lower.h"
#include "support/programs.h"
#include "support/schedules.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// The story of the work that `word` names, as "forward stage 1 microbatch 0".
std::string story_of(const Program& program, int rank, std::string_view text) {
  const auto& list = program.devices.at(static_cast<std::size_t>(rank)).instructions;
  for (int i = 0; i < static_cast<int>(list.size()); ++i) {
    if (to_text(list[static_cast<std::size_t>(i)]) == text) return story(program, rank, i);
  }
  FAIL("there is no " << text);
  return {};
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a cell tells what it needs and what it feeds") {
  const Program program = lower(made("one_f_one_b", 3, 2));
  CHECK(story_of(program, 0, "forward stage 0 microbatch 1") ==
        "Forward of microbatch 1 on stage 0 (device 0). Needs: the rows of microbatch 1. Feeds: "
        "stage 1 on device 1, and the backward of its own stage, which needs what is kept until "
        "then.");
  CHECK(story_of(program, 1, "backward stage 1 microbatch 0") ==
        "Backward of microbatch 0 on stage 1 (device 1). Needs: the gradient from stage 2 on "
        "device 2, and what its forward kept. Feeds: stage 0 on device 0. It also adds to the "
        "parameter gradient of stage 1, and frees what its forward kept.");
  CHECK(mentions(story_of(program, 2, "forward stage 2 microbatch 0"), "Feeds: the loss, and"));
  CHECK(mentions(story_of(program, 2, "backward stage 2 microbatch 0"),
                 "Needs: the gradient of the loss, and"));
  CHECK(mentions(story_of(program, 0, "backward stage 0 microbatch 0"), "it feeds none"));
}

TEST_CASE("whoever feeds a stage is named by that stage as what it needs, in every schedule") {
  each_schedule([](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
    if (shape.ranks > 4 || shape.microbatches > 4) return;
    CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches);
    const Program program = lower(schedule);
    for (int stage = 0; stage + 1 < program.stages; ++stage) {
      const int here = schedule.stage_rank[static_cast<std::size_t>(stage)];
      const int there = schedule.stage_rank[static_cast<std::size_t>(stage + 1)];
      const auto name = [&](int wanted, int on, int from) {
        return "stage " + std::to_string(wanted) + " on " +
               (on == from ? "this device" : "device " + std::to_string(on));
      };
      const std::string feeding =
          story_of(program, here, "forward stage " + std::to_string(stage) + " microbatch 0");
      const std::string needing =
          story_of(program, there, "forward stage " + std::to_string(stage + 1) + " microbatch 0");
      REQUIRE(mentions(feeding, "Feeds: " + name(stage + 1, there, here)));
      REQUIRE(mentions(needing, "Needs: the output of " + name(stage, here, there)));
    }
  });
}

TEST_CASE("every instruction of any program has a story that ends as a sentence") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const Program program = lower(shuffled_schedule(draw, 5));
    for (int rank = 0; rank < static_cast<int>(program.devices.size()); ++rank) {
      const auto& list = program.devices[static_cast<std::size_t>(rank)].instructions;
      for (int i = 0; i < static_cast<int>(list.size()); ++i) {
        REQUIRE(story(program, rank, i).ends_with('.'));
      }
    }
  }
}
