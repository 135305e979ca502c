#include "program/validate.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "program/fault_list.h"
#include "program/instruction.h"
#include "support/programs.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Places = std::vector<std::pair<std::string, std::string>>;

/// Code and place of each fault.
Places faults_of(const Program& program) {
  Places places;
  for (const Error& fault : validate(program)) places.emplace_back(fault.code, fault.where);
  return places;
}

Places faults_of(std::string_view text) {
  return faults_of(program_from(text));
}

/// The small pipeline with the instruction at (rank, index) replaced.
Program small_with(int rank, int index, const Instruction& instruction) {
  Program program = program_from(kSmallPipeline);
  program.devices.at(static_cast<std::size_t>(rank))
      .instructions.at(static_cast<std::size_t>(index)) = instruction;
  return program;
}

/// A device of a program without stage work, with `lines` as its instructions.
std::string device(int rank, std::string_view lines) {
  return "device " + std::to_string(rank) + " replica 0 stages\n" + std::string(lines);
}

std::string communication(const std::string& devices) {
  return "program x\nstages 1\nmicrobatches 1\n" + devices;
}

}  // namespace

TEST_CASE("a right program has no fault, with the backward whole or in halves") {
  CHECK(faults_of(kSmallPipeline).empty());
  Program halves = program_from(kSmallPipeline);
  halves.devices[0].instructions[3].op = Op::backward_input;
  halves.devices[0].instructions.push_back({.op = Op::backward_weight});
  CHECK(faults_of(halves).empty());
}

TEST_CASE("a program that only communicates needs no stage work") {
  CHECK(faults_of(communication(device(0, "send gradient chunk 0 of 1 to 1\nscale 1/2\n") +
                                device(1, "receive gradient chunk 0 of 1 from 0\n")))
            .empty());
}

TEST_CASE("sizes outside their limits are faults of the program") {
  CHECK(faults_of("program x\nstages 0\nmicrobatches 1025\n") ==
        Places{
            {"out_of_range", "program"}, {"out_of_range", "program"}, {"out_of_range", "program"}});
  CHECK(faults_of("program x\nstages 1\nmicrobatches 1\ndevice 0 replica 1 stages 0 1\n") ==
        Places{{"out_of_range", "device 0"}, {"out_of_range", "device 0"}});
}

TEST_CASE("a stage, microbatch, chunk or device that does not exist is named where it is used") {
  CHECK(faults_of(communication(device(0,
                                       "send gradient chunk 4 of 4 to 0\n"
                                       "send gradient chunk 0 of 0 to 1\n"
                                       "scale 0/4\n"
                                       "scale 1/0\n"))) ==
        Places{{"out_of_range", "device 0, instruction 0"},
               {"self_send", "device 0, instruction 0"},
               {"out_of_range", "device 0, instruction 1"},
               {"out_of_range", "device 0, instruction 1"},
               {"scale_by_zero", "device 0, instruction 2"},
               {"scale_by_zero", "device 0, instruction 3"}});
  Program far = program_from(kSmallPipeline);
  far.devices[1].instructions.push_back({.op = Op::backward, .stage = 2, .microbatch = 1});
  CHECK(faults_of(far) == Places{{"out_of_range", "device 1, instruction 4"},
                                 {"out_of_range", "device 1, instruction 4"}});
}

TEST_CASE("work on a stage that the device does not hold is named") {
  Program program = program_from(kSmallPipeline);
  program.devices[1].stages = {0};
  CHECK(faults_of(program) == Places{{"wrong_device", "device 1, instruction 1"},
                                     {"wrong_device", "device 1, instruction 2"},
                                     {"missing_input", "device 1, instruction 3"}});
}

TEST_CASE("missing and doubled work is named for each replica") {
  Program program = program_from(kSmallPipeline);
  program.microbatches = 2;
  CHECK(faults_of(program) == Places(4, {"missing_work", "replica 0"}));  // 2 stages, F and B

  Program twice = program_from(kSmallPipeline);
  twice.devices[0].instructions.push_back({.op = Op::forward});
  CHECK(faults_of(twice) == Places{{"doubled_work", "replica 0"}});

  Program whole_and_half = program_from(kSmallPipeline);
  whole_and_half.devices[0].instructions.push_back({.op = Op::backward_weight});
  CHECK(faults_of(whole_and_half) == Places{{"doubled_work", "replica 0"}});

  Program half = program_from(kSmallPipeline);
  half.devices[0].instructions[3].op = Op::backward_input;
  const std::vector<Error> faults = validate(half);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].message == "The backward_weight of stage 0 on microbatch 0 is missing.");
}

TEST_CASE("each replica is counted by itself") {
  Program program = program_from(kSmallPipeline);
  program.devices.push_back(
      {.replica = 1, .stages = {0, 1}, .instructions = {{.op = Op::forward}}});
  CHECK(faults_of(program) == Places(3, {"missing_work", "replica 1"}));
}

TEST_CASE("a tensor that is used before it is made or received is named") {
  // the forward of stage 1 without the activation, the backward before its forward
  CHECK(faults_of(small_with(1, 0, {.op = Op::scale})) ==
        Places{{"missing_input", "device 1, instruction 1"},
               {"no_receive", "device 0, instruction 1"}});
  Program swapped = program_from(kSmallPipeline);
  std::swap(swapped.devices[1].instructions[1], swapped.devices[1].instructions[2]);
  CHECK(faults_of(swapped) == Places{{"missing_input", "device 1, instruction 1"}});
  Program early = program_from(kSmallPipeline);
  std::swap(early.devices[0].instructions[0], early.devices[0].instructions[1]);
  CHECK(faults_of(early) == Places{{"missing_input", "device 0, instruction 0"}});
  Program weight_first = program_from(kSmallPipeline);
  weight_first.devices[0].instructions[3].op = Op::backward_weight;
  weight_first.devices[0].instructions.push_back({.op = Op::backward_input});
  CHECK(faults_of(weight_first) == Places{{"missing_input", "device 0, instruction 3"}});
  CHECK(faults_of(small_with(0, 2, {.op = Op::scale})) ==
        Places{{"missing_input", "device 0, instruction 3"},
               {"no_receive", "device 1, instruction 3"}});
}

TEST_CASE("a receive without a send and a send that nobody receives are both named") {
  Program program = program_from(kSmallPipeline);
  program.devices[0].instructions[1].tensor.microbatch = 0;
  program.devices[1].instructions[0].op = Op::receive;
  program.devices[1].instructions.push_back(
      {.op = Op::receive, .tensor = kDeviceGradient, .peer = 0});
  program.devices[1].instructions.push_back({.op = Op::send, .tensor = kDeviceGradient, .peer = 0});
  CHECK(faults_of(program) ==
        Places{{"no_send", "device 1, instruction 4"}, {"no_receive", "device 1, instruction 5"}});
}

TEST_CASE("a deadlock is spelled out as the circle of devices that wait for each other") {
  const std::vector<Error> faults = validate(program_from(communication(
      device(0, "receive gradient chunk 0 of 1 from 1\nsend gradient chunk 0 of 1 to 1\n") +
      device(1,
             "scale 1/2\nreceive gradient chunk 0 of 1 from 0\n"
             "send gradient chunk 0 of 1 to 0\n"))));
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].code == "deadlock");
  CHECK(faults[0].where == "device 0");
  CHECK(faults[0].message ==
        "device 0 waits at instruction 0 (receive gradient chunk 0 of 1 from 1) for device 1, "
        "which waits at instruction 1 (receive gradient chunk 0 of 1 from 0) for device 0.");
}

TEST_CASE("separate deadlocks are separate faults, the shortest circle first") {
  const auto ring = [](int from, int to) {
    return "receive gradient chunk 0 of 1 from " + std::to_string(from) +
           "\nsend gradient chunk 0 of 1 to " + std::to_string(to) + "\n";
  };
  CHECK(faults_of(communication(device(0, ring(2, 1)) + device(1, ring(0, 2)) +
                                device(2, ring(1, 0)) + device(3, ring(4, 4)) +
                                device(4, ring(3, 3)))) ==
        Places{{"deadlock", "device 3"}, {"deadlock", "device 0"}});
}

TEST_CASE("a text with a million faults is answered with the first thousand") {
  Program program{.name = "x", .stages = 1024, .microbatches = 1024};
  program.devices.push_back({.stages = {0}, .instructions = {{.op = Op::forward}}});
  const std::vector<Error> faults = validate(program);
  REQUIRE(faults.size() == kMaxFaults + 1);
  CHECK(faults.back().code == "more_faults");
}

TEST_CASE("any program at all is answered, never with a crash") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    CAPTURE(seed);
    Program program = drawn_program(seed);
    for (DeviceProgram& device : program.devices) {
      for (Instruction& instruction : device.instructions) {
        instruction.stage -= 1;
        instruction.microbatch -= 1;
        instruction.peer -= 1;
        instruction.tensor.chunks -= 1;
      }
    }
    CHECK(validate(program).size() <= kMaxFaults + 1);
  }
}

TEST_CASE("devices end their steps together, and each step has all of its work") {
  const std::string body(kSmallPipeline);
  Program program = program_from(body);
  for (DeviceProgram& device : program.devices) {
    device.instructions.push_back({.op = Op::update});
    const std::vector<Instruction> step = device.instructions;
    device.instructions.insert(device.instructions.end(), step.begin(), step.end());
  }
  CHECK(validate(program).empty());
  CHECK(step_count(program) == 2);

  Program unequal = program;
  unequal.devices[1].instructions.pop_back();
  REQUIRE(!validate(unequal).empty());
  CHECK(validate(unequal).front().code == "unequal_steps");
  CHECK(validate(unequal).front().where == "device 1");

  Program lacking = program;
  std::vector<Instruction>& list = lacking.devices[0].instructions;
  list.erase(list.end() - 2);  // the backward of the second step
  REQUIRE(!validate(lacking).empty());
  CHECK(validate(lacking).front().code == "missing_work");
  CHECK(validate(lacking).front().where == "replica 0, step 1");

  Program late = program;
  std::vector<Instruction>& behind = late.devices[0].instructions;
  std::swap(behind[behind.size() - 2], behind.back());
  const std::vector<Error> faults = validate(late);
  CHECK(std::ranges::count(faults, "unequal_steps", &Error::code) == 1);
}
