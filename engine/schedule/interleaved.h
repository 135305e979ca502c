// The order in which interleaved schedules go through a rank's chunks: in rounds of microbatches,
// each round chunk by chunk.
#pragma once

#include <string>

#include "schedule/schedule.h"

namespace lockstep {

/// Which of the two conditions on p and m hold. Megatron's implies PyTorch's.
struct RoundConditions {
  bool megatron = false;  ///< p divides m
  bool pytorch = false;   ///< the number of rounds, max(1, ⌊m/p⌋), divides m
};
RoundConditions round_conditions(const ScheduleShape& shape);

/// What Megatron says of a shape that PyTorch takes: empty, or that p does not divide m.
std::string remark_of_megatron(const ScheduleShape& shape);

/// Stage s is on rank s mod p; a rank does `count()` forwards and as many backwards.
class InterleavedOrder {
 public:
  /// PyTorch's rounds: k = max(1, ⌊m/p⌋) of n = m/k microbatches. Where p divides m they are
  /// Megatron's, n = p. Error: microbatches_not_in_rounds, which names both broken conditions.
  static Result<InterleavedOrder> make(const ScheduleShape& shape);

  /// m · v.
  int count() const { return shape_.microbatches * shape_.chunks; }
  /// n.
  int round_size() const { return round_size_; }
  /// The index-th forward of a rank: chunks 0 … v − 1 of a round, then the next round.
  Action forward(int rank, int index) const;
  /// The index-th backward, of which `kind` is the whole or a half: chunks v − 1 … 0 of a round.
  Action backward(ActionKind kind, int rank, int index) const;

 private:
  InterleavedOrder(const ScheduleShape& shape, int round_size)
      : shape_(shape), round_size_(round_size) {}

  ScheduleShape shape_;
  int round_size_;
};

}  // namespace lockstep
