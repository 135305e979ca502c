#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "collective/collective.h"
#include "collective/steps.h"
#include "core/nearest.h"

namespace lockstep {
namespace {

using Kind = CollectiveKind;

constexpr std::array kCollectives = {
    CollectiveRow{"ring_all_reduce", "round a ring in chunks; the fewest bytes", Kind::all_reduce,
                  ring_all_reduce, ring_all_reduce_cost},
    CollectiveRow{"tree_all_reduce", "up a binomial tree and down again", Kind::all_reduce,
                  tree_all_reduce, tree_all_reduce_cost},
    CollectiveRow{"recursive_doubling", "all swap all with partners twice as far each time",
                  Kind::all_reduce, recursive_doubling, recursive_doubling_cost},
    CollectiveRow{"rabenseifner", "recursive halving, then doubling; few steps and few bytes",
                  Kind::all_reduce, rabenseifner, rabenseifner_cost},
    CollectiveRow{"double_binary_tree", "two trees, each for one half, in pieces", Kind::all_reduce,
                  double_binary_tree, double_binary_tree_cost},
    CollectiveRow{"central_all_reduce", "all to one device and back", Kind::all_reduce,
                  central_all_reduce, central_all_reduce_cost},
    CollectiveRow{"ring_reduce_scatter", "round a ring; each keeps the sum of its chunk",
                  Kind::reduce_scatter, ring_reduce_scatter, half_ring_cost},
    CollectiveRow{"ring_all_gather", "round a ring; each chunk to everyone", Kind::all_gather,
                  ring_all_gather, half_ring_cost},
    CollectiveRow{"binomial_broadcast", "whole, down a binomial tree", Kind::broadcast,
                  binomial_broadcast, binomial_broadcast_cost},
    CollectiveRow{"scatter_all_gather_broadcast", "chunks down a tree, then round a ring",
                  Kind::broadcast, scatter_all_gather_broadcast, scatter_all_gather_broadcast_cost},
    CollectiveRow{"pairwise_all_to_all", "each step to one further on", Kind::all_to_all,
                  pairwise_all_to_all, pairwise_all_to_all_cost},
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

Result<CollectiveRow> find_collective(std::string_view name, CollectiveKind kind) {
  const Result<CollectiveRow> row = find_collective(name);
  if (!row.ok() || row.value().kind == kind) return row;
  std::string others;
  for (const CollectiveRow& known : kCollectives) {
    if (known.kind == kind) others += (others.empty() ? "" : ", ") + std::string(known.name);
  }
  return Error{"wrong_kind", "collective",
               "\"" + std::string(name) + "\" is no " + std::string(kind_text(kind)) +
                   "; these are: " + others + "."};
}

std::string_view kind_text(CollectiveKind kind) {
  switch (kind) {
    case Kind::all_reduce:
      return "all-reduce";
    case Kind::reduce_scatter:
      return "reduce-scatter";
    case Kind::all_gather:
      return "all-gather";
    case Kind::broadcast:
      return "broadcast";
    case Kind::all_to_all:
      return "all-to-all";
  }
  return {};
}

}  // namespace lockstep
