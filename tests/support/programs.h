// Programs for tests: small ones written out, and random ones from a seed.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/random.h"
#include "program/instruction.h"
#include "program/program.h"
#include "program/text.h"

namespace lockstep::test {

/// The program that a literal text spells.
inline Program program_from(std::string_view text) {
  Result<Program> program = read_program(text);
  REQUIRE(program.ok());
  return std::move(program).value();
}

/// Two stages on two devices, one microbatch: the smallest pipeline. It has no fault.
inline constexpr std::string_view kSmallPipeline =
    "program small\n"
    "stages 2\n"
    "microbatches 1\n"
    "device 0 replica 0 stages 0\n"
    "  forward stage 0 microbatch 0\n"
    "  send activation stage 0 microbatch 0 to 1\n"
    "  receive activation_gradient stage 0 microbatch 0 from 1\n"
    "  backward stage 0 microbatch 0\n"
    "device 1 replica 0 stages 1\n"
    "  receive activation stage 0 microbatch 0 from 0\n"
    "  forward stage 1 microbatch 0\n"
    "  backward stage 1 microbatch 0\n"
    "  send activation_gradient stage 0 microbatch 0 to 0\n";

/// Draws numbers one after the other from a stream of a seed.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : seed_(seed) {}
  int below(int bound) {
    return static_cast<int>(random_below(seed_, 77, index_++, static_cast<std::uint64_t>(bound)));
  }

 private:
  std::uint64_t seed_;
  std::uint64_t index_ = 0;
};

/// Of a few names mostly, so that sends often find a receive.
inline TensorName drawn_tensor(Draw& draw) {
  TensorName tensor;
  if (draw.below(4) > 0) {
    tensor.kind = static_cast<TensorKind>(draw.below(2));
    return tensor;
  }
  tensor.kind = static_cast<TensorKind>(draw.below(6));
  tensor.chunks = 1 + draw.below(4);
  tensor.chunk = draw.below(tensor.chunks);
  tensor.count = 1 + draw.below(tensor.chunks - tensor.chunk);
  if (is_of_microbatch(tensor.kind)) {
    tensor.stage = draw.below(3);
    tensor.microbatch = draw.below(2);
  } else if (tensor.kind != TensorKind::block) {
    tensor.stage = draw.below(4) + kAllStages;
  }
  return tensor;
}

/// Any instructions in any order on 1 to 5 devices: seldom valid, always writable.
inline Program drawn_program(std::uint64_t seed) {
  Draw draw(seed);
  Program program{.name = "drawn", .stages = 1 + draw.below(4), .microbatches = 1 + draw.below(4)};
  const int ranks = 1 + draw.below(5);
  for (int rank = 0; rank < ranks; ++rank) {
    DeviceProgram device{.replica = draw.below(2)};
    for (int stage = 0; stage < program.stages; ++stage) {
      if (draw.below(2) == 0) device.stages.push_back(stage);
    }
    const int instructions = draw.below(50);
    for (int i = 0; i < instructions; ++i) {
      Instruction instruction{.op = static_cast<Op>(draw.below(8))};
      if (instruction.op < Op::send) {
        instruction.stage = draw.below(5);
        instruction.microbatch = draw.below(5);
      } else if (instruction.op == Op::scale) {
        instruction.numerator = draw.below(4) - 1;
        instruction.denominator = draw.below(4);
      } else {
        instruction.tensor = drawn_tensor(draw);
        instruction.peer = draw.below(ranks + 1);
      }
      device.instructions.push_back(instruction);
    }
    program.devices.push_back(device);
  }
  return program;
}

}  // namespace lockstep::test
