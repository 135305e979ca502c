#include "cost/search_state.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace lockstep {
namespace {

std::size_t index(int value) {
  return static_cast<std::size_t>(value);
}

}  // namespace

SearchState::SearchState(const SearchPipeline& pipeline)
    : pipeline_(pipeline), ranks_(pipeline.stages.size()) {
  open_ = static_cast<int>(count()) * pipeline.microbatches * (pipeline.halves ? 3 : 2);
  Ticks after = pipeline.stages.front().rest;
  for (std::size_t stage = 0; stage < count(); ++stage) {
    tails_.push_back(std::max(after, pipeline.stages[stage].rest));
    if (stage + 1 == count()) break;
    after += pipeline.stages[stage].gradient + pipeline.stages[stage + 1].to_before;
  }
  trips_.resize(count());
  Ticks there_and_back = 0;
  for (std::size_t stage = count(); stage-- > 0;) {
    const SearchPipeline::Stage& here = pipeline.stages[stage];
    trips_[stage] = here.forward + there_and_back;
    there_and_back = here.to_before + trips_[stage] + here.gradient;
    if (stage > 0) there_and_back += pipeline.stages[stage - 1].to_next;
  }
}

Ticks SearchState::makespan() const {
  Ticks last = 0;
  for (const Rank& rank : ranks_) last = std::max(last, rank.clock());
  return last;
}

/// Microbatches of a stage whose activations are free again.
int SearchState::freed(std::size_t stage) const {
  const Rank& rank = ranks_[stage];
  return pipeline_.frees_at_gradient || !pipeline_.halves ? rank.gradients : rank.rests;
}

Ticks SearchState::length(std::size_t stage, SearchWork work) const {
  const SearchPipeline::Stage& times = pipeline_.stages[stage];
  switch (work) {
    case SearchWork::gradient:
      return times.gradient;
    case SearchWork::forward:
      return times.forward;
    case SearchWork::rest:
      return times.rest;
  }
  return 0;
}

/// The next piece of a kind of work on a stage, if what it needs is done.
std::optional<SearchMove> SearchState::move(std::size_t stage, SearchWork work) const {
  const Rank& rank = ranks_[stage];
  Ticks start = rank.clock();
  switch (work) {
    case SearchWork::forward: {
      const int next = rank.forwards;
      if (next == pipeline_.microbatches) return std::nullopt;
      if (pipeline_.memory_cap && next - freed(stage) >= *pipeline_.memory_cap) return std::nullopt;
      if (stage == 0) break;
      const Rank& before = ranks_[stage - 1];
      if (before.forwards <= next) return std::nullopt;
      start =
          std::max(start, before.forward_ends[index(next)] + pipeline_.stages[stage - 1].to_next);
      break;
    }
    case SearchWork::gradient: {
      const int next = rank.gradients;
      if (next == rank.forwards) return std::nullopt;
      if (stage + 1 == count()) break;
      const Rank& after = ranks_[stage + 1];
      if (after.gradients <= next) return std::nullopt;
      start =
          std::max(start, after.gradient_ends[index(next)] + pipeline_.stages[stage + 1].to_before);
      break;
    }
    case SearchWork::rest:
      if (!pipeline_.halves || rank.rests == rank.gradients) return std::nullopt;
      break;
  }
  return SearchMove{static_cast<int>(stage), work, start, start + length(stage, work)};
}

std::vector<SearchMove> SearchState::moves() const {
  std::vector<SearchMove> best;
  Ticks first_end = 0;
  for (std::size_t stage = 0; stage < count(); ++stage) {
    std::vector<SearchMove> here;
    for (const SearchWork work : {SearchWork::gradient, SearchWork::forward, SearchWork::rest}) {
      if (const std::optional<SearchMove> next = move(stage, work)) here.push_back(*next);
    }
    if (here.empty()) continue;
    const Ticks end = std::ranges::min(here, {}, &SearchMove::end).end;
    if (!best.empty() && end >= first_end) continue;
    first_end = end;
    best = std::move(here);
  }
  // What ends first stays, also where it takes no time and so begins when it ends.
  const auto ends_first = std::ranges::find(best, first_end, &SearchMove::end);
  if (ends_first != best.end()) std::iter_swap(best.begin(), ends_first);
  const auto later = [=](const SearchMove& move) { return move.start >= first_end; };
  if (!best.empty()) best.erase(std::remove_if(best.begin() + 1, best.end(), later), best.end());
  std::ranges::stable_sort(best, {}, &SearchMove::start);
  return best;
}

void SearchState::apply(const SearchMove& move) {
  Rank& rank = ranks_[index(move.stage)];
  rank.moves.push_back(move);
  --open_;
  switch (move.work) {
    case SearchWork::forward:
      ++rank.forwards;
      rank.forward_ends.push_back(move.end);
      break;
    case SearchWork::gradient:
      ++rank.gradients;
      rank.gradient_ends.push_back(move.end);
      break;
    case SearchWork::rest:
      ++rank.rests;
      break;
  }
}

void SearchState::undo(const SearchMove& move) {
  Rank& rank = ranks_[index(move.stage)];
  rank.moves.pop_back();
  ++open_;
  switch (move.work) {
    case SearchWork::forward:
      --rank.forwards;
      rank.forward_ends.pop_back();
      break;
    case SearchWork::gradient:
      --rank.gradients;
      rank.gradient_ends.pop_back();
      break;
    case SearchWork::rest:
      --rank.rests;
      break;
  }
}

/// When the next forward of a stage can begin at the earliest; `forwards` has those before it.
Ticks SearchState::next_forward(std::size_t stage, const std::vector<Ticks>& forwards) const {
  const Rank& rank = ranks_[stage];
  if (stage == 0 || rank.forwards == pipeline_.microbatches) return rank.clock();
  const Rank& before = ranks_[stage - 1];
  const SearchPipeline::Stage& link = pipeline_.stages[stage - 1];
  const Ticks sent = before.forwards > rank.forwards ? before.forward_ends[index(rank.forwards)]
                                                     : forwards[stage - 1] + link.forward;
  return std::max(rank.clock(), sent + link.to_next);
}

/// The same of a gradient; `gradients` has those after it, `forward` the stage's own next forward.
Ticks SearchState::next_gradient(std::size_t stage, Ticks forward,
                                 const std::vector<Ticks>& gradients) const {
  const Rank& rank = ranks_[stage];
  if (rank.gradients == pipeline_.microbatches) return rank.clock();
  Ticks start = rank.clock();
  if (rank.gradients == rank.forwards) start = forward + pipeline_.stages[stage].forward;
  if (stage + 1 == count()) return start;
  const Rank& after = ranks_[stage + 1];
  const SearchPipeline::Stage& link = pipeline_.stages[stage + 1];
  const int behind = rank.gradients - after.gradients;  // gradients to be made before its own
  const Ticks sent = behind < 0 ? after.gradient_ends[index(rank.gradients)]
                                : gradients[stage + 1] + (behind + 1) * link.gradient;
  return std::max(start, sent + link.to_before);
}

/// When the next activation of a stage is free at the earliest.
Ticks SearchState::next_free(std::size_t stage, Ticks gradient) const {
  const Rank& rank = ranks_[stage];
  const SearchPipeline::Stage& times = pipeline_.stages[stage];
  if (pipeline_.frees_at_gradient || !pipeline_.halves) return gradient + times.gradient;
  return rank.gradients > rank.rests ? rank.clock() + times.rest
                                     : gradient + times.gradient + times.rest;
}

Ticks SearchState::bound() const {
  std::vector<Ticks> forwards(count());
  std::vector<Ticks> gradients(count());
  // The second time the forwards know when memory is free.
  for (const bool knows_memory : {false, true}) {
    for (std::size_t stage = 0; stage < count(); ++stage) {
      const Ticks free = knows_memory ? next_free(stage, gradients[stage]) : 0;
      const bool is_full = knows_memory && pipeline_.memory_cap &&
                           ranks_[stage].forwards < pipeline_.microbatches &&
                           ranks_[stage].forwards - freed(stage) >= *pipeline_.memory_cap;
      forwards[stage] = next_forward(stage, forwards);
      if (is_full) forwards[stage] = std::max(forwards[stage], free);
    }
    for (std::size_t stage = count(); stage-- > 0;) {
      gradients[stage] = next_gradient(stage, forwards[stage], gradients);
    }
  }
  Ticks bound = makespan();
  for (std::size_t stage = 0; stage < count(); ++stage) {
    bound = std::max(bound, rank_bound(stage, forwards[stage], gradients[stage]));
  }
  return bound;
}

/// The bounds of lower_bound.cpp for what is left of one rank, whose next forward and gradient can
/// begin at these times.
Ticks SearchState::rank_bound(std::size_t stage, Ticks forward, Ticks gradient) const {
  const Rank& rank = ranks_[stage];
  const SearchPipeline::Stage& times = pipeline_.stages[stage];
  const int m = pipeline_.microbatches;
  const int forwards = m - rank.forwards;
  const int gradients = m - rank.gradients;
  const int rests = pipeline_.halves ? m - rank.rests : 0;
  const int rests_ready = pipeline_.halves ? rank.gradients - rank.rests : 0;
  if (gradients == 0) return rank.clock() + rests * times.rest;
  const Ticks head = forwards > 0 ? std::min(forward, gradient) : gradient;
  const Ticks work = forwards * times.forward + gradients * times.gradient;
  Ticks bound = head + work + tails_[stage];
  bound = std::max(bound, (rests_ready > 0 ? rank.clock() : head) + work + rests * times.rest);

  int room = forwards;
  const int freed_count = freed(stage);
  const bool counts_rests = pipeline_.halves && !pipeline_.frees_at_gradient;
  if (pipeline_.memory_cap) {
    const int soon = counts_rests ? rests_ready : 0;  // free without a gradient
    room = std::min(room, *pipeline_.memory_cap - (rank.forwards - freed_count) + soon);
  }
  const Ticks before = std::min(room * times.forward, std::max<Ticks>(0, gradient - head));
  const Ticks from_turn = gradient + work - before;
  bound = std::max({bound, from_turn + tails_[stage], from_turn + gradients * times.rest});
  if (!pipeline_.memory_cap) return bound;

  // Microbatch freed + cap comes in when `freed` is free, and from then on one trip after the
  // other.
  const int trips = (m - 1 - freed_count) / *pipeline_.memory_cap;
  if (trips == 0) return bound;
  const Ticks trip = trips_[stage] + times.gradient + (counts_rests ? times.rest : 0);
  const int left = m - freed_count - trips * *pipeline_.memory_cap;
  const Ticks free = next_free(stage, gradient);
  return std::max(
      bound, free + (trips - 1) * trip + trips_[stage] + left * times.gradient + tails_[stage]);
}

std::string SearchState::key() const {
  std::string key;
  for (const Rank& rank : ranks_) {
    for (const int done : {rank.forwards, rank.gradients, rank.rests}) {
      key.push_back(static_cast<char>(done));
    }
  }
  return key;
}

std::vector<Ticks> SearchState::profile() const {
  std::vector<Ticks> profile;
  for (std::size_t stage = 0; stage < count(); ++stage) {
    const Ticks clock = ranks_[stage].clock();
    profile.push_back(clock);
    if (stage > 0) {
      const Rank& before = ranks_[stage - 1];
      for (int i = ranks_[stage].forwards; i < before.forwards; ++i) {
        profile.push_back(
            std::max(clock, before.forward_ends[index(i)] + pipeline_.stages[stage - 1].to_next));
      }
    }
    if (stage + 1 < count()) {
      const Rank& after = ranks_[stage + 1];
      for (int i = ranks_[stage].gradients; i < after.gradients; ++i) {
        profile.push_back(
            std::max(clock, after.gradient_ends[index(i)] + pipeline_.stages[stage + 1].to_before));
      }
    }
  }
  return profile;
}

Schedule SearchState::schedule() const {
  Schedule schedule{.name = "shortest", .microbatches = pipeline_.microbatches};
  for (std::size_t stage = 0; stage < count(); ++stage) {
    schedule.stage_rank.push_back(static_cast<int>(stage));
    std::vector<Action>& actions = schedule.ranks.emplace_back();
    int next[] = {0, 0, 0};
    for (const SearchMove& move : ranks_[stage].moves) {
      const ActionKind gradient =
          pipeline_.halves ? ActionKind::backward_input : ActionKind::backward;
      const ActionKind kinds[] = {gradient, ActionKind::forward, ActionKind::backward_weight};
      const auto work = static_cast<std::size_t>(move.work);
      actions.push_back({kinds[work], move.stage, next[work]++});
    }
  }
  return schedule;
}

}  // namespace lockstep
