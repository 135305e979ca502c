#include "picture/cells.h"

#include <algorithm>
#include <ranges>

namespace lockstep {
namespace {

constexpr double kCellWidthMin = 2.5;  ///< leaves some fill between the strokes of both edges

}  // namespace

void make_visible(std::vector<Cell>& cells, double chart_width) {
  const double even_share = chart_width / std::max(1.0, static_cast<double>(cells.size()));
  const double least = std::min(kCellWidthMin, even_share / 2);
  double free_from = 0;
  for (Cell& cell : cells) {
    cell.left = std::max(cell.left, free_from);
    cell.right = std::max(cell.right, cell.left + least);
    free_from = cell.right;
  }
  double free_to = chart_width;
  for (Cell& cell : cells | std::views::reverse) {
    if (cell.right <= free_to) break;
    cell.right = free_to;
    cell.left = std::min(cell.left, free_to - least);
    free_to = cell.left;
  }
}

}  // namespace lockstep
