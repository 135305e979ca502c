#include "collective/steps.h"

#include <bit>
#include <cassert>
#include <cstddef>

namespace lockstep {
namespace {

/// How many positions have a partner that is folded into them.
int folded_pairs(int devices) {
  return devices - power_of_two_below(devices);
}

}  // namespace

void append_step(Program& program, std::span<const int> group, std::span<const Transfer> step) {
  const auto rank_of = [&](int position) { return group[static_cast<std::size_t>(position)]; };
  const auto list_of = [&](int position) -> std::vector<Instruction>& {
    return program.devices[static_cast<std::size_t>(rank_of(position))].instructions;
  };
  for (const Transfer& transfer : step) {
    list_of(transfer.from)
        .push_back({.op = Op::send, .tensor = transfer.part, .peer = rank_of(transfer.to)});
  }
  for (const Transfer& transfer : step) {
    list_of(transfer.to)
        .push_back(
            {.op = transfer.receive, .tensor = transfer.part, .peer = rank_of(transfer.from)});
  }
}

int power_of_two_below(int devices) {
  assert(devices >= 1);
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(devices)));
}

int ceil_log2(int devices) {
  assert(devices >= 1);
  return static_cast<int>(std::bit_width(static_cast<unsigned>(devices) - 1));
}

void append_ring(Program& program, std::span<const int> group, const TensorName& whole, int shift,
                 Op receive) {
  const int size = static_cast<int>(group.size());
  for (int step = 0; step < size - 1; ++step) {
    std::vector<Transfer> transfers;
    for (int position = 0; position < size; ++position) {
      const int chunk = (position - step + shift + 2 * size) % size;
      transfers.push_back({position, (position + 1) % size, part_of(whole, chunk, size), receive});
    }
    append_step(program, group, transfers);
  }
}

void append_binomial_broadcast(Program& program, std::span<const int> group,
                               const TensorName& whole) {
  const int size = static_cast<int>(group.size());
  for (int reach = 1; reach < size; reach *= 2) {
    std::vector<Transfer> transfers;
    for (int position = 0; position < reach && position + reach < size; ++position) {
      transfers.push_back({position, position + reach, whole});
    }
    append_step(program, group, transfers);
  }
}

std::vector<int> folded_positions(int devices) {
  std::vector<int> positions;
  const int pairs = folded_pairs(devices);
  for (int pair = 0; pair < pairs; ++pair) positions.push_back(2 * pair);
  for (int position = 2 * pairs; position < devices; ++position) positions.push_back(position);
  return positions;
}

void append_fold(Program& program, std::span<const int> group, const TensorName& whole) {
  std::vector<Transfer> transfers;
  for (int pair = 0; pair < folded_pairs(static_cast<int>(group.size())); ++pair) {
    transfers.push_back({2 * pair + 1, 2 * pair, whole, Op::receive_add});
  }
  append_step(program, group, transfers);
}

void append_unfold(Program& program, std::span<const int> group, const TensorName& whole) {
  std::vector<Transfer> transfers;
  for (int pair = 0; pair < folded_pairs(static_cast<int>(group.size())); ++pair) {
    transfers.push_back({2 * pair, 2 * pair + 1, whole});
  }
  append_step(program, group, transfers);
}

}  // namespace lockstep
