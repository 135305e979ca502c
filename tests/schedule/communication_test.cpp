#include "schedule/communication.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "program/instruction.h"
#include "program/validate.h"
#include "schedule/lower.h"
#include "schedule/validate_communication.h"
#include "strategy/strategy.h"
#include "support/communication.h"
#include "support/runs.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr Dialect kDialects[] = {Dialect::current, Dialect::old};

/// What a device does, and in any order what it sends and receives.
struct Behaviour {
  std::vector<Instruction> work;
  std::vector<std::string> messages;

  explicit Behaviour(const DeviceProgram& device) {
    for (const Instruction& instruction : device.instructions) {
      if (is_stage_work(instruction.op)) {
        work.push_back(instruction);
      } else {
        messages.push_back(to_text(instruction));
      }
    }
    std::ranges::sort(messages);
  }

  bool operator==(const Behaviour&) const = default;
};

/// The most stages that a rank has whole at a time.
int most_whole(const std::vector<CommunicationAction>& actions) {
  int whole = 0;
  int most = 0;
  for (const CommunicationAction& action : actions) {
    if (action.kind == CommunicationKind::unshard) most = std::max(most, ++whole);
    if (action.kind == CommunicationKind::reshard) --whole;
  }
  return most;
}

}  // namespace

TEST_CASE("every schedule with its communication survives its text, in both dialects") {
  each_communication([](const Schedule&, CommunicationSchedule communication) {
    communication.name = "own";
    for (const Dialect dialect : kDialects) {
      const Result<CommunicationSchedule> read =
          read_communication(write_csv(communication, dialect), dialect);
      REQUIRE(read.ok());
      REQUIRE(read.value() == communication);
    }
  });
}

TEST_CASE("every schedule survives its compute-only text in PyTorch's older dialect") {
  each_schedule([](const ScheduleRow& row, const ScheduleShape& shape, Schedule schedule) {
    CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches);
    schedule.name = "own";
    const Result<Schedule> read = read_schedule(write_csv(schedule, Dialect::old), Dialect::old);
    REQUIRE(read.ok());
    REQUIRE(read.value() == schedule);
  });
}

TEST_CASE("the work of a schedule with its communication is the schedule") {
  each_communication([](const Schedule& schedule, const CommunicationSchedule& communication) {
    REQUIRE(work_of(communication) == schedule);
  });
}

TEST_CASE("the communication of every schedule has no fault") {
  each_communication([](const Schedule&, const CommunicationSchedule& communication) {
    REQUIRE(validate_communication(communication).empty());
  });
}

TEST_CASE("the program of a schedule with communication does what its own program does") {
  each_communication([](const Schedule& schedule, const CommunicationSchedule& communication) {
    const Result<Program> program = to_program(communication);
    REQUIRE(program.ok());
    REQUIRE(validate(program.value()).empty());
    const Program expected = lower(schedule);
    REQUIRE(program.value().name == expected.name);
    REQUIRE(program.value().stages == expected.stages);
    REQUIRE(program.value().microbatches == expected.microbatches);
    REQUIRE(program.value().devices.size() == expected.devices.size());
    for (std::size_t rank = 0; rank < expected.devices.size(); ++rank) {
      REQUIRE(program.value().devices[rank].stages == expected.devices[rank].stages);
      REQUIRE(Behaviour(program.value().devices[rank]) == Behaviour(expected.devices[rank]));
    }
  });
}

TEST_CASE("a run of the program with communication gives the same gradient, bit for bit") {
  for (const ScheduleRow& row : schedule_table()) {
    if (!row.not_trainable.empty()) continue;
    RunConfig config = find_strategy("pipeline_parallel").value().defaults();
    config.schedule = row.name;
    config.chunks = row.default_chunks;
    const Plan plan = make_plan(config).value();
    const Schedule schedule =
        make_schedule(row.name, {config.stages, config.chunks, config.microbatches}).value();
    CAPTURE(row.name);
    const Program program = to_program(communicated(schedule)).value();
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      CHECK(run_to_end(make_devices(program, plan.data), seed) ==
            run_to_end(make_devices(lower(schedule), plan.data), seed));
    }
  }
}

TEST_CASE("sends follow what makes them, and receives stand where the other rank sends") {
  // by hand: rank 1 gets 1RECV_F1 while it is at 1F0, as rank 0 does not wait for it
  CHECK(write_csv(communicated(made("one_f_one_b", 2, 2))) ==
        "0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\n"
        "1RECV_F0,1F0,1RECV_F1,1B0,1SEND_B0,1F1,1B1,1SEND_B1\n");
}

TEST_CASE("a pair that overlaps waits for what both need and sends what both make") {
  const Schedule schedule = make_schedule("dualpipe_v", {2, 2, 4}).value();
  const std::string text = write_csv(communicated(schedule));
  CHECK(text.find("(0F3;3B1)OVERLAP_F_B,0SEND_F3,3SEND_B1,") != std::string::npos);
}

TEST_CASE("nothing comes between the two actions of a pair, though other stages come next") {
  const Schedule schedule =
      schedule_from("0F0,1F0,2F0,3F0,(0F1;3B0)OVERLAP_F_B,2B0,1B0,0B0,1F1,2F1,3F1,3B1,2B1,1B1,0B1");
  CHECK(write_csv(communicated(schedule, Weights::sharded))
            .find("(0F1;3B0)OVERLAP_F_B,3RESHARD,1UNSHARD,2B0") != std::string::npos);
}

TEST_CASE("a rank that shards its weights has at most three stages whole, and needs them soon") {
  const Schedule schedule = make_schedule("looped_bfs", {2, 5, 2}).value();
  const CommunicationSchedule communication = communicated(schedule, Weights::sharded);
  CHECK(validate_communication(communication).empty());
  for (const auto& actions : communication.ranks) CHECK(most_whole(actions) == kStagesWholeMax);
  // by hand: stages 0, 2 and 4 come first; when 0 is done, 6 is among the next three
  std::vector<CommunicationAction> rank_0 = communication.ranks.at(0);
  std::erase_if(rank_0, [](const CommunicationAction& action) { return is_message(action.kind); });
  rank_0.resize(8);
  CHECK(token_texts(rank_0) == std::vector<std::string>{"0UNSHARD", "2UNSHARD", "4UNSHARD", "0F0",
                                                        "0F1", "0RESHARD", "6UNSHARD", "2F0"});
}

TEST_CASE("a schedule with a fault has no communication, and one without its messages no program") {
  const Result<CommunicationSchedule> deadlock =
      add_communication(schedule_from("0F0 0B0 0F1 0B1\n1F1 1B1 1F0 1B0"));
  REQUIRE(!deadlock.ok());
  CHECK(deadlock.error().code == "deadlock");
  const Result<Program> program = to_program(communication_from("0F0,0B0\n1F0,1B0\n"));
  REQUIRE(!program.ok());
  CHECK(program.error().code == "missing_message");
}
