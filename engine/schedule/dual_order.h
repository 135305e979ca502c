// The order of a rank's work that DualPipe and DualPipeV share: DualPipeV is DualPipe cut in half.
#pragma once

#include <array>
#include <vector>

#include "schedule/schedule.h"

namespace lockstep {

/// Where a rank stands in it. Half 0 is what its forwards begin with, half 1 the other.
struct DualPlace {
  int ranks = 1;         ///< of one half of DualPipe, all of DualPipeV
  int rank = 0;          ///< from the end where half 0 enters
  int microbatches = 1;  ///< of each half, at least 2 · ranks
  std::array<int, 2> stage = {};
  std::array<int, 2> first_microbatch = {};
};

/// The rank's actions, in the eight steps of DeepSeek's dualpipe.py and dualpipev.py.
std::vector<Action> dual_order(const DualPlace& place);

}  // namespace lockstep
