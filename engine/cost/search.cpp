#include "cost/search.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cost/search_state.h"
#include "schedule/lower.h"
#include "schedule/validate.h"

namespace lockstep {
namespace {

/// Beginnings that are kept to be compared with; the memory of a phone holds them.
constexpr std::size_t kRememberedMax = 200'000;

Status check_range(std::string_view what, int value, int most) {
  if (value >= 1 && value <= most) return fine();
  return Error{"out_of_range", std::string(what),
               "A search takes 1 to " + std::to_string(most) + " " + std::string(what) + ", not " +
                   std::to_string(value) + "."};
}

Status check(const SearchTask& task) {
  if (Status checked = check_range("stages", task.stages, kSearchStagesMax); !checked.ok()) {
    return checked;
  }
  if (Status checked = check_range("microbatches", task.microbatches, kSearchMicrobatchesMax);
      !checked.ok()) {
    return checked;
  }
  const auto is_free = [](const Link& link) {
    return link.startup.is_zero() && link.per_byte.is_zero();
  };
  const bool all_free = is_free(task.durations.link) &&
                        std::ranges::all_of(task.durations.links, [&](const auto& entry) {
                          return is_free(entry.second);
                        });
  if (!all_free) {
    return Error{"not_searchable", "durations",
                 "Where links have a bandwidth, messages wait for each other, which a search does "
                 "not look at: give latencies alone."};
  }
  if (task.limits.backward == BackwardForm::none) {
    return Error{"not_searchable", "backward",
                 "Forward passes alone are shortest in the order of their microbatches."};
  }
  return fine();
}

Schedule one_f_one_b(const SearchTask& task) {
  return make_schedule("one_f_one_b", {task.stages, 1, task.microbatches}).value();
}

/// The task in ticks; a tick of `simulation` divides every duration.
SearchPipeline pipeline_of(const SearchTask& task, const Timeline& simulation) {
  const auto ticks = [&simulation](const Rational& duration) {
    return to_int64(duration / simulation.tick).value();
  };
  const auto latency = [&](int from, int to) {
    const auto link = task.durations.links.find({from, to});
    return ticks(link == task.durations.links.end() ? task.durations.link.latency
                                                    : link->second.latency);
  };
  const bool halves = task.limits.backward == BackwardForm::halves;
  SearchPipeline pipeline{.microbatches = task.microbatches,
                          .halves = halves,
                          .memory_cap = task.limits.memory_cap,
                          .frees_at_gradient = task.limits.freeing == Freeing::at_input_gradient};
  const std::vector<StageTimes>& stages = task.durations.stages;
  for (int stage = 0; stage < task.stages; ++stage) {
    const StageTimes& times = stages[stages.size() == 1 ? 0 : static_cast<std::size_t>(stage)];
    const Ticks input = ticks(times.backward_input);
    const Ticks weight = ticks(times.backward_weight);
    pipeline.stages.push_back({.forward = ticks(times.forward),
                               .gradient = halves ? input : input + weight,
                               .rest = halves ? weight : 0,
                               .to_next = stage + 1 < task.stages ? latency(stage, stage + 1) : 0,
                               .to_before = stage > 0 ? latency(stage, stage - 1) : 0});
  }
  return pipeline;
}

struct Best {
  Schedule schedule;
  Ticks makespan = 0;
};

/// The shortest of the table's rows that keep to the limits. Naive always does.
Best best_row(const SearchTask& task) {
  Best best;
  for (const ScheduleRow& row : schedule_table()) {
    if (!row.not_trainable.empty()) continue;
    Result<Schedule> made = row.make({task.stages, 1, task.microbatches});
    if (!made.ok()) continue;
    Schedule& schedule = made.value();
    const OrderLimits& limits = task.limits;
    if (limits.backward == BackwardForm::whole && backward_form(schedule) != limits.backward)
      continue;
    const ScheduleDemands demands{.memory_cap = limits.memory_cap, .freeing = limits.freeing};
    if (!validate_schedule(schedule, demands).empty()) continue;
    const Result<Timeline> simulation = simulate(lower(schedule), task.durations);
    if (!simulation.ok()) continue;
    const Ticks makespan = simulation.value().makespan;
    if (best.schedule.ranks.empty() || makespan < best.makespan) {
      best = {std::move(schedule), makespan};
    }
  }
  best.schedule.name = "shortest";
  return best;
}

/// Beginnings that were looked at, by the work that is done in them.
class Memory {
 public:
  /// Whether one with the same work done was at least as good; else this one is remembered.
  bool knows(const SearchState& state) {
    std::vector<std::vector<Ticks>>& known = profiles_[state.key()];
    std::vector<Ticks> profile = state.profile();
    for (const std::vector<Ticks>& other : known) {
      if (std::ranges::equal(other, profile, std::less_equal<>())) return true;
    }
    if (remembered_ == kRememberedMax) return false;
    ++remembered_;
    known.push_back(std::move(profile));
    return false;
  }

 private:
  std::map<std::string, std::vector<std::vector<Ticks>>> profiles_;
  std::size_t remembered_ = 0;
};

/// One search, depth first.
class Search {
 public:
  Search(const SearchPipeline& pipeline, const SearchControl& control, Best best, Ticks lower_bound,
         const Rational& tick)
      : control_(control),
        state_(pipeline),
        best_(std::move(best)),
        lower_bound_(std::max(lower_bound, state_.bound())),
        tick_(tick) {}

  SearchResult run() {
    visit();
    if (end_ == SearchEnd::proven) lower_bound_ = best_.makespan;
    return {.schedule = std::move(best_.schedule),
            .makespan = tick_ * Rational(best_.makespan),
            .lower_bound = tick_ * Rational(lower_bound_),
            .end = end_,
            .nodes = nodes_};
  }

 private:
  bool is_over() const { return end_ != SearchEnd::proven || best_.makespan <= lower_bound_; }

  void visit() {
    if (state_.complete()) {
      if (state_.makespan() < best_.makespan) best_ = {state_.schedule(), state_.makespan()};
      return;
    }
    for (const SearchMove& move : state_.moves()) {
      if (is_over()) return;
      count_node();
      state_.apply(move);
      if (state_.bound() < best_.makespan && !memory_.knows(state_)) visit();
      state_.undo(move);
    }
  }

  void count_node() {
    ++nodes_;
    if (nodes_ >= control_.nodes_max) end_ = SearchEnd::node_limit;
    if (!control_.go_on || nodes_ % control_.progress_every != 0) return;
    const bool goes_on = control_.go_on({.nodes = nodes_,
                                         .makespan = tick_ * Rational(best_.makespan),
                                         .lower_bound = tick_ * Rational(lower_bound_)});
    if (!goes_on) end_ = SearchEnd::cancelled;
  }

  const SearchControl& control_;
  SearchState state_;
  Best best_;
  Ticks lower_bound_;
  Rational tick_;
  Memory memory_;
  std::int64_t nodes_ = 0;
  SearchEnd end_ = SearchEnd::proven;
};

}  // namespace

Result<SearchResult> find_shortest(const SearchTask& task, const SearchControl& control) {
  if (const Status checked = check(task); !checked.ok()) return checked.error();
  const Schedule any = one_f_one_b(task);
  const Result<Rational> least = least_time(any, task.durations, task.limits);
  if (!least.ok()) return least.error();
  const Timeline simulation = simulate(lower(any), task.durations).value();
  const SearchPipeline pipeline = pipeline_of(task, simulation);
  const Ticks lower_bound = to_int64(least.value() / simulation.tick).value();
  return Search(pipeline, control, best_row(task), lower_bound, simulation.tick).run();
}

}  // namespace lockstep
