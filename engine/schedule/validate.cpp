#include "schedule/validate.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "program/fault_list.h"
#include "program/instruction.h"
#include "program/messages.h"
#include "program/wait_cycle.h"
#include "schedule/action.h"
#include "schedule/lower.h"

namespace lockstep {
namespace {

constexpr std::size_t kKinds = 4;

std::size_t index(int value) {
  return static_cast<std::size_t>(value);
}

bool within(int value, int end) {
  return value >= 0 && value < end;
}

std::string rank_text(int rank) {
  return "rank " + std::to_string(rank);
}

/// Where the actions of one (stage, microbatch) stand.
struct Cell {
  std::array<int, kKinds> count = {};
  std::array<int, kKinds> first_rank = {};
  std::array<int, kKinds> first_position = {};
};

class Validation {
 public:
  Validation(const Schedule& schedule, const ScheduleDemands& demands, const WhereOf& where_of)
      : schedule_(schedule),
        demands_(demands),
        where_of_(where_of),
        ranks_(static_cast<int>(schedule.ranks.size())),
        stages_(static_cast<int>(schedule.stage_rank.size())) {}

  std::vector<Error> run() {
    check_sizes();
    if (!faults_.empty()) return faults_.take();  // nothing below can be counted
    cells_.resize(index(stages_) * index(schedule_.microbatches));
    each_action([this](const Action& action, int rank, int position) {
      place_action(action, rank, position);
    });
    each_action([this](const Action& action, int rank, int position) {
      check_order(action, rank, position);
      if (action.overlaps_next) check_pair(action, rank, position);
    });
    check_work();
    check_memory();
    check_waits();
    return faults_.take();
  }

 private:
  void check_sizes() {
    const auto check = [this](std::string_view what, int value, int most) {
      if (value >= 1 && value <= most) return;
      faults_.add("out_of_range", "schedule",
                  "The number of " + std::string(what) + " is " + std::to_string(value) +
                      "; it may be 1 to " + std::to_string(most) + ".");
    };
    check("ranks", ranks_, kMaxRanks);
    check("stages", stages_, kMaxRanks * kMaxChunks);
    check("microbatches", schedule_.microbatches, kMaxMicrobatches);
    if (!faults_.empty()) return;
    check_holders(schedule_.stage_rank);
    if (schedule_.second_half_rank.empty()) return;
    if (schedule_.second_half_rank.size() != schedule_.stage_rank.size()) {
      faults_.add("out_of_range", "schedule",
                  "Each stage has a copy for the second half of the microbatches, or none has.");
    } else {
      check_holders(schedule_.second_half_rank);
    }
  }

  void check_holders(const std::vector<int>& stage_rank) {
    for (int stage = 0; stage < stages_; ++stage) {
      const int rank = stage_rank[index(stage)];
      if (within(rank, ranks_)) continue;
      faults_.add("out_of_range", "schedule",
                  "Stage " + std::to_string(stage) + " is on rank " + std::to_string(rank) +
                      "; there are ranks 0 to " + std::to_string(ranks_ - 1) + ".");
    }
  }

  template <typename Visit>
  void each_action(Visit visit) const {
    for (int rank = 0; rank < ranks_; ++rank) {
      const std::vector<Action>& actions = schedule_.ranks[index(rank)];
      for (int i = 0; i < static_cast<int>(actions.size()); ++i) visit(actions[index(i)], rank, i);
    }
  }

  std::string where(int rank, int position) const {
    return where_of_ ? where_of_(rank, position)
                     : rank_text(rank) + ", action " + std::to_string(position);
  }

  Cell* cell(int stage, int microbatch) {
    if (!within(stage, stages_) || !within(microbatch, schedule_.microbatches)) return nullptr;
    return &cells_[index(stage) * index(schedule_.microbatches) + index(microbatch)];
  }

  void place_action(const Action& action, int rank, int position) {
    Cell* const here = cell(action.stage, action.microbatch);
    if (here == nullptr) {
      faults_.add("out_of_range", where(rank, position),
                  to_text(action) + " is outside of the " + std::to_string(stages_) +
                      " stages and " + std::to_string(schedule_.microbatches) +
                      " microbatches of the schedule, which count from 0.");
      return;
    }
    const int holder = schedule_.rank_of(action.stage, action.microbatch);
    if (holder != rank) {
      const bool has_copy = !schedule_.second_half_rank.empty();
      faults_.add("wrong_rank", where(rank, position),
                  to_text(action) + " is on rank " + std::to_string(rank) + ", but stage " +
                      std::to_string(action.stage) + " is held by rank " + std::to_string(holder) +
                      (has_copy ? " for this microbatch." : "."));
    }
    const std::size_t kind = static_cast<std::size_t>(action.kind);
    if (++here->count[kind] > 1) return;
    here->first_rank[kind] = rank;
    here->first_position[kind] = position;
  }

  /// Each need that stands on the same rank must stand before; needs elsewhere are waits.
  void check_order(const Action& action, int rank, int position) {
    const int stage = action.stage;
    if (cell(stage, action.microbatch) == nullptr) return;
    switch (action.kind) {
      case ActionKind::forward:
        check_before({ActionKind::forward, stage - 1, action.microbatch}, action, rank, position);
        break;
      case ActionKind::backward:
      case ActionKind::backward_input:
        check_before({ActionKind::forward, stage, action.microbatch}, action, rank, position);
        check_before({ActionKind::backward, stage + 1, action.microbatch}, action, rank, position);
        check_before({ActionKind::backward_input, stage + 1, action.microbatch}, action, rank,
                     position);
        break;
      case ActionKind::backward_weight:
        check_before({ActionKind::backward_input, stage, action.microbatch}, action, rank,
                     position);
        break;
    }
  }

  void check_before(const Action& needed, const Action& action, int rank, int position) {
    const Cell* const there = cell(needed.stage, needed.microbatch);
    const std::size_t kind = static_cast<std::size_t>(needed.kind);
    if (there == nullptr || there->count[kind] == 0) return;  // missing, or there is no such stage
    if (there->first_rank[kind] != rank || there->first_position[kind] < position) return;
    faults_.add("order", where(rank, position),
                to_text(action) + " comes before " + to_text(needed) + " on rank " +
                    std::to_string(rank) + ", but needs it.");
  }

  void check_pair(const Action& action, int rank, int position) {
    const std::vector<Action>& actions = schedule_.ranks[index(rank)];
    const bool is_pair = action.kind == ActionKind::forward &&
                         index(position) + 1 < actions.size() &&
                         actions[index(position) + 1].kind == ActionKind::backward &&
                         !actions[index(position) + 1].overlaps_next;
    if (is_pair) return;
    faults_.add("bad_pair", where(rank, position),
                to_text(action) +
                    " is to overlap with what comes after it, but only a forward "
                    "and the full backward right after it can.");
  }

  void check_work() {
    needs_backward_ = demands_.backward || schedule_.has_backward();
    for (int stage = 0; stage < stages_; ++stage) {
      for (int microbatch = 0; microbatch < schedule_.microbatches; ++microbatch) {
        if (faults_.full()) return;
        check_count(stage, microbatch);
      }
    }
  }

  void check_count(int stage, int microbatch) {
    const std::array<int, kKinds>& count = cell(stage, microbatch)->count;
    const auto count_of = [&](ActionKind kind) { return count[static_cast<std::size_t>(kind)]; };
    const std::string on_rank = rank_text(schedule_.rank_of(stage, microbatch));
    const auto check_once = [&](ActionKind kind) {
      const std::string text = to_text({kind, stage, microbatch});
      if (count_of(kind) == 0) {
        faults_.add("missing_work", on_rank, text + " is missing.");
      } else if (count_of(kind) > 1) {
        faults_.add("doubled_work", on_rank,
                    text + " is done " + std::to_string(count_of(kind)) + " times.");
      }
    };
    check_once(ActionKind::forward);
    if (!needs_backward_) return;
    const bool halves =
        count_of(ActionKind::backward_input) > 0 || count_of(ActionKind::backward_weight) > 0;
    if (halves && count_of(ActionKind::backward) > 0) {
      faults_.add("doubled_work", on_rank,
                  to_text({ActionKind::backward, stage, microbatch}) +
                      " is done whole and again in halves (I and W).");
    } else if (halves) {
      check_once(ActionKind::backward_input);
      check_once(ActionKind::backward_weight);
    } else {
      check_once(ActionKind::backward);
    }
  }

  void check_memory() {
    if (!demands_.memory_cap || !schedule_.has_backward()) return;
    for (int rank = 0; rank < ranks_; ++rank) check_memory_of(rank);
  }

  /// One fault for each time that the count goes above the cap, until it is below again.
  void check_memory_of(int rank) {
    const std::vector<Action>& actions = schedule_.ranks[index(rank)];
    const int cap = *demands_.memory_cap;
    int in_flight = 0;
    int first = -1;  // position of the forward that went above the cap
    int most = -1;   // position of the forward after which it is the most
    int peak = 0;
    for (int i = 0; i < static_cast<int>(actions.size()); ++i) {
      const ActionKind kind = actions[index(i)].kind;
      if (frees(kind, demands_.freeing)) --in_flight;
      if (kind == ActionKind::forward && ++in_flight > std::max(cap, peak)) {
        if (first < 0) first = i;
        most = i;
        peak = in_flight;
      }
      const bool ends = in_flight <= cap || i + 1 == static_cast<int>(actions.size());
      if (first < 0 || !ends) continue;
      std::string message = to_text(actions[index(first)]) + " is the activation number " +
                            std::to_string(cap + 1) + " in flight on rank " + std::to_string(rank) +
                            ", where " + std::to_string(cap) + " fit";
      if (most != first) {
        message +=
            "; after " + to_text(actions[index(most)]) + " there are " + std::to_string(peak);
      }
      faults_.add("memory", where(rank, first), message + ".");
      first = -1;
      peak = 0;
    }
  }

  /// The work that the receive at `at` is for; lower puts it a little later.
  static Action work_for(const std::vector<Instruction>& list, int at) {
    const TensorName& tensor = list[index(at)].tensor;
    const int stage = tensor.stage + (tensor.kind == TensorKind::activation ? 1 : 0);
    return action_of(*std::find_if(list.begin() + at, list.end(), [&](const Instruction& work) {
      return is_work_on(work, stage, tensor.microbatch);
    }));
  }

  /// The work that made what the send at `at` sends; lower puts it a little earlier.
  static Action maker_of(const std::vector<Instruction>& list, int at) {
    const TensorName& tensor = list[index(at)].tensor;
    const int stage = tensor.stage + (tensor.kind == TensorKind::activation ? 0 : 1);
    return action_of(*std::find_if(list.rend() - at, list.rend(), [&](const Instruction& work) {
      return is_work_on(work, stage, tensor.microbatch);
    }));
  }

  static bool is_work_on(const Instruction& work, int stage, int microbatch) {
    return is_stage_work(work.op) && work.stage == stage && work.microbatch == microbatch;
  }

  void check_waits() {
    const Program program = lower(schedule_);
    const MessageEnds ends = match_messages(program);
    const std::vector<int> stopped_at = run_order(program, ends).stopped_at;
    std::vector<int> waits_for(index(ranks_), -1);
    std::vector<Action> stuck(index(ranks_));
    std::vector<Action> awaited(index(ranks_));
    for (int rank = 0; rank < ranks_; ++rank) {
      const int at = stopped_at[index(rank)];
      const std::vector<Instruction>& list = program.devices[index(rank)].instructions;
      if (at == static_cast<int>(list.size())) continue;
      const InstructionPlace send = ends[index(rank)][index(at)];
      waits_for[index(rank)] = send.rank;
      stuck[index(rank)] = work_for(list, at);
      awaited[index(rank)] = maker_of(program.devices[index(send.rank)].instructions, send.index);
    }
    for (const std::vector<int>& cycle : wait_cycles(waits_for)) {
      std::string message;
      for (const int rank : cycle) {
        const int other = waits_for[index(rank)];
        const Action& needed = awaited[index(rank)];
        if (!message.empty()) message += "; ";
        message += to_text(stuck[index(rank)]) + " on " + rank_text(rank) + " waits for " +
                   to_text(needed) + " on " + rank_text(other);
        if (needed != stuck[index(other)]) {
          message += ", which comes after " + to_text(stuck[index(other)]);
        }
      }
      faults_.add("deadlock", rank_text(cycle.front()), message + ".");
    }
  }

  const Schedule& schedule_;
  const ScheduleDemands& demands_;
  const WhereOf& where_of_;
  bool needs_backward_ = true;
  int ranks_;
  int stages_;
  std::vector<Cell> cells_;
  FaultList faults_;
};

}  // namespace

std::vector<Error> validate_schedule(const Schedule& schedule, const ScheduleDemands& demands,
                                     const WhereOf& where_of) {
  return Validation(schedule, demands, where_of).run();
}

}  // namespace lockstep
