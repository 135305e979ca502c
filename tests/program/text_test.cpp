#include "program/text.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "support/programs.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

void check_error(std::string_view text, std::string_view code, std::string_view where) {
  CAPTURE(text);
  const Result<Program> program = read_program(text);
  REQUIRE(!program.ok());
  CHECK(program.error().code == code);
  CHECK(program.error().where == where);
}

/// A text whose fourth line is a device and whose fifth is `line`.
std::string with_instruction(std::string_view line) {
  return "program x\nstages 1\nmicrobatches 1\ndevice 0 replica 0 stages 0\n" + std::string(line);
}

}  // namespace

TEST_CASE("a program that is written and read again is equal, whatever it holds") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    CAPTURE(seed);
    const Program program = drawn_program(seed);
    const Result<Program> read = read_program(write_program(program));
    REQUIRE(read.ok());
    REQUIRE(read.value() == program);
  }
}

TEST_CASE("a text that is read and written again is the same text") {
  CHECK(write_program(program_from(kSmallPipeline)) == kSmallPipeline);
}

TEST_CASE("the words of a text fill the fields that they name") {
  const Program program =
      program_from(with_instruction("receive_add gradient chunk 2 of 4 from 3\nscale "
                                    "-1/4\nbackward_weight stage 5 microbatch 6"));
  const std::vector<Instruction> expected = {
      {.op = Op::receive_add,
       .tensor = {.kind = TensorKind::gradient, .stage = kAllStages, .chunk = 2, .chunks = 4},
       .peer = 3},
      {.op = Op::scale, .numerator = -1, .denominator = 4},
      {.op = Op::backward_weight, .stage = 5, .microbatch = 6}};
  CHECK(program.devices.at(0).instructions == expected);
}

TEST_CASE("comments, blank lines, indentation and carriage returns are left out") {
  const Program program = program_from(
      "# by hand\r\n\nprogram x # name\n\n  stages\t1\r\nmicrobatches 1\n"
      "device 0 replica 0 stages 0\nforward stage 0 microbatch 0 # the first");
  CHECK(program.devices.at(0).instructions == std::vector<Instruction>{{.op = Op::forward}});
}

TEST_CASE("a wrong text is refused at the word that is wrong") {
  check_error("", "missing", "line 1, column 1");
  check_error("program x\n", "missing", "line 2, column 1");
  check_error("program\n", "missing", "line 1, column 8");
  check_error("stages 2\n", "unexpected", "line 1, column 1");
  check_error("program x\nstages two\n", "not_a_number", "line 2, column 8");
  check_error("program x\nstages 99999999999\n", "not_a_number", "line 2, column 8");
  check_error("program x y\n", "unexpected", "line 1, column 11");
  check_error("program x\nstages 1\nmicrobatches 1\nforward stage 0 microbatch 0\n", "unexpected",
              "line 4, column 1");
  check_error("program x\nstages 1\nmicrobatches 1\ndevice 1 replica 0 stages 0\n", "unexpected",
              "line 4, column 8");
  check_error(with_instruction("  forwrd stage 0 microbatch 0"), "unknown_word",
              "line 5, column 3");
  check_error(with_instruction("send gradients chunk 0 of 1 to 1"), "unknown_word",
              "line 5, column 6");
  check_error(with_instruction("send activation stage 0 microbatch 0 from 1"), "unexpected",
              "line 5, column 38");
  check_error(with_instruction("forward stage 0"), "missing", "line 5, column 16");
  check_error(with_instruction("forward stage 0 microbatch 0 1"), "unexpected",
              "line 5, column 30");
  check_error(with_instruction("scale 1"), "not_a_number", "line 5, column 7");
  check_error(with_instruction("scale /"), "not_a_number", "line 5, column 7");
}

TEST_CASE("an unknown word is answered with the nearest known one") {
  const Result<Program> program = read_program(with_instruction("backwards stage 0 microbatch 0"));
  REQUIRE(!program.ok());
  CHECK(program.error().message ==
        "\"backwards\" is not an instruction (did you mean \"backward\"?).");
}

TEST_CASE("more devices than there may be are refused before they cost anything") {
  std::string text = "program x\nstages 1\nmicrobatches 1\n";
  for (int rank = 0; rank <= kMaxRanks; ++rank) {
    text += "device " + std::to_string(rank) + " replica 0 stages 0\n";
  }
  check_error(text, "too_large", "line 68, column 8");  // 3 lines, 64 devices, then this one
}

TEST_CASE("a message quotes a stray word in plain letters, cut when it is long") {
  const std::string stray = "\xff" + std::string(100, 'x');
  const Result<Program> program = read_program(with_instruction(stray));
  REQUIRE(!program.ok());
  CHECK(program.error().message == "\"?" + std::string(39, 'x') + "…\" is not an instruction.");
}
