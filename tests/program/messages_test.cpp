#include "program/messages.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "program/instruction.h"
#include "support/programs.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

const Instruction& at(const Program& program, InstructionPlace place) {
  return program.devices.at(static_cast<std::size_t>(place.rank))
      .instructions.at(static_cast<std::size_t>(place.index));
}

InstructionPlace end_of(const MessageEnds& ends, InstructionPlace place) {
  return ends.at(static_cast<std::size_t>(place.rank)).at(static_cast<std::size_t>(place.index));
}

template <typename Visit>
void each_place(const Program& program, Visit visit) {
  for (int rank = 0; rank < static_cast<int>(program.devices.size()); ++rank) {
    const std::size_t size = program.devices[static_cast<std::size_t>(rank)].instructions.size();
    for (int i = 0; i < static_cast<int>(size); ++i) visit(InstructionPlace{rank, i});
  }
}

/// How many messages with the name and direction of the one at `place` its device has before it.
int count_before(const Program& program, InstructionPlace place) {
  const Instruction& message = at(program, place);
  int count = 0;
  for (int i = 0; i < place.index; ++i) {
    const Instruction& other = at(program, {place.rank, i});
    const bool same_direction = (other.op == Op::send) == (message.op == Op::send);
    if ((other.op == Op::send || is_receive(other.op)) && same_direction &&
        other.tensor == message.tensor && other.peer == message.peer) {
      ++count;
    }
  }
  return count;
}

}  // namespace

TEST_CASE("the two ends of a message name each other, the same tensor and each other's device") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Program program = drawn_program(seed);
    const MessageEnds ends = match_messages(program);
    each_place(program, [&](InstructionPlace place) {
      const InstructionPlace other = end_of(ends, place);
      if (!other.exists()) return;
      CAPTURE(seed, place.rank, place.index);
      REQUIRE(end_of(ends, other) == place);
      REQUIRE((at(program, place).op == Op::send) == is_receive(at(program, other).op));
      REQUIRE(at(program, place).tensor == at(program, other).tensor);
      REQUIRE(at(program, place).peer == other.rank);
      REQUIRE(at(program, other).peer == place.rank);
      REQUIRE(place.rank != other.rank);
      REQUIRE(count_before(program, place) == count_before(program, other));
    });
  }
}

TEST_CASE("a message without another end is one too many of its name") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Program program = drawn_program(seed);
    const MessageEnds ends = match_messages(program);
    each_place(program, [&](InstructionPlace place) {
      const Instruction& message = at(program, place);
      if (message.op != Op::send && !is_receive(message.op)) return;
      if (end_of(ends, place).exists() || message.peer == place.rank) return;
      if (message.peer >= static_cast<int>(program.devices.size())) return;
      CAPTURE(seed, place.rank, place.index);
      int at_peer = 0;
      each_place(program, [&](InstructionPlace other) {
        const Instruction& candidate = at(program, other);
        const bool opposite =
            message.op == Op::send ? is_receive(candidate.op) : candidate.op == Op::send;
        if (other.rank == message.peer && opposite && candidate.tensor == message.tensor &&
            candidate.peer == place.rank) {
          ++at_peer;
        }
      });
      REQUIRE(count_before(program, place) >= at_peer);
    });
  }
}

TEST_CASE("messages of one name pair in the order in which they are sent and received") {
  const Program program = program_from(
      "program x\nstages 1\nmicrobatches 1\n"
      "device 0 replica 0 stages 0\n"
      "  send gradient chunk 0 of 1 to 1\n"
      "  send gradient chunk 0 of 1 to 1\n"
      "device 1 replica 0 stages 0\n"
      "  receive gradient chunk 0 of 1 from 0\n"
      "  scale 1/2\n"
      "  receive_add gradient chunk 0 of 1 from 0\n");
  const MessageEnds ends = match_messages(program);
  CHECK(ends == MessageEnds{{{1, 0}, {1, 2}}, {{0, 0}, {-1, -1}, {0, 1}}});
}

TEST_CASE("in the run order every receive comes after its send, and each device keeps its order") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const Program program = drawn_program(seed);
    const MessageEnds ends = match_messages(program);
    const RunOrder run = run_order(program, ends);
    std::vector<int> done(program.devices.size(), 0);
    for (const InstructionPlace place : run.order) {
      const InstructionPlace other = end_of(ends, place);
      if (is_receive(at(program, place).op) && other.exists()) {
        REQUIRE(done[static_cast<std::size_t>(other.rank)] > other.index);
      }
      REQUIRE(done[static_cast<std::size_t>(place.rank)] == place.index);
      ++done[static_cast<std::size_t>(place.rank)];
    }
    REQUIRE(done == run.stopped_at);
  }
}

TEST_CASE("a device stops only at a receive whose send has not run") {
  int stopped = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const Program program = drawn_program(seed);
    const MessageEnds ends = match_messages(program);
    const RunOrder run = run_order(program, ends);
    bool all_ran = true;
    for (int rank = 0; rank < static_cast<int>(program.devices.size()); ++rank) {
      const int next = run.stopped_at[static_cast<std::size_t>(rank)];
      const auto size = program.devices[static_cast<std::size_t>(rank)].instructions.size();
      if (next == static_cast<int>(size)) continue;
      all_ran = false;
      ++stopped;
      const InstructionPlace send = end_of(ends, {rank, next});
      REQUIRE(is_receive(at(program, {rank, next}).op));
      REQUIRE(send.exists());
      REQUIRE(run.stopped_at[static_cast<std::size_t>(send.rank)] <= send.index);
    }
    REQUIRE(run.complete(program) == all_ran);
  }
  CHECK(stopped > 0);  // the draws do contain deadlocks
}
