// Finds every fault of a program before it runs.
#pragma once

#include <vector>

#include "core/result.h"
#include "program/program.h"

namespace lockstep {

/// Every fault of `program`; none means that it runs to its end on any device, with any order of
/// arrival. `where` is "program", "device 2" or "device 2, instruction 5" (both from 0). Codes:
/// - out_of_range: a stage, microbatch, device, replica or chunk that does not exist;
/// - wrong_device: work on a stage that the device does not hold;
/// - missing_work, doubled_work: each replica, and each shard of it, does each (stage,
///   microbatch) exactly once in each step: one
///   forward and one backward, or one backward_input and one backward_weight in its place. A
///   program without any stage work, such as a collective alone, need not do any, and one without
///   any backward is a forward pass, whole without;
/// - unequal_steps: devices with unlike numbers of updates, or with work behind the last;
/// - missing_input: an instruction uses a tensor that the device has neither made nor received
///   before it, which covers the order of forward, backward_input and backward_weight;
/// - self_send: a device sends to or receives from itself;
/// - no_send, no_receive: a receive that nobody sends to, a send that nobody receives;
/// - scale_by_zero: a scale by nothing or by a fraction over zero;
/// - deadlock: devices that wait for each other in a circle, spelled out; shortest circle first.
std::vector<Error> validate(const Program& program);

}  // namespace lockstep
