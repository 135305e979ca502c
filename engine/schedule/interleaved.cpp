#include "schedule/interleaved.h"

#include <algorithm>
#include <string>

namespace lockstep {

namespace {

int rounds_of(const ScheduleShape& shape) {
  return std::max(1, shape.microbatches / shape.ranks);
}

/// "4 ranks do not divide 6 microbatches"
std::string not_divided(const std::string& what, const ScheduleShape& shape) {
  return what + " not divide " + std::to_string(shape.microbatches) + " microbatches";
}

std::string megatron_broken(const ScheduleShape& shape) {
  return "Megatron's condition is broken: " +
         not_divided(std::to_string(shape.ranks) + " ranks do", shape);
}

}  // namespace

RoundConditions round_conditions(const ScheduleShape& shape) {
  return {.megatron = shape.microbatches % shape.ranks == 0,
          .pytorch = shape.microbatches % rounds_of(shape) == 0};
}

std::string remark_of_megatron(const ScheduleShape& shape) {
  if (round_conditions(shape).megatron) return "";
  return megatron_broken(shape) + "; PyTorch's holds.";
}

Result<InterleavedOrder> InterleavedOrder::make(const ScheduleShape& shape) {
  const int rounds = rounds_of(shape);
  if (round_conditions(shape).pytorch) {
    return InterleavedOrder(shape, shape.microbatches / rounds);
  }
  return Error{"microbatches_not_in_rounds", "microbatches",
               megatron_broken(shape) + ". So is PyTorch's: " +
                   not_divided("max(1, ⌊m/p⌋) = " + std::to_string(rounds) + " rounds do", shape) +
                   "."};
}

Action InterleavedOrder::forward(int rank, int index) const {
  const int in_round = index % (round_size_ * shape_.chunks);
  const int round = index / (round_size_ * shape_.chunks);
  const int chunk = in_round / round_size_;
  return {ActionKind::forward, chunk * shape_.ranks + rank,
          round * round_size_ + in_round % round_size_};
}

Action InterleavedOrder::backward(ActionKind kind, int rank, int index) const {
  const Action mirrored = forward(rank, index);
  const int last_stage = (shape_.chunks - 1) * shape_.ranks + 2 * rank;
  return {kind, last_stage - mirrored.stage, mirrored.microbatch};
}

}  // namespace lockstep
