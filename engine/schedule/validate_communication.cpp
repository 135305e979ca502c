#include "schedule/validate_communication.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "program/fault_list.h"
#include "program/line_reader.h"
#include "program/messages.h"
#include "program/wait_cycle.h"
#include "schedule/message.h"
#include "schedule/token.h"

namespace lockstep {
namespace {

using enum CommunicationKind;

constexpr std::size_t kKinds = 8;  ///< those with a microbatch

std::size_t index(int value) {
  return static_cast<std::size_t>(value);
}

std::string rank_text(int rank) {
  return "rank " + std::to_string(rank);
}

/// Where an action stands.
struct Standing {
  int rank = -1;
  int position = -1;

  bool exists() const { return rank >= 0; }
};

/// Where the actions of one (stage, microbatch) stand first.
using Cell = std::array<Standing, kKinds>;

class Validation {
 public:
  Validation(const CommunicationSchedule& schedule, const ScheduleDemands& demands)
      : schedule_(schedule),
        demands_(demands),
        work_(work_of(schedule)),
        stages_(static_cast<int>(schedule.stage_rank.size())) {}

  std::vector<Error> run() {
    check_work();
    if (!can_be_counted_) return faults_.take();
    cells_.resize(index(stages_) * index(schedule_.microbatches));
    each_action([this](const CommunicationAction& action, Standing here) {
      if (is_work(action.kind) || has_ends(action, here)) note(action, here);
    });
    each_action([this](const CommunicationAction& action, Standing here) {
      if (is_message(action.kind)) check_message(action, here);
      if (is_work(action.kind)) check_needs(action, here);
    });
    for (int rank = 0; rank < static_cast<int>(schedule_.ranks.size()); ++rank) {
      check_sharding(rank);
      check_reducing(rank);
    }
    check_waits();
    return faults_.take();
  }

 private:
  template <typename Visit>
  void each_action(Visit visit) const {
    for (int rank = 0; rank < static_cast<int>(schedule_.ranks.size()); ++rank) {
      const std::vector<CommunicationAction>& actions = schedule_.ranks[index(rank)];
      for (int i = 0; i < static_cast<int>(actions.size()); ++i) {
        visit(actions[index(i)], Standing{rank, i});
      }
    }
  }

  std::string where(Standing here) const {
    const CommunicationAction& action = schedule_.ranks[index(here.rank)][index(here.position)];
    if (action.line > 0) return place({.text = {}, .line = action.line, .column = action.column});
    return rank_text(here.rank) + ", action " + std::to_string(here.position);
  }

  void add(std::string code, Standing here, std::string message) {
    faults_.add(std::move(code), where(here), std::move(message));
  }

  /// The faults of the work alone; where its numbers cannot be, nothing else can be counted.
  void check_work() {
    std::vector<std::vector<int>> positions;
    for (const std::vector<CommunicationAction>& actions : schedule_.ranks) {
      std::vector<int>& row = positions.emplace_back();
      for (int i = 0; i < static_cast<int>(actions.size()); ++i) {
        if (is_work(actions[index(i)].kind)) row.push_back(i);
      }
    }
    const auto where_of = [&](int rank, int position) {
      return where({rank, positions[index(rank)][index(position)]});
    };
    for (Error& fault : validate_schedule(work_, demands_, where_of)) {
      if (fault.where == "schedule") can_be_counted_ = false;
      if (fault.code == "deadlock") continue;  // check_waits finds it as well, among messages
      faults_.add(std::move(fault.code), std::move(fault.where), std::move(fault.message));
    }
  }

  bool in_range(int stage, int microbatch) const {
    return stage >= 0 && stage < stages_ && microbatch >= 0 && microbatch < schedule_.microbatches;
  }

  Cell& cell(int stage, int microbatch) {
    return cells_[index(stage) * index(schedule_.microbatches) + index(microbatch)];
  }

  Standing find(CommunicationKind kind, int stage, int microbatch) {
    if (!in_range(stage, microbatch)) return {};
    return cell(stage, microbatch)[static_cast<std::size_t>(kind)];
  }

  void note(const CommunicationAction& action, Standing here) {
    if (is_of_weights(action.kind) || !in_range(action.stage, action.microbatch)) return;
    Standing& first = cell(action.stage, action.microbatch)[static_cast<std::size_t>(action.kind)];
    if (!first.exists()) {
      first = here;
    } else if (is_message(action.kind)) {
      add("doubled_message", here, to_text(action) + " is there already, at " + where(first) + ".");
    }
  }

  /// Whether an action is a message from one rank to another; it may still be on a wrong one.
  bool has_ends(const CommunicationAction& message, Standing here) {
    if (!is_message(message.kind)) return false;
    const int other = other_stage(message);
    if (!in_range(message.stage, message.microbatch) || !in_range(other, message.microbatch)) {
      add("out_of_range", here,
          to_text(message) + " passes between stages " + std::to_string(message.stage) + " and " +
              std::to_string(other) + "; there are stages 0 to " + std::to_string(stages_ - 1) +
              " and microbatches 0 to " + std::to_string(schedule_.microbatches - 1) + ".");
      return false;
    }
    const int holder = work_.rank_of(message.stage, message.microbatch);
    if (work_.rank_of(other, message.microbatch) == holder) {
      add("self_send", here,
          to_text(message) + " is not needed: stages " + std::to_string(message.stage) + " and " +
              std::to_string(other) + " are both on " + rank_text(holder) + ".");
      return false;
    }
    if (holder != here.rank) {
      add("wrong_rank", here,
          to_text(message) + " is on " + rank_text(here.rank) + ", but stage " +
              std::to_string(message.stage) + " is held by " + rank_text(holder) + ".");
    }
    return true;
  }

  /// A message has its other end, and a send what it sends.
  void check_message(const CommunicationAction& message, Standing here) {
    if (!in_range(message.stage, message.microbatch)) return;
    const Standing first = find(message.kind, message.stage, message.microbatch);
    if (first.rank != here.rank || first.position != here.position) return;  // told already
    const CommunicationAction other = other_end(message);
    const bool sends = message.kind == send_forward || message.kind == send_backward;
    if (!find(other.kind, other.stage, other.microbatch).exists()) {
      add(sends ? "no_receive" : "no_send", here,
          to_text(message) + " has no " + to_text(other) + " on " +
              rank_text(work_.rank_of(other.stage, other.microbatch)) + ".");
    }
    if (!sends) return;
    if (message.kind == send_forward) {
      check_before({forward, message.stage, message.microbatch}, message, here);
    } else {
      check_before({backward, message.stage, message.microbatch}, message, here);
      check_before({backward_input, message.stage, message.microbatch}, message, here);
    }
  }

  /// What work needs from another rank is received before it.
  void check_needs(const CommunicationAction& work, Standing here) {
    if (work.kind == backward_weight || !in_range(work.stage, work.microbatch)) return;
    const CommunicationAction receive = {
        .kind = work.kind == forward ? receive_forward : receive_backward,
        .stage = work.stage,
        .microbatch = work.microbatch};
    const CommunicationAction send = other_end(receive);
    if (!in_range(send.stage, send.microbatch)) return;
    const int peer = work_.rank_of(send.stage, send.microbatch);
    if (peer == here.rank || work_.rank_of(work.stage, work.microbatch) != here.rank) return;
    check_before(receive, work, here);
    if (find(receive.kind, receive.stage, receive.microbatch).exists()) return;
    if (find(send.kind, send.stage, send.microbatch).exists()) return;  // told as no_receive
    add("missing_message", here,
        to_text(work) + " needs " + to_text(send) + " on " + rank_text(peer) + " and " +
            to_text(receive) + " before it; neither is there.");
  }

  /// If `needed` stands on the same rank, it stands before `action`.
  void check_before(const CommunicationAction& needed, const CommunicationAction& action,
                    Standing here) {
    const Standing there = find(needed.kind, needed.stage, needed.microbatch);
    if (there.rank != here.rank || there.position < here.position) return;
    add("order", here, to_text(action) + " comes before " + to_text(needed) + ", but needs it.");
  }

  bool has_any(CommunicationKind one, CommunicationKind other) const {
    return std::ranges::any_of(schedule_.ranks, [=](const auto& actions) {
      return std::ranges::any_of(actions, [=](const CommunicationAction& action) {
        return action.kind == one || action.kind == other;
      });
    });
  }

  void check_sharding(int rank) {
    if (!is_sharded_) return;
    std::map<int, bool> is_whole;  // by stage
    const std::vector<CommunicationAction>& actions = schedule_.ranks[index(rank)];
    for (int i = 0; i < static_cast<int>(actions.size()); ++i) {
      const CommunicationAction& action = actions[index(i)];
      bool& whole = is_whole[action.stage];
      const std::string stage = "stage " + std::to_string(action.stage);
      if (action.kind == unshard || action.kind == reshard) {
        const bool becomes_whole = action.kind == unshard;
        if (whole == becomes_whole) {
          add("sharded", {rank, i},
              to_text(action) + " changes nothing: " + stage + " is " +
                  (whole ? "whole" : "sharded") + " then.");
        }
        whole = becomes_whole;
      } else if (is_work(action.kind) && !whole) {
        add("sharded", {rank, i},
            to_text(action) + " needs all of " + stage + ", which is sharded then.");
      }
    }
  }

  /// Backwards and reduce_gradients of a stage on one rank.
  struct Reducing {
    int last_backward = -1;
    int reduce = -1;
  };

  void check_reducing(int rank) {
    if (!is_reduced_) return;
    std::map<int, Reducing> stages;
    const std::vector<CommunicationAction>& actions = schedule_.ranks[index(rank)];
    for (int i = 0; i < static_cast<int>(actions.size()); ++i) {
      const CommunicationAction& action = actions[index(i)];
      Reducing& stage = stages[action.stage];
      if (action.kind == backward || action.kind == backward_weight) stage.last_backward = i;
      if (action.kind != reduce_gradient) continue;
      if (stage.reduce >= 0) {
        add("doubled_reduce", {rank, i},
            to_text(action) + " is there already, at " + where({rank, stage.reduce}) + ".");
      } else {
        stage.reduce = i;
      }
    }
    for (const auto& [stage, found] : stages) check_reduced(rank, stage, found);
  }

  void check_reduced(int rank, int stage, const Reducing& found) {
    const std::string reduce =
        to_text(CommunicationAction{.kind = reduce_gradient, .stage = stage});
    if (found.reduce < 0 && found.last_backward >= 0) {
      faults_.add("missing_reduce", rank_text(rank), reduce + " is missing.");
    } else if (found.reduce >= 0 && found.last_backward < 0) {
      add("wrong_rank", {rank, found.reduce},
          reduce + " is on " + rank_text(rank) + ", which does no backward of that stage.");
    } else if (found.reduce >= 0 && found.last_backward > found.reduce) {
      const CommunicationAction& last = schedule_.ranks[index(rank)][index(found.last_backward)];
      add("order", {rank, found.reduce},
          reduce + " comes before " + to_text(last) + ", but needs it.");
    }
  }

  void check_waits() {
    const TracedProgram traced = trace_program(schedule_, work_);
    const MessageEnds ends = match_messages(traced.program);
    const std::vector<int> stopped_at = run_order(traced.program, ends).stopped_at;
    std::vector<int> waits_for(stopped_at.size(), -1);
    const auto action_at = [&](int rank, int instruction) -> const CommunicationAction& {
      const int position = traced.actions[index(rank)][index(instruction)];
      return schedule_.ranks[index(rank)][index(position)];
    };
    for (std::size_t rank = 0; rank < stopped_at.size(); ++rank) {
      const std::size_t at = index(stopped_at[rank]);
      if (at < traced.actions[rank].size()) waits_for[rank] = ends[rank][at].rank;
    }
    for (const std::vector<int>& cycle : wait_cycles(waits_for)) {
      std::string message;
      for (const int rank : cycle) {
        const InstructionPlace send = ends[index(rank)][index(stopped_at[index(rank)])];
        message += (message.empty() ? "" : "; ") +
                   to_text(action_at(rank, stopped_at[index(rank)])) + " on " + rank_text(rank) +
                   " waits for " + to_text(action_at(send.rank, send.index)) + " on " +
                   rank_text(send.rank) + ", which comes after " +
                   to_text(action_at(send.rank, stopped_at[index(send.rank)]));
      }
      const int first = cycle.front();
      add("deadlock", {first, traced.actions[index(first)][index(stopped_at[index(first)])]},
          message + ".");
    }
  }

  const CommunicationSchedule& schedule_;
  const ScheduleDemands& demands_;
  Schedule work_;
  int stages_;
  bool can_be_counted_ = true;
  bool is_sharded_ = has_any(unshard, reshard);
  bool is_reduced_ = has_any(reduce_gradient, reduce_gradient);
  std::vector<Cell> cells_;
  FaultList faults_;
};

}  // namespace

std::vector<Error> validate_communication(const CommunicationSchedule& schedule,
                                          const ScheduleDemands& demands) {
  return Validation(schedule, demands).run();
}

}  // namespace lockstep
