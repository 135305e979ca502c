// Finds every fault of a schedule with communication, in the words of its cells.
#pragma once

#include <vector>

#include "core/result.h"
#include "schedule/communication.h"
#include "schedule/validate.h"

namespace lockstep {

/// Every fault of `schedule`; none means that to_program gives a program without faults. `where` is
/// the place in the text, "line 2, column 7", else "rank 1, action 3" (both from 0); "rank 1" of
/// what is missing. Beside the faults of the work (validate_schedule), of which a deadlock is told
/// in the words of messages, the codes are:
/// - out_of_range: a message or a stage that cannot be: what the last stage sends forward, say;
/// - wrong_rank: a message, or what concerns weights, on a rank that does not hold the stage;
/// - self_send: a message between stages on one rank, which pass on theirs without;
/// - doubled_message; no_receive (of a send), no_send (of a receive); missing_message (neither);
/// - order: an action before its receive, a send before what makes it, a reduce_gradient before
///   the last backward of its stage;
/// - sharded: in a schedule that has any unshard or reshard, work on a stage that is not whole
///   then, or an unshard or reshard that changes nothing. Stages may stay whole at the end.
/// - missing_reduce, doubled_reduce: where any stage has its gradient reduced, each rank does it
///   once for each stage whose backwards it does.
std::vector<Error> validate_communication(const CommunicationSchedule& schedule,
                                          const ScheduleDemands& demands = {});

}  // namespace lockstep
