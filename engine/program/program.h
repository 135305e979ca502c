// A program: what every device does, as one instruction list a device. Strategies, collectives and
// schedules only build programs; engine/device runs them, engine/cost times them, engine/picture
// draws them.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

/// What an instruction does. The table in instruction.cpp says how each is spelled.
enum class Op {
  forward,          ///< outputs of `stage` for `microbatch`; the last stage also takes the loss
  backward,         ///< backward_input and backward_weight in one
  backward_input,   ///< gradient with respect to the stage's inputs
  backward_weight,  ///< adds the gradient with respect to the stage's parameters
  send,             ///< `tensor` goes to `peer`; never waits
  receive,          ///< waits for `tensor` from `peer` and stores it
  receive_add,      ///< waits for `tensor` from `peer` and adds it to what is there
  scale,            ///< multiplies the parameter gradient by numerator / denominator
  update,           ///< the optimizer's step on the device's parameters; ends a step of training
};

/// Which numbers a send or a receive carries.
enum class TensorKind {
  activation,           ///< output of `stage` for `microbatch`, shape (rows, features)
  activation_gradient,  ///< gradient with respect to that output, same shape
  gradient,             ///< of the loss by the parameters of `stage`, flat
  shared_gradient,      ///< the part of `stage`'s gradient whose parameters all shards have
  parameters,           ///< of `stage`, flat
  block,                ///< what an all-to-all carries, named by who has it for whom
};

/// As the stage of a gradient or of parameters: those of all stages of the device, in their order.
inline constexpr int kAllStages = -1;

struct TensorName {
  TensorKind kind = TensorKind::activation;
  int stage = 0;       ///< may be kAllStages for gradient and parameters; not of block
  int microbatch = 0;  ///< of activation and activation_gradient
  int chunk = 0;       ///< the first chunk that is meant: 0 … chunks − count
  int chunks = 1;      ///< the tensor's elements, row by row, are cut into this many (chunk_range)
  int count = 1;       ///< so many chunks one after the other, at least 1

  auto operator<=>(const TensorName&) const = default;
};

/// `whole`, which has one chunk, cut into `chunks`: of these `count` from `chunk` on.
TensorName part_of(const TensorName& whole, int chunk, int chunks, int count = 1);

/// The tensor that `part` is a part of.
TensorName whole_of(const TensorName& part);

/// The gradient of all that a device holds.
inline constexpr TensorName kDeviceGradient = {.kind = TensorKind::gradient, .stage = kAllStages};

/// One step of one device. Only the fields that the op speaks of have a meaning; the others keep
/// their defaults, so that equal instructions compare equal.
struct Instruction {
  Op op = Op::forward;
  int stage = 0;           ///< of forward and the backwards
  int microbatch = 0;      ///< of forward and the backwards
  TensorName tensor = {};  ///< of send and the receives
  int peer = 0;            ///< rank at the other end of a send or a receive
  int numerator = 1;       ///< of scale
  int denominator = 1;     ///< of scale

  bool operator==(const Instruction&) const = default;
};

/// One device's part: the stages whose parameters it holds and what it does with them, in order.
struct DeviceProgram {
  int replica = 0;  ///< which copy of the model it belongs to; replicas see different rows
  int shard = 0;    ///< which part of each of its stages it holds, of Program::shards
  std::vector<int> stages = {};  ///< ascending; 0 … stages − 1 of the program
  std::vector<Instruction> instructions = {};

  bool operator==(const DeviceProgram&) const = default;
};

/// A step of training on all devices, or several, each ended by an update; the index in `devices`
/// is the rank.
struct Program {
  std::string name = {};  ///< the strategy, collective or schedule that built it
  int stages = 1;         ///< the model is cut into so many stages
  int microbatches = 1;   ///< of each replica
  int shards = 1;         ///< each stage is cut into so many (tensor parallelism)
  std::vector<DeviceProgram> devices = {};

  bool operator==(const Program&) const = default;
};

/// Limits at the door; the numbers are what a lesson can show, not what the code could hold.
inline constexpr int kMaxRanks = 64;
inline constexpr int kMaxChunks = 16;  ///< model chunks a rank
inline constexpr int kMaxMicrobatches = 1024;

/// The half-open range of elements that is chunk `chunk` of `chunks` of a vector of `size`
/// elements: sizes differ by at most one, the larger ones first.
struct ElementRange {
  std::int64_t first = 0;
  std::int64_t count = 0;

  bool operator==(const ElementRange&) const = default;
};

/// `size` may be smaller than `chunks`: the last chunks are then empty.
ElementRange chunk_range(std::int64_t size, int chunk, int chunks);

/// The elements that `part` names of a tensor of `size` elements in all.
ElementRange element_range(std::int64_t size, const TensorName& part);

}  // namespace lockstep
