// How long a collective takes in the latency-bandwidth model, found by simulating its program.
#pragma once

#include "collective/collective.h"
#include "cost/simulate.h"

namespace lockstep {

/// What a collective runs on. In any units that fit together: bytes, seconds, bytes a second.
struct CollectiveLink {
  Rational bytes = 1;      ///< S, of the whole vector; at least 0
  Rational latency = 0;    ///< α, of a message of no bytes; at least 0
  Rational bandwidth = 1;  ///< of a device's port, one direction; more than 0
};

struct TimedCollective {
  CollectiveRow row;
  int devices = 1;
  CollectiveLink link;
  Rational time;
};

/// The collective alone, on the gradients of `devices` devices in the order of their ranks.
Program collective_program(const CollectiveRow& row, int devices);

/// Errors: those of simulate.
Result<TimedCollective> time_collective(const CollectiveRow& row, int devices,
                                        const CollectiveLink& link);

}  // namespace lockstep
