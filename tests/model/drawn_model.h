// Models and batches of many shapes for the laws of this folder, drawn from a test's seed.
#pragma once

#include <cstdint>

#include "core/random.h"
#include "model/mlp_spec.h"

namespace lockstep {

/// 1 to 6 layers of odd and even widths up to 21.
inline MlpSpec drawn_spec(std::uint64_t seed) {
  MlpSpec spec;
  const std::uint32_t count = 2 + random_below(seed, 100, 0, 6);
  for (std::uint64_t i = 0; i < count; ++i) {
    spec.widths.push_back(static_cast<int>(1 + random_below(seed, 101, i, 21)));
  }
  return spec;
}

/// 1 to 40.
inline int drawn_rows(std::uint64_t seed) {
  return static_cast<int>(1 + random_below(seed, 102, 0, 40));
}

}  // namespace lockstep
