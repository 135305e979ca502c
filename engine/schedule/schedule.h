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

/// The order of work on every rank.
struct Schedule {
  std::string name = {};  ///< row of the table, or "own" for a learner's
  int microbatches = 1;
  std::vector<int> stage_rank = {};  ///< rank that holds stage s; its size is the stage count
  std::vector<std::vector<Action>> ranks = {};  ///< actions of each rank, in order

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
  Result<Schedule> (*make)(const ScheduleShape& shape);
};

/// Every schedule; to add one, write <name>.cpp (declared in make.h) and a row in table.cpp.
std::span<const ScheduleRow> schedule_table();

/// The row called `name` (or one of its aliases). Error: unknown_schedule (with the nearest name).
Result<ScheduleRow> find_schedule(std::string_view name);

/// The schedule called `name` (or one of its aliases) for `shape`.
/// Errors: unknown_schedule (with the nearest name), out_of_range, what `make` refuses.
Result<Schedule> make_schedule(std::string_view name, const ScheduleShape& shape);

}  // namespace lockstep
