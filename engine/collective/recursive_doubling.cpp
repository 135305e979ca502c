// In every step each device swaps all it has summed with a partner, twice as far away as before
// (Thakur et al. 2005). Both add the same two numbers, so that all end with the same bits. Where N
// is no power of two, the devices above it are folded into others first.
#include "collective/steps.h"

namespace lockstep {

void recursive_doubling(Program& program, std::span<const int> group, const TensorName& whole) {
  append_fold(program, group, whole);
  const std::vector<int> positions = folded_positions(static_cast<int>(group.size()));
  for (std::size_t distance = 1; distance < positions.size(); distance *= 2) {
    std::vector<Transfer> transfers;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      transfers.push_back({positions[i], positions[i ^ distance], whole, Op::receive_add});
    }
    append_step(program, group, transfers);
  }
  append_unfold(program, group, whole);
}

CollectiveCost recursive_doubling_cost(int devices) {
  const int power = power_of_two_below(devices);
  const int doubling = ceil_log2(power);
  const bool folds = power != devices;
  const int steps = doubling + (folds ? 2 : 0);
  return {steps, Rational(doubling + (folds ? 1 : 0)), Rational(steps)};
}

}  // namespace lockstep
