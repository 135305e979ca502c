// Schedules with their communication, as PyTorch's runtime executes them: beside the work also the
// sends and receives between stages and, where weights are sharded, their gathering and dropping.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "program/program.h"
#include "schedule/schedule.h"

namespace lockstep {

/// The first four are those of ActionKind, in its order.
enum class CommunicationKind {
  forward,
  backward,
  backward_input,
  backward_weight,
  send_forward,      ///< the stage's output, to the stage after
  receive_forward,   ///< the stage's input, from the stage before
  send_backward,     ///< the gradient of the stage's input, to the stage before
  receive_backward,  ///< the gradient of the stage's output, from the stage after
  unshard,           ///< gathers the stage's weights from all that share them
  reshard,           ///< keeps the rank's own part of them alone
  reduce_gradient,   ///< adds up the stage's gradient over all that share its weights
};

/// True for forward and the backwards.
bool is_work(CommunicationKind kind);

/// True for the sends and the receives.
bool is_message(CommunicationKind kind);

/// True for unshard, reshard and reduce_gradient, which are of a stage and no microbatch.
bool is_of_weights(CommunicationKind kind);

/// One cell of a schedule with communication: `2SEND_F0`.
struct CommunicationAction {
  CommunicationKind kind = CommunicationKind::forward;
  int stage = 0;
  int microbatch = 0;          ///< 0 where the kind has none
  bool overlaps_next = false;  ///< as of Action
  int line = 0;                ///< where it stands in the text that it was read from, from 1;
  int column = 0;              ///< 0 if in none

  /// Equal whatever text they come from.
  bool operator==(const CommunicationAction& other) const {
    return kind == other.kind && stage == other.stage && microbatch == other.microbatch &&
           overlaps_next == other.overlaps_next;
  }
};

/// Work as an action of a schedule with communication.
CommunicationAction to_communication(const Action& action);

/// The order of work and communication on every rank; else as Schedule.
struct CommunicationSchedule {
  std::string name = {};
  int microbatches = 1;
  std::vector<int> stage_rank = {};
  std::vector<int> second_half_rank = {};
  std::vector<std::vector<CommunicationAction>> ranks = {};

  /// Whether any action is none of work.
  bool has_communication() const;

  bool operator==(const CommunicationSchedule&) const = default;
};

/// What the ranks hold of their stages' weights: all the time the whole, or only while needed.
enum class Weights { whole, sharded };

/// A rank that shards its weights has so many stages whole at a time, as in PyTorch.
inline constexpr int kStagesWholeMax = 3;

/// The schedule with its communication, action for action that of PyTorch 2.6
/// (pipelining/schedules.py, _add_unshard_reshard and _add_send_recv). The ranks take turns: each
/// adds its next action if what that needs has been sent, and with it the send of what it makes,
/// whose receive comes next on the other rank at that very moment. So receives stand in the order
/// of sending, and no order of blocking calls can hang. With sharded weights a rank unshards the
/// stages of its next work ahead, kStagesWholeMax at most, and reshards what is not among them; the
/// last ones stay whole. Takes at most as many steps as actions times ranks. Error: the first fault
/// of `schedule` (validate_schedule).
Result<CommunicationSchedule> add_communication(const Schedule& schedule,
                                                Weights weights = Weights::whole);

/// The work alone, in its order.
Schedule work_of(const CommunicationSchedule& schedule);

/// The program that does `schedule` with its sends and receives where they stand. Each device of a
/// program holds its stages whole and alone, so that unshard, reshard and reduce_gradient leave
/// nothing to do. Error: the first fault of `schedule` (validate_communication).
Result<Program> to_program(const CommunicationSchedule& schedule);

}  // namespace lockstep
