// The shortest order of a small pipeline's work, proven by looking at all that could be shorter.
#pragma once

#include <cstdint>
#include <functional>

#include "core/rational.h"
#include "core/result.h"
#include "cost/lower_bound.h"
#include "cost/simulate.h"
#include "schedule/schedule.h"

namespace lockstep {

/// Past these sizes no search of ours comes to an end.
inline constexpr int kSearchStagesMax = 8;
inline constexpr int kSearchMicrobatchesMax = 16;

/// What to find an order for: stage s is on rank s.
struct SearchTask {
  int stages = 1;        ///< 1 … kSearchStagesMax
  int microbatches = 1;  ///< 1 … kSearchMicrobatchesMax
  Durations durations = {};
  OrderLimits limits = {};
};

/// How far a search is.
struct SearchProgress {
  std::int64_t nodes = 0;  ///< beginnings of orders that were looked at
  Rational makespan;       ///< the shortest so far
  Rational lower_bound;    ///< nothing is shorter
};

/// When to stop, and whom to tell. The result depends on the numbers alone.
struct SearchControl {
  std::int64_t nodes_max = 1'000'000;  ///< about a second, with no more memory than a phone has
  std::int64_t progress_every = 10'000;
  /// Called after every `progress_every` nodes; the search ends when it answers false.
  std::function<bool(const SearchProgress&)> go_on = {};
};

enum class SearchEnd { proven, node_limit, cancelled };

struct SearchResult {
  Schedule schedule;     ///< the shortest that was found, named "shortest"
  Rational makespan;     ///< its time
  Rational lower_bound;  ///< nothing is shorter; equals `makespan` where it is proven
  SearchEnd end = SearchEnd::proven;
  std::int64_t nodes = 0;
};

/// The shortest order under the task's limits; of the table's rows and of all others. Branch and
/// bound over active schedules (Giffler and Thompson 1960), microbatches in order on every rank, as
/// equal ones may change places; what is no better than a beginning with the same work is left out.
/// Errors: out_of_range (stages, microbatches, memory_cap), not_searchable (links with a start-up
/// time or a bandwidth, where messages wait for each other; a forward pass alone), those of
/// simulate.
Result<SearchResult> find_shortest(const SearchTask& task, const SearchControl& control = {});

}  // namespace lockstep
