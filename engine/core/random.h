// Counter-based random numbers: a value is a pure function of (seed, stream, index), so any device
// can draw any part of the data by itself, in any order, and all agree bit for bit.
#pragma once

#include <cstdint>

namespace lockstep {

/// 64 well-mixed bits for a place in a stream (the SplitMix64 finaliser, Steele et al. 2014,
/// applied once for each coordinate).
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

/// A multiple of 2^-52 in [-1, 1), exact in float64.
double random_symmetric(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

/// An integer in [0, bound), bound in 1 … 2^32; unbiased to within 2^-32.
std::uint32_t random_below(std::uint64_t seed, std::uint64_t stream, std::uint64_t index,
                           std::uint64_t bound);

}  // namespace lockstep
