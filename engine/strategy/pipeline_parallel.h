#pragma once

#include "strategy/strategy.h"

namespace lockstep {

RunConfig pipeline_parallel_defaults();

/// Every device some consecutive layers of one model; microbatches flow through them in the order
/// of a schedule.
Result<Plan> pipeline_parallel(const RunConfig& config);

}  // namespace lockstep
