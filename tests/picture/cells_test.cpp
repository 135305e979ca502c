#include "picture/cells.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>

#include "support/programs.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Cells that fill a chart 100 wide in whole numbers, many of them without a length.
std::vector<Cell> random_cells(Draw& draw) {
  std::vector<Cell> cells;
  double at = 0;
  for (int count = draw.below(200); count > 0; --count) {
    const double left = std::min(100.0, at + (draw.below(4) == 0 ? draw.below(9) : 0));
    const double right = std::min(100.0, left + (draw.below(3) == 0 ? draw.below(9) : 0));
    cells.push_back({count, left, right});
    at = right;
  }
  return cells;
}

}  // namespace

TEST_CASE("cells of any lengths are seen, in order, apart and inside of the chart") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const std::vector<Cell> exact = random_cells(draw);
    std::vector<Cell> cells = exact;
    make_visible(cells, 100);
    REQUIRE(cells.size() == exact.size());
    double free_from = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      REQUIRE(cells[i].instruction == exact[i].instruction);
      REQUIRE(cells[i].left >= free_from);
      REQUIRE(cells[i].right - cells[i].left >= 0.99 * std::min(2.5, 50.0 / 200));
      free_from = cells[i].right;
    }
    REQUIRE(free_from <= 100);
  }
}

TEST_CASE("cells that are wide enough stay where their time is") {
  const std::vector<Cell> exact = {{0, 0, 3}, {1, 3, 50}, {2, 60, 63}, {3, 97, 100}};
  std::vector<Cell> cells = exact;
  make_visible(cells, 100);
  CHECK(cells == exact);
}

TEST_CASE("marks take their room from what follows, and at the end from what precedes") {
  std::vector<Cell> cells = {{0, 10, 10}, {1, 10, 10}, {2, 10, 20}, {3, 90, 100}, {4, 100, 100}};
  make_visible(cells, 100);
  CHECK(cells == std::vector<Cell>{
                     {0, 10, 12.5}, {1, 12.5, 15}, {2, 15, 20}, {3, 90, 97.5}, {4, 97.5, 100}});
}
