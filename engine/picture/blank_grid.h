// An empty timeline to be filled in by hand.
#pragma once

#include "picture/picture.h"

namespace lockstep {

/// `ranks` rows (1 … kMaxRanks) of `columns` empty cells (1 … 256), one a step of time, on the
/// scale of an A4 sheet; numbers outside are taken as the nearest limit.
Picture draw_blank_grid(int ranks, int columns);

}  // namespace lockstep
