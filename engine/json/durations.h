// How long things take, and how much they hold, as the command and the page spell it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "cost/memory.h"
#include "cost/simulate.h"

namespace lockstep {

/// The names of the texts that say it:
/// - forward, backward_input, backward_weight: exact, one for all stages or one each: "1, 3/2, 1";
/// - overlap: of a forward and a backward that overlap, in all (as one after the other);
/// - latency, bandwidth: of every link between devices; bytes: of every message on it (1);
/// - link: other links, from a rank to a rank: "0-1:latency=1/2,bandwidth=4,1-0:latency=2";
/// - weights, gradients, optimizer, activations: bytes of the stages, one for all or one each.
std::span<const std::string_view> duration_keys();

/// A text under one of the names; `where` is what errors call it.
struct DurationText {
  std::string_view key;
  std::string where;
  std::string text;
};

struct GivenDurations {
  Durations durations;
  std::vector<StageBytes> bytes;  ///< empty where none were given
};

/// What the texts say; the rest has the defaults. Errors: those of read_exact, out_of_range,
/// not_a_link, unknown_key, different_counts (of lists that are not as long as each other).
Result<GivenDurations> read_durations(std::span<const DurationText> texts);

}  // namespace lockstep
