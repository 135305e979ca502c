#include <algorithm>
#include <array>

#include "schedule/make.h"

namespace lockstep {
namespace {

/// A rank's work, in the order of PyTorch's ScheduleZBVZeroBubble. It is made for at least 2p − 1
/// microbatches, which fill the pipeline; those that do not exist are left out.
class RankOrder {
 public:
  RankOrder(const ScheduleShape& shape, int rank, std::vector<Action>& actions)
      : stages_{rank, 2 * shape.ranks - 1 - rank},
        microbatches_(shape.microbatches),
        filled_(std::max(shape.microbatches, 2 * shape.ranks - 1)),
        actions_(actions) {}

  void add(int ranks) {
    const int rank = stages_[0];
    repeat(2 * (ranks - rank) - 1, [this] { next(ActionKind::forward, 0); });
    repeat(rank, [this] {
      next(ActionKind::forward, 1);
      next(ActionKind::forward, 0);
    });
    repeat(ranks - rank, [this] {
      next(ActionKind::forward, 1);
      whole_backward(1);
    });
    while (done(ActionKind::forward, 1) < done(ActionKind::forward, 0) ||
           done(ActionKind::forward, 0) < filled_) {
      if (done(ActionKind::forward, 0) < filled_) next(ActionKind::forward, 0);
      whole_backward(0);
      next(ActionKind::forward, 1);
      whole_backward(1);
    }
    repeat(rank, [this] {
      next(ActionKind::backward_input, 0);
      next(ActionKind::backward_input, 1);
    });
    repeat(ranks - rank, [this] { whole_backward(0); });
    for (const int chunk : {1, 0}) {
      while (done(ActionKind::backward_weight, chunk) < done(ActionKind::backward_input, chunk)) {
        next(ActionKind::backward_weight, chunk);
      }
    }
  }

 private:
  template <typename Work>
  static void repeat(int times, Work work) {
    for (int i = 0; i < times; ++i) work();
  }

  int& done(ActionKind kind, int chunk) {
    return done_[static_cast<std::size_t>(kind)][static_cast<std::size_t>(chunk)];
  }

  /// The next microbatch of a kind of work on a chunk.
  void next(ActionKind kind, int chunk) {
    const int microbatch = done(kind, chunk)++;
    if (microbatch >= microbatches_) return;
    actions_.push_back({kind, stages_[static_cast<std::size_t>(chunk)], microbatch});
  }

  /// An input gradient and at once its weight gradient.
  void whole_backward(int chunk) {
    next(ActionKind::backward_input, chunk);
    next(ActionKind::backward_weight, chunk);
  }

  std::array<int, 2> stages_;
  int microbatches_;
  int filled_;
  std::vector<Action>& actions_;
  std::array<std::array<int, 2>, 4> done_ = {};
};

}  // namespace

Result<Schedule> make_zbv(const ScheduleShape& shape) {
  Result<Schedule> made = v_schedule("zbv", shape);
  if (!made.ok()) return made;
  for (int rank = 0; rank < shape.ranks; ++rank) {
    RankOrder(shape, rank, made.value().ranks[static_cast<std::size_t>(rank)]).add(shape.ranks);
  }
  return made;
}

}  // namespace lockstep
