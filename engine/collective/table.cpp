#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "collective/collective.h"
#include "core/nearest.h"

namespace lockstep {
namespace {

constexpr std::array kCollectives = {
    CollectiveRow{"ring_all_reduce",
                  "the sum on every device; 2(N−1) steps, 2(N−1)/N·S sent by each device",
                  ring_all_reduce},
};

}  // namespace

std::span<const CollectiveRow> collective_table() {
  return kCollectives;
}

Result<CollectiveRow> find_collective(std::string_view name) {
  const auto row = std::ranges::find(kCollectives, name, &CollectiveRow::name);
  if (row != kCollectives.end()) return *row;
  std::vector<std::string_view> names;
  for (const CollectiveRow& known : kCollectives) names.push_back(known.name);
  return Error{"unknown_collective", "collective",
               "There is no collective called \"" + std::string(name) + "\"" +
                   did_you_mean(name, names) + "."};
}

}  // namespace lockstep
