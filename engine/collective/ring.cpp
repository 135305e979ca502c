// Round the ring in N−1 steps of N messages of one chunk, each to the next device: a
// reduce-scatter, an all-gather, or one after the other, which is an all-reduce that sends the
// least possible (Patarasuk and Yuan 2009). Chunk c is summed in the order of positions from c on
// (from c + 1 on in the reduce-scatter alone), whatever arrives first.
#include "collective/steps.h"

namespace lockstep {
namespace {

Rational share_of_others(int devices) {
  return Rational(devices - 1) / Rational(devices);
}

}  // namespace

/// In step k of the first half position r sends chunk (r−k) mod N; it then owns the sum of chunk
/// (r+1) mod N, which it sends first in the second half.
void ring_all_reduce(Program& program, std::span<const int> group, const TensorName& whole) {
  append_ring(program, group, whole, 0, Op::receive_add);
  append_ring(program, group, whole, 1, Op::receive);
}

CollectiveCost ring_all_reduce_cost(int devices) {
  const int steps = 2 * (devices - 1);
  const Rational both = Rational(2) * share_of_others(devices);
  return {steps, both, both};
}

void ring_reduce_scatter(Program& program, std::span<const int> group, const TensorName& whole) {
  append_ring(program, group, whole, -1, Op::receive_add);
}

void ring_all_gather(Program& program, std::span<const int> group, const TensorName& whole) {
  append_ring(program, group, whole, 0, Op::receive);
}

CollectiveCost half_ring_cost(int devices) {
  const Rational share = share_of_others(devices);
  return {devices - 1, share, share};
}

}  // namespace lockstep
