#include "program/wait_cycle.h"

#include <algorithm>
#include <cstddef>

namespace lockstep {

std::vector<std::vector<int>> wait_cycles(std::span<const int> waits_for) {
  const auto next = [&](int rank) { return waits_for[static_cast<std::size_t>(rank)]; };
  // Each rank waits for one other at most, so a walk ends or goes round; first_walk tells whether
  // it went round in ranks of its own or reached those of an earlier walk.
  std::vector<int> first_walk(waits_for.size(), -1);
  std::vector<std::vector<int>> cycles;
  for (int start = 0; start < static_cast<int>(waits_for.size()); ++start) {
    int rank = start;
    while (rank >= 0 && first_walk[static_cast<std::size_t>(rank)] < 0) {
      first_walk[static_cast<std::size_t>(rank)] = start;
      rank = next(rank);
    }
    if (rank < 0 || first_walk[static_cast<std::size_t>(rank)] != start) continue;
    std::vector<int> cycle = {rank};
    for (int other = next(rank); other != rank; other = next(other)) cycle.push_back(other);
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    cycles.push_back(cycle);
  }
  std::ranges::stable_sort(cycles, [](const auto& a, const auto& b) {
    return a.size() != b.size() ? a.size() < b.size() : a.front() < b.front();
  });
  return cycles;
}

}  // namespace lockstep
