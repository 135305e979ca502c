#include "program/program.h"

#include <algorithm>
#include <cassert>

namespace lockstep {

ElementRange chunk_range(std::int64_t size, int chunk, int chunks) {
  assert(size >= 0 && chunk >= 0 && chunk < chunks);
  const std::int64_t smaller = size / chunks;
  const std::int64_t larger_chunks = size % chunks;
  return {.first = chunk * smaller + std::min<std::int64_t>(chunk, larger_chunks),
          .count = smaller + (chunk < larger_chunks ? 1 : 0)};
}

}  // namespace lockstep
