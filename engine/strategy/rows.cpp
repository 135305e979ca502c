#include "strategy/rows.h"

#include "program/program.h"

namespace lockstep {

std::vector<RowRange> consecutive_ranges(std::span<const int> sizes) {
  std::vector<RowRange> ranges;
  int next = 0;
  for (const int size : sizes) {
    ranges.push_back({next, size});
    next += size;
  }
  return ranges;
}

std::vector<int> even_sizes(int rows, int parts) {
  std::vector<int> sizes;
  for (int part = 0; part < parts; ++part) {
    sizes.push_back(static_cast<int>(chunk_range(rows, part, parts).count));
  }
  return sizes;
}

Status check_range(std::string_view field, int value, int lowest, int highest) {
  if (lowest <= value && value <= highest) return fine();
  const std::string name(field);
  return Error{"out_of_range", name,
               name + " is " + std::to_string(value) + " and must be " + std::to_string(lowest) +
                   " to " + std::to_string(highest)};
}

std::string neighbouring_multiples(int value, int divisor) {
  const int below = value / divisor * divisor;
  const std::string above = std::to_string(below + divisor);
  return below == 0 ? above : std::to_string(below) + " or " + above;
}

}  // namespace lockstep
