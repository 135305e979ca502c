// What is to go wrong in a run: drawn from a seed, or written by hand. The cluster that runs the
// plan (local_cluster.h) must end with the right gradient or with an error that names who is at
// fault; it does not look at the plan to find that out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "device/device.h"

namespace lockstep {

/// Kinds that change a message before its checksum is made (stale_step, wrong_shape, wrong_rank,
/// nan, infinity) are found by what the receiver's program says; there is none that puts in another
/// finite number, which nobody could find. The rest of the changes happen on the wire.
enum class FaultKind {
  stale_step,
  wrong_shape,
  wrong_rank,
  nan,
  infinity,
  truncate,
  bit_flip,
  version_mismatch,
  delay,
  reorder,
  duplicate,
  drop,
  crash_before_send,
  crash_after_send,
  hang,
  slow,
  out_of_memory,
  pause,
};

/// What a fault of a kind leads to, if it strikes.
enum class FaultOutcome {
  right,           ///< the gradient of the run without it, bit for bit
  error,           ///< an error that names the device of the fault
  right_or_error,  ///< one of the two: it depends on how much work was left
};

struct FaultKindRow {
  FaultKind kind;
  std::string_view name;
  bool of_message;  ///< it strikes a message of the device, not the device
  FaultOutcome outcome;
  std::string_view code;  ///< of the error, where there is only one
  std::string_view description;
};

/// Every kind, in the order of FaultKind.
std::span<const FaultKindRow> fault_kinds();

/// The kind called `name`. Error: unknown_fault (with the nearest name).
Result<FaultKindRow> find_fault_kind(std::string_view name);

inline constexpr int kAnySend = -1;

/// One thing that goes wrong, once.
struct PlannedFault {
  FaultKind kind = FaultKind::delay;
  int device = 0;         ///< rank: what goes wrong, or the sender of the message
  int send = kAnySend;    ///< index of a send in its instructions (messages and crashes only)
  std::int64_t when = 0;  ///< tick from which on it strikes, at the first opportunity

  bool operator==(const PlannedFault&) const = default;
};

struct FaultPlan {
  std::uint64_t seed = 0;  ///< it was drawn from; also draws which bit flips and where bytes end
  std::vector<PlannedFault> faults;

  bool operator==(const FaultPlan&) const = default;
};

/// More would make every run fail, which shows nothing.
inline constexpr std::size_t kFaultsMax = 64;

/// A message that is delayed, and a device that pauses, wait so many ticks.
inline constexpr std::int64_t kDelayTicks = 500;

/// A slow device takes so many turns for an instruction.
inline constexpr int kSlowTurns = 100;

/// One fault of a kind drawn from `seed`, sometimes two or three, for a run of `devices`. Of a kind
/// that strikes messages it names one that is sent, where there is any. Any seed gives a plan that
/// check_fault_plan accepts.
FaultPlan draw_fault_plan(std::uint64_t seed, std::span<const Device> devices);

/// Whether the plan fits a run of `devices`. Errors, at "faults/I/FIELD": too_many_faults (at
/// "faults"), unknown_fault, unknown_device, unknown_send (no send stands there, or the kind has no
/// send), negative_tick.
Status check_fault_plan(const FaultPlan& plan, std::span<const Device> devices);

/// The ticks within which a run with `faults` faults ends: 20 times those that it may take without,
/// and time enough for so many pauses.
std::int64_t fault_deadline(std::span<const Device> devices, std::size_t faults);

}  // namespace lockstep
