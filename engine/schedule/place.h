// Which rank holds which stage, found from the actions alone.
#pragma once

#include "schedule/schedule.h"

namespace lockstep {

/// Finds the number of microbatches of a schedule whose actions are all there is to go by, and the
/// holder of each stage: the rank with most of its actions; of equals the one in turn (stage mod
/// ranks), else the lowest. If more actions stand where DualPipe would have them, each stage has a
/// copy for the second half of the microbatches, as there.
void place_stages(Schedule& schedule);

}  // namespace lockstep
