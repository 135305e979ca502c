#include <cassert>
#include <cstddef>

#include "collective/collective.h"

namespace lockstep {
namespace {

TensorName gradient_chunk(int chunk, int chunks) {
  const int wrapped = (chunk % chunks + chunks) % chunks;
  return {.kind = TensorKind::gradient, .chunk = wrapped, .chunks = chunks};
}

}  // namespace

void ring_all_reduce(Program& program, std::span<const int> group) {
  const int size = static_cast<int>(group.size());
  const auto rank_at = [&](int position) {
    return group[static_cast<std::size_t>((position + size) % size)];
  };
  for (int position = 0; position < size; ++position) {
    assert(rank_at(position) >= 0);
    auto& list = program.devices[static_cast<std::size_t>(rank_at(position))].instructions;
    const auto pass_on = [&](int chunk, Op receive) {
      list.push_back(
          {.op = Op::send, .tensor = gradient_chunk(chunk, size), .peer = rank_at(position + 1)});
      // The neighbour before does the same one position earlier.
      list.push_back({.op = receive,
                      .tensor = gradient_chunk(chunk - 1, size),
                      .peer = rank_at(position - 1)});
    };
    for (int step = 0; step < size - 1; ++step) pass_on(position - step, Op::receive_add);
    for (int step = 0; step < size - 1; ++step) pass_on(position + 1 - step, Op::receive);
  }
}

}  // namespace lockstep
