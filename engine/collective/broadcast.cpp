// From position 0 to everyone: whole, down a binomial tree; or in chunks, which are scattered down
// such a tree and then gathered round a ring (Thakur et al. 2005).
#include "collective/steps.h"

namespace lockstep {

void binomial_broadcast(Program& program, std::span<const int> group, const TensorName& whole) {
  append_binomial_broadcast(program, group, whole);
}

CollectiveCost binomial_broadcast_cost(int devices) {
  const int steps = ceil_log2(devices);
  return {steps, Rational(steps), Rational(steps)};
}

/// In each step of the scatter the first of every range of positions sends the chunks of the
/// further half to the first of that half.
void scatter_all_gather_broadcast(Program& program, std::span<const int> group,
                                  const TensorName& whole) {
  struct Range {
    int first;
    int end;
  };
  const int size = static_cast<int>(group.size());
  std::vector<Range> ranges = {{0, size}};
  for (int step = 0; step < ceil_log2(size); ++step) {
    std::vector<Transfer> transfers;
    std::vector<Range> halves;
    for (const Range& range : ranges) {
      const int middle = range.first + (range.end - range.first + 1) / 2;
      halves.push_back({range.first, middle});
      if (middle == range.end) continue;
      halves.push_back({middle, range.end});
      transfers.push_back({range.first, middle, part_of(whole, middle, size, range.end - middle)});
    }
    append_step(program, group, transfers);
    ranges = halves;
  }
  ring_all_gather(program, group, whole);
}

CollectiveCost scatter_all_gather_broadcast_cost(int devices) {
  const int steps = ceil_log2(devices) + devices - 1;
  const Rational both = Rational(2 * (devices - 1)) / Rational(devices);
  return {steps, both, both};
}

}  // namespace lockstep
