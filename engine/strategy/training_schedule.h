// What strategies with a pipeline share: its schedule, and whose gradients belong together.
#pragma once

#include <vector>

#include "core/result.h"
#include "program/program.h"
#include "schedule/schedule.h"
#include "strategy/strategy.h"

namespace lockstep {

/// The schedule that a config names, for its stages, chunks and microbatches. Errors:
/// unknown_schedule, not_trainable (a schedule whose row says so), what make_schedule refuses.
Result<Schedule> training_schedule(const RunConfig& config);

/// Groups of ranks, two or more each, that hold the same parameters: replicas, and copies of a
/// stage (DualPipe). Each has the gradient of a part of the batch, so that their sum is that of
/// all.
std::vector<std::vector<int>> holders_of_the_same(const Program& program);

}  // namespace lockstep
