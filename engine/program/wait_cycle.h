// Who waits for whom in a circle.
#pragma once

#include <span>
#include <vector>

namespace lockstep {

/// `waits_for[rank]` is the rank that `rank` waits for, or -1. Returns every cycle as the ranks in
/// waiting order, beginning with its lowest; shorter cycles first, then by their lowest rank.
std::vector<std::vector<int>> wait_cycles(std::span<const int> waits_for);

}  // namespace lockstep
