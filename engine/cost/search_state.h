// A beginning of an order of work, of which find_shortest looks at many. Times are whole ticks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cost/lower_bound.h"
#include "cost/timeline.h"
#include "schedule/schedule.h"

namespace lockstep {

/// A pipeline with stage s on rank s. A gradient is what the stage before waits for: I, or with
/// whole backwards B; a rest is the W that may wait, and with whole backwards there is none.
struct SearchPipeline {
  struct Stage {
    Ticks forward = 0;
    Ticks gradient = 0;
    Ticks rest = 0;
    Ticks to_next = 0;    ///< latency of the link to the next stage's rank
    Ticks to_before = 0;  ///< and to the one before
  };
  std::vector<Stage> stages = {};
  int microbatches = 1;
  bool halves = true;
  std::optional<int> memory_cap = {};
  bool frees_at_gradient = false;  ///< else at the rest
};

/// What a rank may do next; always on the microbatch in turn.
enum class SearchWork { gradient, forward, rest };

/// One step more of a rank.
struct SearchMove {
  int stage = 0;
  SearchWork work = SearchWork::forward;
  Ticks start = 0;
  Ticks end = 0;
};

class SearchState {
 public:
  explicit SearchState(const SearchPipeline& pipeline);

  bool complete() const { return open_ == 0; }
  Ticks makespan() const;

  /// The moves of which at least one begins a shortest completion: all of the rank that can end a
  /// piece of work first, if they begin before that end (Giffler and Thompson 1960). Earliest
  /// first.
  std::vector<SearchMove> moves() const;

  void apply(const SearchMove& move);
  void undo(const SearchMove& move);

  /// No completion of this beginning ends before this.
  Ticks bound() const;

  /// How much is done: equal for beginnings that have the same work left.
  std::string key() const;
  /// When what is left can go on: of two beginnings with equal keys, one whose every entry is at
  /// most the other's is at least as good.
  std::vector<Ticks> profile() const;

  /// The order of work so far.
  Schedule schedule() const;

 private:
  struct Rank {
    int forwards = 0;
    int gradients = 0;
    int rests = 0;
    std::vector<SearchMove> moves;
    std::vector<Ticks> forward_ends;
    std::vector<Ticks> gradient_ends;

    Ticks clock() const { return moves.empty() ? 0 : moves.back().end; }
  };

  std::size_t count() const { return ranks_.size(); }
  int freed(std::size_t stage) const;
  std::optional<SearchMove> move(std::size_t stage, SearchWork work) const;
  Ticks length(std::size_t stage, SearchWork work) const;
  Ticks next_forward(std::size_t stage, const std::vector<Ticks>& forwards) const;
  Ticks next_gradient(std::size_t stage, Ticks forward, const std::vector<Ticks>& gradients) const;
  Ticks next_free(std::size_t stage, Ticks gradient) const;
  Ticks rank_bound(std::size_t stage, Ticks forward, Ticks gradient) const;

  const SearchPipeline& pipeline_;
  std::vector<Rank> ranks_;
  std::vector<Ticks> tails_;  ///< by stage: what is left at the least after a gradient
  std::vector<Ticks> trips_;  ///< by stage: from the start of a forward to that of its gradient
  int open_ = 0;              ///< pieces of work that are left
};

}  // namespace lockstep
