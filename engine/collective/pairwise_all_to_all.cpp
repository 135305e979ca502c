// Everyone has something for everyone else: in step k position i sends what is for i+k and gets
// what i−k has for it. Block (i, j) is chunk i·N + j of N².
#include "collective/steps.h"

namespace lockstep {

void pairwise_all_to_all(Program& program, std::span<const int> group, const TensorName&) {
  const int size = static_cast<int>(group.size());
  const TensorName blocks = {.kind = TensorKind::block};
  for (int step = 1; step < size; ++step) {
    std::vector<Transfer> transfers;
    for (int from = 0; from < size; ++from) {
      const int to = (from + step) % size;
      transfers.push_back({from, to, part_of(blocks, from * size + to, size * size)});
    }
    append_step(program, group, transfers);
  }
}

CollectiveCost pairwise_all_to_all_cost(int devices) {
  const Rational share = Rational(devices - 1) / Rational(devices);
  return {devices - 1, share, share};
}

}  // namespace lockstep
