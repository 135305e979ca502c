// Finds every fault of a schedule, in the words of its cells.
#pragma once

#include <vector>

#include "core/result.h"
#include "schedule/schedule.h"

namespace lockstep {

/// Every fault of `schedule`; none means that its program (lower.h) has none either. `where` is
/// "schedule", "rank 1" or "rank 1, action 3" (both from 0). Codes:
/// - out_of_range: a stage, microbatch, rank or number of them that cannot be;
/// - wrong_rank: an action on a rank that does not hold its stage;
/// - missing_work, doubled_work: each stage does for each microbatch one F and either one B, or one
///   I and one W in its place;
/// - order: on one rank, an action comes before one that it needs: F before the F of the stage
///   before, B or I before its F or before the B or I of the stage after, W before its I;
/// - bad_pair: an action is to overlap with the next one, and they are no F and B;
/// - deadlock: cells that wait for each other in a circle through several ranks, spelled out:
///   "0B0 on rank 0 waits for 1B0 on rank 1, which comes after 1F1; …". Shortest circle first.
std::vector<Error> validate_schedule(const Schedule& schedule);

}  // namespace lockstep
