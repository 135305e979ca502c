// Collectives as JSON text.
#pragma once

#include <span>
#include <string>

#include "collective/play.h"
#include "cost/collective_time.h"

namespace lockstep {

/// {"collectives": [{"name", "kind", "description"}, …]}
std::string write_collectives();

/// {"collective", "kind", "devices", "steps", "sent", "transfers", "at_most", "time", "rounds":
///  [{"adds", "sends": [{"from", "to", "part", "elements"}, …], "vectors": [[…], …]}, …]}: sent and
/// transfers in units of the whole vector, exact numbers as texts.
std::string write_collective(const TimedCollective& timed, std::span<const CollectiveRound> rounds);

}  // namespace lockstep
