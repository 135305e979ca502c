// Who works when: devices are rows, time runs to the right.
#pragma once

#include "cost/timeline.h"
#include "picture/picture.h"
#include "program/program.h"

namespace lockstep {

/// Where the times of a timeline come from. A picture says which, and shows one of them only.
enum class TimeSource { simulated, measured };

/// `timeline` of `program`: one cell a piece of stage work, with its letter (F, B, I, W; after its
/// stage where a device holds several) and microbatch, and one a step of the exchange of gradients
/// (S, R, M); in measured time also one a message between stages whose handling took time. All else
/// is idle and hatched. A scale of time, a legend, and the most activations that each device keeps.
/// Cells without a length are thin marks (make_visible); cells too narrow for their text leave it
/// out; every cell has a title and a story.
Picture draw_timeline(const Program& program, const Timeline& timeline,
                      TimeSource source = TimeSource::simulated);

}  // namespace lockstep
