#include "schedule/dual_order.h"

#include <deque>
#include <utility>

namespace lockstep {
namespace {

class RankOrder {
 public:
  explicit RankOrder(const DualPlace& place)
      : place_(place), ranks_(place.ranks), rank_(place.rank) {}

  std::vector<Action> actions() {
    const int after = ranks_ - 1 - rank_;  // ranks behind this one
    for (int i = 0; i < 2 * after; ++i) forward(0);
    for (int i = 0; i <= rank_; ++i) forward(0), forward(1);
    for (int i = 0; i < after; ++i) backward_input(1), backward_weight(), forward(1);
    add_overlapped();
    for (int i = 0; i < after; ++i) backward(1), overlap(1, 0);
    add_last_backwards();
    for (int i = 0; i < after; ++i) backward_weight(), backward_input(0);
    while (!waiting_.empty()) backward_weight();
    return std::move(actions_);
  }

 private:
  /// The main step. On the last rank the first pair stays apart, which makes the bubble smaller.
  void add_overlapped() {
    for (int i = 0; i < place_.microbatches - 2 * ranks_ + rank_ + 1; ++i) {
      if (i == 0 && rank_ == ranks_ - 1) {
        forward(0);
        backward(1);
      } else {
        overlap(0, 1);
      }
      overlap(1, 0);
    }
  }

  /// Both halves in turn; the second part of it keeps its weight gradients for later.
  void add_last_backwards() {
    const int count = rank_ + 1;
    for (int i = 0; i < 2 * count; ++i) {
      const int half = 1 - i % 2;
      const bool splits = i >= 2 * (count / 2) + 1 - rank_ % 2;
      splits ? backward_input(half) : backward(half);
    }
  }

  void forward(int half) { add(ActionKind::forward, half, forwards_); }

  void backward(int half) { add(ActionKind::backward, half, backwards_); }

  void overlap(int forward_half, int backward_half) {
    forward(forward_half);
    actions_.back().overlaps_next = true;
    backward(backward_half);
  }

  void backward_input(int half) {
    add(ActionKind::backward_input, half, backwards_);
    waiting_.push_back(
        {ActionKind::backward_weight, actions_.back().stage, actions_.back().microbatch});
  }

  /// The weight gradient that has waited longest.
  void backward_weight() {
    actions_.push_back(waiting_.front());
    waiting_.pop_front();
  }

  /// The next microbatch of a half.
  void add(ActionKind kind, int half, std::array<int, 2>& counts) {
    const auto at = static_cast<std::size_t>(half);
    actions_.push_back({kind, place_.stage[at], place_.first_microbatch[at] + counts[at]++});
  }

  const DualPlace& place_;
  int ranks_;
  int rank_;
  std::vector<Action> actions_;
  std::array<int, 2> forwards_ = {};
  std::array<int, 2> backwards_ = {};
  std::deque<Action> waiting_;
};

}  // namespace

std::vector<Action> dual_order(const DualPlace& place) {
  return RankOrder(place).actions();
}

}  // namespace lockstep
