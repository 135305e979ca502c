#include <array>
#include <deque>
#include <string>

#include "schedule/make.h"

namespace lockstep {
namespace {

/// A rank's work, in the eight steps of DeepSeek's dualpipev.py. Half 0 is stage r, half 1 is stage
/// 2p−1−r.
class RankOrder {
 public:
  RankOrder(const ScheduleShape& shape, int rank, std::vector<Action>& actions)
      : ranks_(shape.ranks), rank_(rank), microbatches_(shape.microbatches), actions_(actions) {}

  void add() {
    const int after = ranks_ - 1 - rank_;  // ranks behind this one
    for (int i = 0; i < 2 * after; ++i) forward(0);
    for (int i = 0; i <= rank_; ++i) forward(0), forward(1);
    for (int i = 0; i < after; ++i) backward_input(1), backward_weight(), forward(1);
    add_overlapped();
    for (int i = 0; i < after; ++i) backward(1), overlap(1, 0);
    add_last_backwards();
    for (int i = 0; i < after; ++i) backward_weight(), backward_input(0);
    while (!waiting_.empty()) backward_weight();
  }

 private:
  /// The main step. On the last rank the first pair stays apart, which makes the bubble smaller.
  void add_overlapped() {
    for (int i = 0; i < microbatches_ - 2 * ranks_ + rank_ + 1; ++i) {
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

  int stage(int half) const { return half == 0 ? rank_ : 2 * ranks_ - 1 - rank_; }

  void forward(int half) {
    actions_.push_back({ActionKind::forward, stage(half), next(forwards_, half)});
  }

  void backward(int half) {
    actions_.push_back({ActionKind::backward, stage(half), next(backwards_, half)});
  }

  void overlap(int forward_half, int backward_half) {
    forward(forward_half);
    actions_.back().overlaps_next = true;
    backward(backward_half);
  }

  void backward_input(int half) {
    actions_.push_back({ActionKind::backward_input, stage(half), next(backwards_, half)});
    waiting_.push_back({ActionKind::backward_weight, stage(half), actions_.back().microbatch});
  }

  /// The weight gradient that has waited longest.
  void backward_weight() {
    actions_.push_back(waiting_.front());
    waiting_.pop_front();
  }

  static int next(std::array<int, 2>& counts, int half) {
    return counts[static_cast<std::size_t>(half)]++;
  }

  int ranks_;
  int rank_;
  int microbatches_;
  std::vector<Action>& actions_;
  std::array<int, 2> forwards_ = {};
  std::array<int, 2> backwards_ = {};
  std::deque<Action> waiting_;
};

}  // namespace

Result<Schedule> make_dualpipe_v(const ScheduleShape& shape) {
  Result<Schedule> made = v_schedule("dualpipe_v", shape);
  if (!made.ok()) return made;
  if (shape.microbatches < 2 * shape.ranks) {
    return Error{"too_few_microbatches", "microbatches",
                 "The schedule dualpipe_v needs at least 2p = " + std::to_string(2 * shape.ranks) +
                     " microbatches on " + std::to_string(shape.ranks) + " ranks, not " +
                     std::to_string(shape.microbatches) + "."};
  }
  for (int rank = 0; rank < shape.ranks; ++rank) {
    RankOrder(shape, rank, made.value().ranks[static_cast<std::size_t>(rank)]).add();
  }
  return made;
}

}  // namespace lockstep
