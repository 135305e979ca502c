#pragma once

#include "strategy/strategy.h"

namespace lockstep {

RunConfig tensor_parallel_defaults();
RunConfig parallel_3d_defaults();

/// Every block of one model cut over all devices; a product of which the other two factors are 1.
Result<Plan> tensor_parallel(const RunConfig& config);

/// Data × tensor × pipeline parallelism (Narayanan et al. 2021): `data` copies of a pipeline of
/// `stages`, each stage cut over `tensor` devices. Rank (copy · stages + stage) · tensor + shard,
/// so that the devices that talk most are neighbours.
Result<Plan> parallel_3d(const RunConfig& config);

}  // namespace lockstep
