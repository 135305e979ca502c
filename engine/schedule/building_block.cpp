#include "schedule/building_block.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

namespace lockstep {
namespace {

constexpr int kSlotsEach = 6;  ///< F, I and W of two chunks

std::size_t index(int value) {
  return static_cast<std::size_t>(value);
}

/// The slots of a microbatch's four passes on a rank; microbatch i is 6i later.
std::array<int, 4> slots_of(const BuildingBlock& block, int ranks, int rank) {
  const int last = ranks - 1;
  std::array<int, 4> slots = {};
  int start = 0;  // of the pass, on the rank where it begins
  for (std::size_t pass = 0; pass < slots.size(); ++pass) {
    const bool goes_down = pass % 2 == 0;
    slots[pass] = start + block.step[pass] * (goes_down ? rank : last - rank);
    if (pass < block.turn.size()) start += block.step[pass] * last + block.turn[pass];
  }
  return slots;
}

/// A rank's forwards and input gradients in the order of their slots.
std::deque<Action> order_of(const BuildingBlock& block, const ScheduleShape& shape, int rank) {
  const std::array<int, 4> slots = slots_of(block, shape.ranks, rank);
  const int other = 2 * shape.ranks - 1 - rank;
  const std::array<int, 4> stages = {rank, other, other, rank};
  struct Entry {
    int slot;
    Action action;
  };
  std::vector<Entry> entries;
  for (int microbatch = 0; microbatch < shape.microbatches; ++microbatch) {
    for (std::size_t pass = 0; pass < slots.size(); ++pass) {
      const ActionKind kind = pass < 2 ? ActionKind::forward : ActionKind::backward_input;
      entries.push_back({slots[pass] + kSlotsEach * microbatch, {kind, stages[pass], microbatch}});
    }
  }
  std::ranges::sort(entries, {}, &Entry::slot);
  std::deque<Action> order;
  for (const Entry& entry : entries) order.push_back(entry.action);
  return order;
}

/// Plays the schedule slot by slot and writes down who does what.
class Play {
 public:
  Play(const BuildingBlock& block, const ScheduleShape& shape, Schedule& schedule)
      : memory_(block.memory), schedule_(schedule) {
    for (int rank = 0; rank < shape.ranks; ++rank) {
      ranks_.push_back({.order = order_of(block, shape, rank)});
    }
    forwards_.resize(schedule.stage_rank.size());
    inputs_.resize(schedule.stage_rank.size());
  }

  void run() {
    std::vector<Action> now;  // what one slot does is there in the next
    do {
      now.clear();
      for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        const std::optional<Action> action = next(ranks_[rank]);
        if (!action) continue;
        schedule_.ranks[rank].push_back(*action);
        now.push_back(*action);
      }
      for (const Action& action : now) {
        if (action.kind == ActionKind::forward) ++forwards_[index(action.stage)];
        if (action.kind == ActionKind::backward_input) ++inputs_[index(action.stage)];
      }
    } while (!now.empty());
  }

 private:
  struct Rank {
    std::deque<Action> order;         // forwards and input gradients to come
    std::deque<Action> waiting = {};  // weight gradients
    int in_flight = 0;
  };

  std::optional<Action> next(Rank& rank) {
    if (!rank.order.empty() && can_do(rank, rank.order.front())) {
      const Action action = rank.order.front();
      rank.order.pop_front();
      if (action.kind == ActionKind::forward) {
        ++rank.in_flight;
      } else {
        rank.waiting.push_back({ActionKind::backward_weight, action.stage, action.microbatch});
      }
      return action;
    }
    if (rank.waiting.empty()) return std::nullopt;
    const Action action = rank.waiting.front();
    rank.waiting.pop_front();
    --rank.in_flight;
    return action;
  }

  bool can_do(const Rank& rank, const Action& action) const {
    if (action.kind == ActionKind::forward) {
      const bool has_input =
          action.stage == 0 || forwards_[index(action.stage - 1)] > action.microbatch;
      return has_input && rank.in_flight < memory_;
    }
    const bool is_last = index(action.stage) + 1 == inputs_.size();
    return forwards_[index(action.stage)] > action.microbatch &&
           (is_last || inputs_[index(action.stage + 1)] > action.microbatch);
  }

  int memory_;
  Schedule& schedule_;
  std::vector<Rank> ranks_;
  std::vector<int> forwards_;  // done, by stage: microbatches come in order
  std::vector<int> inputs_;
};

}  // namespace

void repeat_block(const BuildingBlock& block, const ScheduleShape& shape, Schedule& schedule) {
  Play(block, shape, schedule).run();
}

}  // namespace lockstep
