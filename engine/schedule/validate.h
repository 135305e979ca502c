// Finds every fault of a schedule, in the words of its cells.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "schedule/schedule.h"

namespace lockstep {

/// What a schedule is to keep to beside the rules.
struct ScheduleDemands {
  bool backward = false;               ///< it must train: a forward pass alone has faults
  std::optional<int> memory_cap = {};  ///< (stage, microbatch) pairs in flight on a rank, at most
  Freeing freeing = Freeing::at_weight_gradient;  ///< how they are counted
};

/// Says where an action stands: by its rank and its place among the rank's actions, from 0.
using WhereOf = std::function<std::string(int rank, int position)>;

/// Every fault of `schedule`; none means that its program (lower.h) has none either. `where` is
/// "schedule", "rank 1" or "rank 1, action 3" (both from 0; or what `where_of` says). Codes:
/// - out_of_range: a stage, microbatch, rank or number of them that cannot be;
/// - wrong_rank: an action on a rank that does not hold its stage;
/// - missing_work, doubled_work: each stage does for each microbatch one F and either one B, or one
///   I and one W in its place. A schedule without any backward is a forward pass, whole without;
/// - order: on one rank, an action comes before one that it needs: F before the F of the stage
///   before, B or I before its F or before the B or I of the stage after, W before its I;
/// - bad_pair: an action is to overlap with the next one, and they are no F and B;
/// - memory: a forward that exceeds the memory cap, with how far it is exceeded until there is room
///   again;
/// - deadlock: cells that wait for each other in a circle through several ranks, spelled out:
///   "0B0 on rank 0 waits for 1B0 on rank 1, which comes after 1F1; …". Shortest circle first.
std::vector<Error> validate_schedule(const Schedule& schedule, const ScheduleDemands& demands = {},
                                     const WhereOf& where_of = {});

}  // namespace lockstep
