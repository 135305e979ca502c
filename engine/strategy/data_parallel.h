#pragma once

#include "strategy/strategy.h"

namespace lockstep {

RunConfig data_parallel_defaults();

/// Every device a whole model and a share of the rows; their gradients are averaged by an
/// all-reduce.
Result<Plan> data_parallel(const RunConfig& config);

}  // namespace lockstep
