#include "program/wait_cycle.h"

#include <array>
#include <catch2/catch_test_macros.hpp>

using namespace lockstep;
using Cycles = std::vector<std::vector<int>>;

TEST_CASE("a chain that ends is no cycle") {
  CHECK(wait_cycles(std::array{1, 2, -1}).empty());
  CHECK(wait_cycles(std::array{-1, 0, 1}).empty());
  CHECK(wait_cycles({}).empty());
}

TEST_CASE("a cycle begins with its lowest rank and goes on in waiting order") {
  CHECK(wait_cycles(std::array{2, 0, 1}) == Cycles{{0, 2, 1}});
  CHECK(wait_cycles(std::array{0}) == Cycles{{0}});
}

TEST_CASE("ranks that wait for a cycle from outside are not part of it") {
  CHECK(wait_cycles(std::array{1, 2, 1, 0}) == Cycles{{1, 2}});
}

TEST_CASE("the shortest cycle comes first, then the one with the lowest rank") {
  // 0 → 1 → 2 → 0, 3 ↔ 4, 5 ↔ 6
  CHECK(wait_cycles(std::array{1, 2, 0, 4, 3, 6, 5}) == Cycles{{3, 4}, {5, 6}, {0, 1, 2}});
}
