// A collective on small vectors of numbers, round by round, to be looked at: what is on its way and
// what everyone has afterwards. (Training runs on engine/device.)
#pragma once

#include <cstdint>
#include <vector>

#include "core/result.h"
#include "program/program.h"

namespace lockstep {

struct SentPart {
  int from = 0;
  int to = 0;
  TensorName part;
  std::int64_t elements = 0;
};

/// Every device sends what it can before its next receive, then receives once if what it waits for
/// is on its way.
struct CollectiveRound {
  std::vector<SentPart> sends;
  bool adds = false;                         ///< whether a receive of this round adds
  std::vector<std::vector<double>> vectors;  ///< of every device, after the round
};

/// Plays a program without faults that has nothing but messages of gradients and of blocks, on each
/// device's vector, all of one size. With blocks, each of the N devices of the program has chunk j
/// of N for device j, and afterwards in its place what j had for it. Error: not_a_collective (the
/// program has other instructions, or there are not as many vectors of one size as devices).
Result<std::vector<CollectiveRound>> play_collective(const Program& program,
                                                     std::vector<std::vector<double>> vectors);

}  // namespace lockstep
