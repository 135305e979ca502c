#include "cost/lower_bound.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "schedule/lower.h"

namespace lockstep {
namespace {

std::size_t index(int value) {
  return static_cast<std::size_t>(value);
}

/// The microbatches that go one way, stage by stage, and how long that takes at the least.
class Way {
 public:
  Way(const Schedule& schedule, const Durations& durations, BackwardForm form, int microbatch)
      : durations_(durations), form_(form) {
    const int stages = static_cast<int>(schedule.stage_rank.size());
    for (int stage = 0; stage < stages; ++stage) {
      ranks_.push_back(schedule.rank_of(stage, microbatch));
    }
    Rational time = 0;
    for (int stage = 0; stage < stages; ++stage) {
      if (stage > 0) time += message(stage - 1, stage);
      forward_start_.push_back(time);
      time += forward(stage);
    }
    forward_end_ = time;
    if (form == BackwardForm::none) return;
    gradient_start_.resize(index(stages));
    for (int stage = stages - 1; stage >= 0; --stage) {
      gradient_start_[index(stage)] = time;
      time += gradient(stage);
      if (stage > 0) time += message(stage, stage - 1);
    }
    end_ = time + rest(0);
  }

  int stages() const { return static_cast<int>(ranks_.size()); }
  int rank(int stage) const { return ranks_[index(stage)]; }

  Rational forward(int stage) const { return times(stage).forward; }
  /// What the stage before waits for: the input gradient, or all of the backward.
  Rational gradient(int stage) const {
    const StageTimes& each = times(stage);
    if (form_ == BackwardForm::none) return 0;
    return form_ == BackwardForm::whole ? each.backward_input + each.backward_weight
                                        : each.backward_input;
  }
  /// What may wait.
  Rational rest(int stage) const {
    return form_ == BackwardForm::halves ? times(stage).backward_weight : Rational(0);
  }

  /// When a stage can begin at the earliest, forward and with the gradient.
  Rational forward_start(int stage) const { return forward_start_[index(stage)]; }
  Rational gradient_start(int stage) const { return gradient_start_[index(stage)]; }
  /// What is left at the least after the last gradient of a stage, or without a backward its last
  /// forward.
  Rational after(int stage) const {
    if (form_ == BackwardForm::none) {
      return forward_end_ - forward_start(stage) - forward(stage);
    }
    return maximum(end_ - gradient_start(stage) - gradient(stage), rest(stage));
  }

 private:
  const StageTimes& times(int stage) const {
    return durations_.stages[durations_.stages.size() == 1 ? 0 : index(stage)];
  }

  Rational message(int from, int to) const {
    const std::pair<int, int> edge = {rank(from), rank(to)};
    if (edge.first == edge.second) return 0;
    const auto found = durations_.links.find(edge);
    const Link& link = found == durations_.links.end() ? durations_.link : found->second;
    return link.latency + link.startup + durations_.bytes.activation * link.per_byte;
  }

  const Durations& durations_;
  BackwardForm form_;
  std::vector<int> ranks_;
  std::vector<Rational> forward_start_;
  std::vector<Rational> gradient_start_;
  Rational forward_end_ = 0;
  Rational end_ = 0;
};

/// A stage that a rank works on for a number of microbatches.
struct Part {
  const Way& way;
  int stage;
  int microbatches;
};

/// The bounds that one rank's parts give.
class RankBound {
 public:
  RankBound(const std::vector<Part>& parts, const OrderLimits& limits)
      : parts_(parts), limits_(limits) {
    for (const Part& part : parts) {
      const Rational count(part.microbatches);
      forwards_ += count * part.way.forward(part.stage);
      gradients_ += count * part.way.gradient(part.stage);
      rest_ += count * part.way.rest(part.stage);
    }
    head_ = least([](const Part& part) { return part.way.forward_start(part.stage); });
    tail_ = least([](const Part& part) { return part.way.after(part.stage); });
  }

  Rational bound() const {
    const Rational work = maximum(rest_, tail_);  // once all forwards and gradients are done
    Rational bound = head_ + forwards_ + gradients_ + work;
    if (limits_.backward == BackwardForm::none) return bound;
    const Rational turn =
        least([](const Part& part) { return part.way.gradient_start(part.stage); });
    const Rational before = minimum(forwards_before_turn(), turn - head_);
    bound = maximum(bound, turn + forwards_ - before + gradients_ + work);
    if (limits_.memory_cap && parts_.size() == 1) bound = maximum(bound, round_trips());
    return bound;
  }

 private:
  template <typename Value>
  Rational least(Value value) const {
    Rational result = value(parts_.front());
    for (const Part& part : parts_) result = minimum(result, value(part));
    return result;
  }

  /// The longest forwards for which there is memory before anything is freed.
  Rational forwards_before_turn() const {
    if (!limits_.memory_cap) return forwards_;
    std::vector<const Part*> longest_first;
    for (const Part& part : parts_) longest_first.push_back(&part);
    const auto forward = [](const Part* part) { return part->way.forward(part->stage); };
    std::ranges::sort(longest_first, std::greater<>(), forward);
    int room = *limits_.memory_cap;
    Rational sum = 0;
    for (const Part* part : longest_first) {
      const int count = std::min(room, part->microbatches);
      sum += Rational(count) * forward(part);
      room -= count;
    }
    return sum;
  }

  /// Microbatch i + cap comes in when i is free: a chain of round trips, then the last gradients.
  Rational round_trips() const {
    const auto& [way, stage, microbatches] = parts_.front();
    const int trips = (microbatches - 1) / *limits_.memory_cap;  // before the last
    const Rational to_turn = way.gradient_start(stage) - way.forward_start(stage);
    Rational trip = to_turn + way.gradient(stage);
    if (limits_.freeing == Freeing::at_weight_gradient) trip += way.rest(stage);
    const int left = microbatches - trips * *limits_.memory_cap;
    return way.forward_start(stage) + Rational(trips) * trip + to_turn +
           Rational(left) * way.gradient(stage) + tail_;
  }

  const std::vector<Part>& parts_;
  const OrderLimits& limits_;
  Rational forwards_ = 0;
  Rational gradients_ = 0;
  Rational rest_ = 0;
  Rational head_ = 0;
  Rational tail_ = 0;
};

}  // namespace

BackwardForm backward_form(const Schedule& schedule) {
  if (!schedule.has_backward()) return BackwardForm::none;
  for (const std::vector<Action>& actions : schedule.ranks) {
    const auto halves = std::ranges::count(actions, ActionKind::backward_input, &Action::kind);
    if (halves > 0) return BackwardForm::halves;
  }
  return BackwardForm::whole;
}

Result<Rational> least_time(const Schedule& schedule, const Durations& durations,
                            const OrderLimits& limits) {
  if (limits.memory_cap && *limits.memory_cap < 1) {
    return Error{"out_of_range", "memory_cap", "A rank needs memory for one activation at least."};
  }
  if (durations.overlap) {
    return Error{"not_searchable", "overlap",
                 "Where pairs overlap, the order decides how much work there is."};
  }
  // Its own order shows that the durations fit the program and can be counted.
  const Result<Timeline> simulation = simulate(lower(schedule), durations);
  if (!simulation.ok()) return simulation.error();

  const bool both_ways = !schedule.second_half_rank.empty();
  const int first_half = both_ways ? schedule.microbatches / 2 : schedule.microbatches;
  std::vector<Way> ways = {{schedule, durations, limits.backward, 0}};
  if (both_ways) ways.emplace_back(schedule, durations, limits.backward, first_half);
  std::vector<std::vector<Part>> parts(schedule.ranks.size());
  for (std::size_t way = 0; way < ways.size(); ++way) {
    const int count = way == 0 ? first_half : schedule.microbatches - first_half;
    for (int stage = 0; stage < ways[way].stages(); ++stage) {
      parts[index(ways[way].rank(stage))].push_back({ways[way], stage, count});
    }
  }
  Rational bound = 0;
  for (const std::vector<Part>& of_rank : parts) {
    if (of_rank.empty()) continue;
    bound = maximum(bound, RankBound(of_rank, limits).bound());
  }
  return bound;
}

}  // namespace lockstep
