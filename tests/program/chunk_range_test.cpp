#include <catch2/catch_test_macros.hpp>

#include "program/program.h"

using namespace lockstep;

TEST_CASE("chunks follow each other, cover the vector and differ by one element at most") {
  for (std::int64_t size = 0; size <= 40; ++size) {
    for (int chunks = 1; chunks <= 16; ++chunks) {
      CAPTURE(size, chunks);
      std::int64_t end = 0;
      std::int64_t count_before = size;
      for (int chunk = 0; chunk < chunks; ++chunk) {
        const ElementRange range = chunk_range(size, chunk, chunks);
        REQUIRE(range.first == end);
        REQUIRE(range.count <= count_before);
        REQUIRE((range.count == size / chunks || range.count == size / chunks + 1));
        count_before = range.count;
        end += range.count;
      }
      REQUIRE(end == size);
    }
  }
}

TEST_CASE("ten elements in four chunks are 3, 3, 2, 2; two elements leave the last chunks empty") {
  CHECK(chunk_range(10, 1, 4) == ElementRange{3, 3});
  CHECK(chunk_range(10, 2, 4) == ElementRange{6, 2});
  CHECK(chunk_range(2, 1, 4) == ElementRange{1, 1});
  CHECK(chunk_range(2, 3, 4) == ElementRange{2, 0});
}

TEST_CASE("a vector longer than 32 bits can count is cut exactly") {
  const std::int64_t size = 7'000'000'003;  // 4 · 1 750 000 000 + 3
  CHECK(chunk_range(size, 2, 4) == ElementRange{3'500'000'002, 1'750'000'001});
  CHECK(chunk_range(size, 3, 4) == ElementRange{5'250'000'003, 1'750'000'000});
}
