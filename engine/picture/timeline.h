// Who works when: devices are rows, time runs to the right.
#pragma once

#include "cost/simulate.h"
#include "picture/picture.h"
#include "program/program.h"

namespace lockstep {

/// The timeline of `program` as `simulation` (of that program) has it: one cell a piece of stage
/// work, with its letter (F, B, I, W; after its stage where a device holds several) and microbatch;
/// idle time hatched; a scale of simulated time, a legend, and the most activations that each
/// device keeps. Cells too narrow for their text leave it out; every cell has a title.
Picture draw_timeline(const Program& program, const Simulation& simulation);

}  // namespace lockstep
