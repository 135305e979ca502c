#include "schedule/interleaved.h"

#include <algorithm>
#include <string>

namespace lockstep {

Result<InterleavedOrder> InterleavedOrder::make(const ScheduleShape& shape) {
  const int rounds = std::max(1, shape.microbatches / shape.ranks);
  if (shape.microbatches % rounds == 0) return InterleavedOrder(shape, shape.microbatches / rounds);
  const std::string microbatches = std::to_string(shape.microbatches);
  const std::string ranks = std::to_string(shape.ranks);
  return Error{"microbatches_not_in_rounds", "microbatches",
               microbatches + " microbatches on " + ranks + " ranks make " +
                   std::to_string(rounds) + " rounds, and " + std::to_string(rounds) +
                   " does not divide " + microbatches +
                   " (PyTorch's condition; Megatron's is that " + ranks + " divides it)."};
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
