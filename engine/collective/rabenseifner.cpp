// Recursive halving, then recursive doubling (Rabenseifner 2004): in every step of the first half
// each device sends a partner half of what it still works on and keeps the other half, until it
// owns one chunk; then the way back. As few bytes as a ring in only 2 lg N steps, where N is a
// power of two; else the devices above it are folded into others first.
#include "collective/steps.h"

namespace lockstep {
namespace {

/// The chunks that position `index` of `power` works on once groups of `size` share them: as many
/// as the group has members, from its first member's own chunk on.
TensorName part_in_group(const TensorName& whole, int index, int size, int power) {
  return part_of(whole, index / size * size, power, size);
}

}  // namespace

void rabenseifner(Program& program, std::span<const int> group, const TensorName& whole) {
  append_fold(program, group, whole);
  const std::vector<int> positions = folded_positions(static_cast<int>(group.size()));
  const int power = static_cast<int>(positions.size());
  const auto swap_with_partners = [&](int distance, bool halving) {
    std::vector<Transfer> transfers;
    for (int index = 0; index < power; ++index) {
      const int partner = index ^ distance;
      transfers.push_back({positions[static_cast<std::size_t>(index)],
                           positions[static_cast<std::size_t>(partner)],
                           part_in_group(whole, halving ? partner : index, distance, power),
                           halving ? Op::receive_add : Op::receive});
    }
    append_step(program, group, transfers);
  };
  for (int distance = power / 2; distance >= 1; distance /= 2) swap_with_partners(distance, true);
  for (int distance = 1; distance < power; distance *= 2) swap_with_partners(distance, false);
  append_unfold(program, group, whole);
}

CollectiveCost rabenseifner_cost(int devices) {
  const int power = power_of_two_below(devices);
  const bool folds = power != devices;
  const int steps = 2 * ceil_log2(power) + (folds ? 2 : 0);
  const Rational swapped = Rational(2 * (power - 1)) / Rational(power);
  return {steps, swapped + Rational(folds ? 1 : 0), swapped + Rational(folds ? 2 : 0)};
}

}  // namespace lockstep
