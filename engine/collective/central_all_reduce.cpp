// Everyone sends all it has to position 0, which adds it up and sends the sum back. Simple, and as
// slow as the one port that everything goes through.
#include "collective/steps.h"

namespace lockstep {

void central_all_reduce(Program& program, std::span<const int> group, const TensorName& whole) {
  const int size = static_cast<int>(group.size());
  std::vector<Transfer> there;
  std::vector<Transfer> back;
  for (int position = 1; position < size; ++position) {
    there.push_back({position, 0, whole, Op::receive_add});
    back.push_back({0, position, whole});
  }
  append_step(program, group, there);
  append_step(program, group, back);
}

CollectiveCost central_all_reduce_cost(int devices) {
  const int others = devices - 1;
  return {2 * others, Rational(others), Rational(2 * others)};
}

}  // namespace lockstep
