// Pipeline schedules: for each rank the order of its forward and backward work. Order only: times
// come from engine/cost, sends and receives from lower.h.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace lockstep {

/// Forward, full backward, and its two halves (input gradient I, weight gradient W).
enum class ActionKind { forward, backward, backward_input, backward_weight };

/// When the memory of an activation is free again: after its weight gradient (B or W), or already
/// after its input gradient (B or I), as if the weight gradient needed next to nothing.
enum class Freeing { at_weight_gradient, at_input_gradient };

/// Whether an action of this kind frees an activation.
bool frees(ActionKind kind, Freeing freeing);

/// One cell of a schedule: `2F0` is the forward of stage 2 on microbatch 0.
struct Action {
  ActionKind kind = ActionKind::forward;
  int stage = 0;
  int microbatch = 0;
  /// A forward that is done together with the full backward after it (DualPipe): the pair begins
  /// when what both need is there, and what both make is sent when the pair has ended.
  bool overlaps_next = false;

  bool operator==(const Action&) const = default;
};

/// The order of work on every rank. Without any backward it is a forward pass, which keeps nothing.
struct Schedule {
  std::string name = {};  ///< row of the table, or "own" for a learner's
  int microbatches = 1;
  std::vector<int> stage_rank = {};  ///< rank that holds stage s; its size is the stage count
  /// Rank that holds a copy of stage s for the microbatches from m/2 on, which then go the other
  /// way (DualPipe); empty where `stage_rank` holds for all of them.
  std::vector<int> second_half_rank = {};
  std::vector<std::vector<Action>> ranks = {};  ///< actions of each rank, in order

  /// The rank that works on a stage's microbatch. `stage` must be one of the schedule.
  int rank_of(int stage, int microbatch) const;

  /// Whether any action is a backward or half of one.
  bool has_backward() const;

  bool operator==(const Schedule&) const = default;
};

/// What a schedule is made for. Stages = ranks · chunks.
struct ScheduleShape {
  int ranks = 1;         ///< p, 1 … kMaxRanks
  int chunks = 1;        ///< v, model chunks a rank, 1 … kMaxChunks
  int microbatches = 1;  ///< m, 1 … kMaxMicrobatches
};

/// A schedule we know. `make` may refuse a shape; the error names the condition that is broken. It
/// does not check the limits of ScheduleShape: make_schedule does.
struct ScheduleRow {
  std::string_view name;
  std::span<const std::string_view> aliases;  ///< what PyTorch, Megatron and papers call it
  std::string_view description;               ///< one line
  int default_chunks;                         ///< v where nobody says otherwise
  Result<Schedule> (*make)(const ScheduleShape& shape);
  /// Why devices cannot train by it; empty where they can.
  std::string_view not_trainable = {};
  /// What others say of a shape that it takes ("" for nothing), or null.
  std::string (*remark)(const ScheduleShape& shape) = nullptr;
};

/// Every schedule; to add one, write <name>.cpp (declared in make.h) and a row in table.cpp.
std::span<const ScheduleRow> schedule_table();

/// The row called `name` (or one of its aliases). Error: unknown_schedule (with the nearest name).
Result<ScheduleRow> find_schedule(std::string_view name);

/// The schedule called `name` (or one of its aliases) for `shape`.
/// Errors: unknown_schedule (with the nearest name), out_of_range, what `make` refuses.
Result<Schedule> make_schedule(std::string_view name, const ScheduleShape& shape);

}  // namespace lockstep
