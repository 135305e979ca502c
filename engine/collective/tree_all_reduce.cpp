// The whole tensor up a binomial tree to position 0 and down again (Thakur et al. 2005). Few steps,
// but each carries everything.
#include "collective/steps.h"

namespace lockstep {

void tree_all_reduce(Program& program, std::span<const int> group, const TensorName& whole) {
  const int size = static_cast<int>(group.size());
  for (int reach = power_of_two_below(size); reach >= 1; reach /= 2) {
    std::vector<Transfer> transfers;
    for (int position = 0; position < reach && position + reach < size; ++position) {
      transfers.push_back({position + reach, position, whole, Op::receive_add});
    }
    append_step(program, group, transfers);
  }
  append_binomial_broadcast(program, group, whole);
}

CollectiveCost tree_all_reduce_cost(int devices) {
  const int steps = ceil_log2(devices);
  return {2 * steps, Rational(steps), Rational(2 * steps)};
}

}  // namespace lockstep
