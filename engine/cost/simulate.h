// When everything in a program happens: an exact event simulation, without tensors. Times are
// simulated, in the unit of the durations that are given; they say nothing of this machine.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/rational.h"
#include "core/result.h"
#include "cost/timeline.h"
#include "program/messages.h"
#include "program/program.h"

namespace lockstep {

/// How long one stage works on one microbatch; all at least 0. A whole backward takes both halves.
/// The default is the usual picture: forward, input gradient and weight gradient take equally long.
struct StageTimes {
  Rational forward = 1;
  Rational backward_input = 1;
  Rational backward_weight = 1;
};

/// What lies between two devices, one direction; all at least 0.
struct Link {
  Rational latency = 0;   ///< from the end of a transfer to its arrival, while the ports are free
  Rational startup = 0;   ///< α: keeps the ports at both ends busy, whatever the message's size
  Rational per_byte = 0;  ///< β: one over the bandwidth; the ports at both ends are busy as well

  bool operator==(const Link&) const = default;
};

/// How many bytes whole tensors have; a part has its share of the chunks.
struct MessageBytes {
  Rational activation = 0;       ///< of a microbatch between any two stages, and of its gradient
  Rational gradient = 0;         ///< of a device
  Rational shared_gradient = 0;  ///< of a stage
  Rational parameters = 0;       ///< of a device
  Rational blocks = 0;           ///< all N² of an all-to-all together
};

/// How long things take, in any one unit.
struct Durations {
  std::vector<StageTimes> stages = {StageTimes{}};  ///< by stage; a single one holds for all
  Link link = {};                                   ///< between any two devices …
  std::map<std::pair<int, int>, Link> links = {};   ///< … but these, from a rank to a rank
  MessageBytes bytes = {};
  std::optional<Rational> overlap = {};  ///< of a pair that overlaps; else one after the other
};

/// Times `program`, which should have no faults (validate). A device works through its list; a send
/// does not block. A device's messages leave one after the other through one port and come in, in
/// the order of its receives, through another: each keeps a port busy for startup + bytes·per_byte,
/// and is there `latency` after it has left. (With latency alone, messages never wait for each
/// other; with startup and per_byte alone this is the latency-bandwidth model of Thakur et al.
/// 2005.) Exact: durations become whole numbers of a common tick. Linear in the number of
/// instructions.
/// `pairs` are places of forwards that overlap with the full backward right after them
/// (overlapping_pairs): if `durations` say so, such a pair takes that long in all, of which the
/// backward has what it takes alone, at the end, and the forward the rest.
/// Errors: out_of_range (a negative duration or size, a stage without one, no pair), too_large (the
/// sum of all durations in ticks is past 2^62), deadlock (the program does not end).
Result<Timeline> simulate(const Program& program, const Durations& durations,
                          std::span<const InstructionPlace> pairs = {});

}  // namespace lockstep
