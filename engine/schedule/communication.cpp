#include "schedule/communication.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "schedule/validate.h"

namespace lockstep {
namespace {

using Row = std::vector<CommunicationAction>;

std::size_t index(int value) {
  return static_cast<std::size_t>(value);
}

bool goes_forward(const CommunicationAction& action) {
  return action.kind == CommunicationKind::forward;
}

/// The distinct stages that come next, nearest first.
struct NextStages {
  std::array<int, kStagesWholeMax> stages = {};
  int count = 0;

  bool has(int stage) const {
    return std::find(stages.begin(), stages.begin() + count, stage) != stages.begin() + count;
  }

  /// The same with `stage` before them.
  NextStages after(int stage) const {
    NextStages result = {.stages = {stage}, .count = 1};
    for (int i = 0; i < count && result.count < kStagesWholeMax; ++i) {
      if (stages[index(i)] != stage) result.stages[index(result.count++)] = stages[index(i)];
    }
    return result;
  }
};

/// One rank's work with its unshards and reshards.
Row with_sharding(const Row& actions) {
  std::vector<NextStages> next(actions.size() + 1);
  for (std::size_t i = actions.size(); i-- > 0;) next[i] = next[i + 1].after(actions[i].stage);
  Row result;
  std::vector<int> whole;
  bool in_pair = false;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const NextStages& wanted = next[i];
    const auto add = [&](CommunicationKind kind, int stage) {
      result.push_back({.kind = kind, .stage = stage});
    };
    if (!in_pair) {
      std::erase_if(whole, [&](int stage) {
        const bool goes = !wanted.has(stage);
        if (goes) add(CommunicationKind::reshard, stage);
        return goes;
      });
      for (const int stage : std::span(wanted.stages).first(index(wanted.count))) {
        if (std::ranges::count(whole, stage) > 0) continue;
        add(CommunicationKind::unshard, stage);
        whole.push_back(stage);
      }
    }
    result.push_back(actions[i]);
    in_pair = actions[i].overlaps_next;
  }
  return result;
}

/// Puts the sends and receives into rows that have none.
class Communicating {
 public:
  Communicating(const Schedule& schedule, const std::vector<Row>& rows)
      : schedule_(schedule), rows_(rows), next_(rows.size(), 0), result_(rows.size()) {
    const std::size_t cells = schedule.stage_rank.size() * index(schedule.microbatches);
    forward_done_.resize(cells);
    backward_done_.resize(cells);
  }

  std::vector<Row> run() {
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (std::size_t rank = 0; rank < rows_.size(); ++rank) {
        const std::span<const CommunicationAction> together = next_of(rank);
        if (together.empty()) continue;
        const bool ready = std::ranges::all_of(
            together, [this](const CommunicationAction& action) { return is_ready(action); });
        if (!ready) continue;
        add(rank, together);
        goes_on = true;
      }
    }
    return std::move(result_);
  }

 private:
  /// The action whose turn it is on a rank, or the pair; none at the end.
  std::span<const CommunicationAction> next_of(std::size_t rank) const {
    const Row& row = rows_[rank];
    const std::size_t at = next_[rank];
    if (at == row.size()) return {};
    return std::span(row).subspan(at, row[at].overlaps_next ? 2 : 1);
  }

  bool has_stage(int stage) const {
    return stage >= 0 && stage < static_cast<int>(schedule_.stage_rank.size());
  }

  std::size_t cell(int stage, int microbatch) const {
    return index(stage) * index(schedule_.microbatches) + index(microbatch);
  }

  bool is_ready(const CommunicationAction& action) const {
    const bool is_forward = goes_forward(action);
    if (!is_passed_on(action)) return true;
    const int from = is_forward ? action.stage - 1 : action.stage + 1;
    if (!has_stage(from)) return true;
    return (is_forward ? forward_done_ : backward_done_)[cell(from, action.microbatch)] != 0;
  }

  /// Whether what an action makes is for another stage: not of W and of what concerns weights.
  static bool is_passed_on(const CommunicationAction& action) {
    return is_work(action.kind) && action.kind != CommunicationKind::backward_weight;
  }

  void add(std::size_t rank, std::span<const CommunicationAction> together) {
    next_[rank] += together.size();
    result_[rank].insert(result_[rank].end(), together.begin(), together.end());
    for (const CommunicationAction& action : together) {
      if (is_passed_on(action)) pass_on(static_cast<int>(rank), action);
    }
  }

  void pass_on(int rank, const CommunicationAction& action) {
    const bool is_forward = goes_forward(action);
    (is_forward ? forward_done_ : backward_done_)[cell(action.stage, action.microbatch)] = 1;
    const int to = is_forward ? action.stage + 1 : action.stage - 1;
    if (!has_stage(to)) return;
    const int peer = schedule_.rank_of(to, action.microbatch);
    if (peer == rank) return;
    result_[index(rank)].push_back(
        {is_forward ? CommunicationKind::send_forward : CommunicationKind::send_backward,
         action.stage, action.microbatch});
    result_[index(peer)].push_back(
        {is_forward ? CommunicationKind::receive_forward : CommunicationKind::receive_backward, to,
         action.microbatch});
  }

  const Schedule& schedule_;
  const std::vector<Row>& rows_;
  std::vector<std::size_t> next_;
  std::vector<Row> result_;
  std::vector<std::uint8_t> forward_done_;   // by stage and microbatch
  std::vector<std::uint8_t> backward_done_;  // that is, the gradient of the stage's input is there
};

}  // namespace

bool is_work(CommunicationKind kind) {
  return kind <= CommunicationKind::backward_weight;
}

bool is_message(CommunicationKind kind) {
  return !is_work(kind) && !is_of_weights(kind);
}

bool is_of_weights(CommunicationKind kind) {
  return kind >= CommunicationKind::unshard;
}

CommunicationAction to_communication(const Action& action) {
  return {.kind = static_cast<CommunicationKind>(action.kind),
          .stage = action.stage,
          .microbatch = action.microbatch,
          .overlaps_next = action.overlaps_next};
}

bool CommunicationSchedule::has_communication() const {
  return std::ranges::any_of(ranks, [](const Row& actions) {
    return std::ranges::any_of(
        actions, [](const CommunicationAction& action) { return !is_work(action.kind); });
  });
}

Result<CommunicationSchedule> add_communication(const Schedule& schedule, Weights weights) {
  const std::vector<Error> faults = validate_schedule(schedule);
  if (!faults.empty()) return faults.front();
  std::vector<Row> rows;
  for (const std::vector<Action>& actions : schedule.ranks) {
    Row& row = rows.emplace_back();
    row.reserve(actions.size());
    for (const Action& action : actions) row.push_back(to_communication(action));
    if (weights == Weights::sharded) row = with_sharding(row);
  }
  return CommunicationSchedule{.name = schedule.name,
                               .microbatches = schedule.microbatches,
                               .stage_rank = schedule.stage_rank,
                               .second_half_rank = schedule.second_half_rank,
                               .ranks = Communicating(schedule, rows).run()};
}

Schedule work_of(const CommunicationSchedule& schedule) {
  Schedule work = {.name = schedule.name,
                   .microbatches = schedule.microbatches,
                   .stage_rank = schedule.stage_rank,
                   .second_half_rank = schedule.second_half_rank};
  for (const Row& row : schedule.ranks) {
    std::vector<Action>& actions = work.ranks.emplace_back();
    for (const CommunicationAction& action : row) {
      if (!is_work(action.kind)) continue;
      actions.push_back({static_cast<ActionKind>(action.kind), action.stage, action.microbatch,
                         action.overlaps_next});
    }
  }
  return work;
}

}  // namespace lockstep
