// What a device holds at each moment of a timeline: activations in flight, and bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/result.h"
#include "cost/timeline.h"
#include "program/program.h"
#include "schedule/schedule.h"

namespace lockstep {

/// Bytes that one stage takes on the device that holds it; all 0 to kStageBytesMax.
struct StageBytes {
  std::int64_t weights = 0;
  std::int64_t gradients = 0;
  std::int64_t optimizer = 0;
  std::int64_t activations = 0;  ///< that a forward keeps of one microbatch

  bool operator==(const StageBytes&) const = default;
};

/// 16 TiB: more than any device has, and so little that no sum over 2^14 activations overflows.
inline constexpr std::int64_t kStageBytesMax = std::int64_t{1} << 44;

/// Activations in flight: (stage, microbatch) pairs, and the bytes that they take.
struct InFlight {
  int count = 0;
  std::int64_t bytes = 0;

  bool operator==(const InFlight&) const = default;
};

/// From this moment on, until the next point. Several points may share a moment: the last one
/// holds.
struct MemoryPoint {
  Ticks time = 0;
  InFlight until_weight_gradient;
  InFlight until_input_gradient;

  const InFlight& in_flight(Freeing freeing) const {
    return freeing == Freeing::at_weight_gradient ? until_weight_gradient : until_input_gradient;
  }
  bool operator==(const MemoryPoint&) const = default;
};

/// One device's memory. Weights, gradients and optimizer state are there from beginning to end; of
/// them each stage that the device holds has a part.
struct DeviceMemory {
  std::int64_t weight_bytes = 0;
  std::int64_t gradient_bytes = 0;
  std::int64_t optimizer_bytes = 0;
  std::vector<MemoryPoint> points;  ///< in the order of time; before the first nothing is in flight

  /// The most activations at once, each of the two counts by itself.
  InFlight peak(Freeing freeing) const;
  /// All four parts, when the activations take most.
  std::int64_t peak_bytes(Freeing freeing) const;
};

/// The memory of every device, by rank. An activation is there from the start of its forward to the
/// end of what frees it (schedule.h); a device without any backward keeps none. `timeline` must be
/// one of `program`; `stages` gives the bytes of each stage, or of all by a single entry. Errors:
/// out_of_range (bytes out of range, a stage without an entry).
Result<std::vector<DeviceMemory>> memory_of(const Program& program, const Timeline& timeline,
                                            std::span<const StageBytes> stages);

}  // namespace lockstep
