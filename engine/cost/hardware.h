// Published figures of accelerators, as their makers give them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/rational.h"
#include "core/result.h"

namespace lockstep {

/// A figure of an accelerator; how a name in a table reads it: "H100.bf16".
struct HardwareFigure {
  std::string_view name;
  std::string_view unit;
  std::string_view description;
};

/// bf16 and int8 (peaks, dense, of one chip), memory, memory_bandwidth, link_bandwidth.
std::span<const HardwareFigure> hardware_figures();

struct Accelerator {
  std::string_view name;
  std::array<std::int64_t, 5> values;  ///< by figure; 0 where the maker gives none
  std::string_view source;
};

/// Every accelerator; to add one, write a row.
std::span<const Accelerator> accelerators();

/// The figure that "H100.bf16" names. Errors: unknown_hardware, unknown_figure (with the nearest
/// name), no_figure (the maker gives none).
Result<Rational> hardware_figure(std::string_view name);

}  // namespace lockstep
