#include "picture/story.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "program/instruction.h"
#include "schedule/lower.h"
#include "strategy/strategy.h"
#include "support/programs.h"
#include "support/schedules.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::size_t index(int value) {
  return static_cast<std::size_t>(value);
}

template <typename Visit>
void each_instruction(const Program& program, Visit visit) {
  for (int rank = 0; rank < static_cast<int>(program.devices.size()); ++rank) {
    const auto& list = program.devices[index(rank)].instructions;
    for (int i = 0; i < static_cast<int>(list.size()); ++i) {
      visit(InstructionPlace{rank, i}, list[index(i)]);
    }
  }
}

/// The stories of a pipeline's work by what it is.
struct Stories {
  explicit Stories(Program pipeline)
      : program(std::move(pipeline)), ends(match_messages(program)) {}

  std::string forward(int rank, int stage, int microbatch) const {
    return of(rank, stage, microbatch, {Op::forward});
  }

  /// Of the work that gives the stage before its gradient.
  std::string gradient(int rank, int stage, int microbatch) const {
    return of(rank, stage, microbatch, {Op::backward, Op::backward_input});
  }

  std::string of(int rank, int stage, int microbatch, std::initializer_list<Op> ops) const {
    const auto& list = program.devices.at(index(rank)).instructions;
    const auto found = std::ranges::find_if(list, [&](const Instruction& work) {
      return std::ranges::count(ops, work.op) > 0 && work.stage == stage &&
             work.microbatch == microbatch;
    });
    REQUIRE(found != list.end());
    return story(program, ends, {rank, static_cast<int>(found - list.begin())});
  }

  Program program;
  MessageEnds ends;
};

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The largest number that follows a word, or −1.
int largest_after(const std::string& text, const std::string& word) {
  int largest = -1;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::string rest = text.substr(at + word.size(), 4);
    if (rest.find_first_of("0123456789") == 0) largest = std::max(largest, std::stoi(rest));
  }
  return largest;
}

}  // namespace

TEST_CASE("a cell tells what it needs and what it feeds") {
  const Stories stories(lower(made("one_f_one_b", 3, 2)));
  CHECK(stories.forward(0, 0, 1) ==
        "Forward of microbatch 1 on stage 0 (device 0). Needs: the rows of microbatch 1. Feeds: "
        "stage 1 on device 1, and the backward of its own stage, which needs what is kept until "
        "then.");
  CHECK(stories.gradient(1, 1, 0) ==
        "Backward of microbatch 0 on stage 1 (device 1). Needs: the gradient from stage 2 on "
        "device 2, and what its forward kept. Feeds: stage 0 on device 0. It also adds to the "
        "parameter gradient of stage 1, and frees what its forward kept.");
  CHECK(mentions(stories.forward(2, 2, 0), "Feeds: the loss, and"));
  CHECK(mentions(stories.gradient(2, 2, 0), "Needs: the gradient of the loss, and"));
  CHECK(mentions(stories.gradient(0, 0, 0), "it feeds none"));
}

TEST_CASE("a step of the ring tells where its chunk comes from and where it goes") {
  RunConfig config;
  config.devices = 2;
  const Program program = make_plan(config).value().program;
  // Device 0: forward, backward, send chunk 0, receive_add 1, send 1, receive 0, scale.
  const MessageEnds ends = match_messages(program);
  CHECK(story(program, ends, {0, 2}) ==
        "Sends the gradient chunk 0 of 2 (device 0). Needs: the gradient of its own backward. "
        "Feeds: device 1, which adds it to its own.");
  CHECK(story(program, ends, {0, 3}) ==
        "Takes in the gradient chunk 1 of 2 from device 1, and adds it to its own (device 0). "
        "Needs: the send of device 1. Feeds: the send to device 1.");
  CHECK(story(program, ends, {0, 4}) ==
        "Sends the gradient chunk 1 of 2 (device 0). Needs: what came from device 1. Feeds: device "
        "1, which keeps it.");
  CHECK(mentions(story(program, ends, {0, 5}), "Feeds: the mean, for the sum of this chunk"));
  CHECK(mentions(story(program, ends, {0, 6}), "Divides the sum of the gradients by 2"));
  CHECK(mentions(story(program, ends, {0, 1}), "which the exchange with the other devices needs"));
  config.weighted = true;
  const Program weighted = make_plan(config).value().program;
  CHECK(mentions(story(weighted, match_messages(weighted), {0, 2}),
                 "Weighs the gradient of this device by its 32 rows."));
}

TEST_CASE("a chunk that came from several devices is sent on as the last of them left it") {
  const Program program = program_from(
      "program star\n"
      "stages 1\n"
      "microbatches 1\n"
      "device 0 replica 0 stages 0\n"
      "  receive_add gradient chunk 0 of 1 from 1\n"
      "  receive_add gradient chunk 0 of 1 from 2\n"
      "  send gradient chunk 0 of 1 to 1\n"
      "  send gradient chunk 0 of 1 to 2\n"
      "device 1 replica 1 stages 0\n"
      "  send gradient chunk 0 of 1 to 0\n"
      "  receive gradient chunk 0 of 1 from 0\n"
      "device 2 replica 2 stages 0\n"
      "  send gradient chunk 0 of 1 to 0\n"
      "  receive gradient chunk 0 of 1 from 0\n");
  const MessageEnds ends = match_messages(program);
  CHECK(mentions(story(program, ends, {0, 2}), "Needs: what came from device 2."));
  CHECK(mentions(story(program, ends, {0, 0}), "Feeds: what is added next, from device 2."));
  CHECK(mentions(story(program, ends, {1, 1}), "Feeds: the gradient that this device ends with."));
}

TEST_CASE("whoever feeds a stage is named by that stage as what it needs, in every schedule") {
  each_schedule([](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
    if (shape.ranks > 4 || shape.microbatches > 4) return;
    CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches);
    const Stories stories(lower(schedule));
    for (int stage = 0; stage + 1 < stories.program.stages; ++stage) {
      const auto name = [&](int wanted, int on, int from) {
        return "stage " + std::to_string(wanted) + " on " +
               (on == from ? "this device" : "device " + std::to_string(on));
      };
      for (int m = 0; m < shape.microbatches; ++m) {
        const int here = schedule.rank_of(stage, m);
        const int there = schedule.rank_of(stage + 1, m);
        const std::string up = name(stage + 1, there, here);
        const std::string down = name(stage, here, there);
        REQUIRE(mentions(stories.forward(here, stage, m), "Feeds: " + up));
        REQUIRE(mentions(stories.forward(there, stage + 1, m), "Needs: the output of " + down));
        if (!schedule.has_backward()) {
          REQUIRE(mentions(stories.forward(here, stage, m), "Nothing is kept"));
          continue;
        }
        REQUIRE(mentions(stories.gradient(there, stage + 1, m), "Feeds: " + down));
        REQUIRE(mentions(stories.gradient(here, stage, m), "Needs: the gradient from " + up));
        // What a forward keeps is needed where the gradient comes back.
        REQUIRE(mentions(stories.forward(here, stage, m), "the backward of its own stage"));
        REQUIRE(mentions(stories.gradient(here, stage, m), "what its forward kept"));
      }
    }
  });
}

TEST_CASE("both ends of every message name each other, and so do a chunk's receive and its send") {
  std::vector<Program> programs = {lower(made("one_f_one_b", 4, 8)), lower(made("gpipe", 3, 2))};
  for (const int devices : {1, 2, 3, 5, 16}) {
    RunConfig config;
    config.devices = devices;
    config.weighted = devices % 2 == 1;
    programs.push_back(make_plan(config).value().program);
  }
  for (const Program& program : programs) {
    CAPTURE(program.name, program.devices.size());
    const MessageEnds ends = match_messages(program);
    each_instruction(program, [&](InstructionPlace place, const Instruction& instruction) {
      if (instruction.op != Op::send) return;
      const InstructionPlace end = ends[index(place.rank)][index(place.index)];
      const std::string sent = story(program, ends, place);
      const std::string taken = story(program, ends, end);
      REQUIRE(mentions(sent, "Feeds: device " + std::to_string(end.rank)));
      REQUIRE(mentions(taken, "Needs: the send of device " + std::to_string(place.rank) + "."));
      REQUIRE(mentions(sent, "adds it to its own") == mentions(taken, "adds it to its own"));
      // The send that a receive feeds says that it needs what came from that receive's peer.
      const std::string onward = "Feeds: the send to device ";
      if (!mentions(taken, onward)) return;
      const auto& list = program.devices[index(end.rank)].instructions;
      const auto next = std::find_if(list.begin() + end.index, list.end(), [&](const auto& other) {
        return other.op == Op::send && other.tensor == instruction.tensor;
      });
      REQUIRE(next != list.end());
      REQUIRE(mentions(taken, onward + std::to_string(next->peer) + "."));
      const int at = static_cast<int>(next - list.begin());
      REQUIRE(mentions(story(program, ends, {end.rank, at}),
                       "Needs: what came from device " + std::to_string(place.rank) + "."));
    });
  }
}

TEST_CASE("stories speak only of stages, microbatches and devices that there are") {
  each_schedule([](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
    if (shape.ranks > 4 || shape.microbatches > 4) return;
    CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches);
    const Program program = lower(schedule);
    const MessageEnds ends = match_messages(program);
    each_instruction(program, [&](InstructionPlace place, const Instruction&) {
      const std::string text = story(program, ends, place);
      CAPTURE(text);
      REQUIRE(largest_after(text, "stage ") < program.stages);
      REQUIRE(largest_after(text, "microbatch ") < program.microbatches);
      REQUIRE(largest_after(text, "device ") < shape.ranks);
    });
  });
}

TEST_CASE("every instruction of any program has a story that ends as a sentence") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const Program program = lower(shuffled_schedule(draw, 5));
    const MessageEnds ends = match_messages(program);
    each_instruction(program, [&](InstructionPlace place, const Instruction&) {
      REQUIRE(story(program, ends, place).ends_with('.'));
    });
  }
}
