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

ElementRange element_range(std::int64_t size, const TensorName& part) {
  const ElementRange first = chunk_range(size, part.chunk, part.chunks);
  const ElementRange last = chunk_range(size, part.chunk + part.count - 1, part.chunks);
  return {.first = first.first, .count = last.first + last.count - first.first};
}

TensorName part_of(const TensorName& whole, int chunk, int chunks, int count) {
  assert(whole == whole_of(whole));
  TensorName part = whole;
  part.chunk = chunk;
  part.chunks = chunks;
  part.count = count;
  return part;
}

TensorName whole_of(const TensorName& part) {
  return {.kind = part.kind, .stage = part.stage, .microbatch = part.microbatch};
}

}  // namespace lockstep
