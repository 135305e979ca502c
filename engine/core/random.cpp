#include "core/random.h"

#include <cassert>

namespace lockstep {
namespace {

std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return mix(mix(mix(seed) ^ stream) ^ index);
}

double random_symmetric(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  const std::uint64_t top = random_bits(seed, stream, index) >> 11;  // 53 bits: 0 … 2^53 - 1
  return (static_cast<double>(top) - 0x1p52) * 0x1p-52;
}

std::uint32_t random_below(std::uint64_t seed, std::uint64_t stream, std::uint64_t index,
                           std::uint64_t bound) {
  assert(bound >= 1 && bound <= (std::uint64_t{1} << 32));
  const std::uint64_t high = random_bits(seed, stream, index) >> 32;
  return static_cast<std::uint32_t>((high * bound) >> 32);
}

}  // namespace lockstep
