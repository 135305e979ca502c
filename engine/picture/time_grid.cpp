#include "picture/time_grid.h"

#include <algorithm>
#include <cstddef>

#include "program/program.h"

namespace lockstep {
namespace {

// CSS pixels, of which 96 are an inch: 34.02 are 9 mm.
constexpr double kCell = 34.02;
constexpr double kLabelWidth = 76;
constexpr double kTop = 4;
constexpr double kNumberHeight = 18;
constexpr int kNumberEvery = 5;

std::string text_of(const TimeGrid& grid, int rank, int column) {
  const auto row = static_cast<std::size_t>(rank);
  const auto place = static_cast<std::size_t>(column);
  if (row >= grid.cells.size() || place >= grid.cells[row].size()) return "";
  return grid.cells[row][place];
}

std::string description_of(const TimeGrid& grid) {
  std::string text = "One row a device and one column a step of time, from step " +
                     std::to_string(grid.first_column) + " on.";
  if (grid.cells.empty()) return text + " To be filled in.";
  for (int rank = 0; rank < grid.ranks; ++rank) {
    text += " Device " + std::to_string(rank) + ":";
    for (int column = 0; column < grid.columns; ++column) {
      const std::string cell = text_of(grid, rank, column);
      text += " " + (cell.empty() ? "idle" : cell);
      text += column + 1 == grid.columns ? "." : ",";
    }
  }
  return text;
}

void draw_row(const TimeGrid& grid, int rank, Picture& picture) {
  const double top = hundredths(kTop + kCell * rank);
  const double baseline = hundredths(top + kCell / 2 + 5);
  picture.shapes.push_back({.kind = ShapeKind::text,
                            .classes = "end",
                            .x = kLabelWidth - 8,
                            .y = baseline,
                            .text = "device " + std::to_string(rank)});
  for (int column = 0; column < grid.columns; ++column) {
    const double left = hundredths(kLabelWidth + kCell * column);
    picture.shapes.push_back(
        {.classes = "blank", .x = left, .y = top, .width = kCell, .height = kCell});
    const std::string text = text_of(grid, rank, column);
    if (text.empty()) continue;
    picture.shapes.push_back({.kind = ShapeKind::text,
                              .classes = "number",
                              .x = hundredths(left + kCell / 2),
                              .y = baseline,
                              .text = text});
  }
}

}  // namespace

Picture draw_time_grid(const TimeGrid& wanted) {
  TimeGrid grid = wanted;
  grid.ranks = std::clamp(grid.ranks, 1, kMaxRanks);
  grid.columns = std::clamp(grid.columns, 1, kGridColumnsAcross);
  grid.first_column = std::max(grid.first_column, 0);
  Picture picture;
  picture.width = hundredths(kLabelWidth + kCell * grid.columns + 8);
  picture.height = hundredths(kTop + kCell * grid.ranks + kNumberHeight);
  picture.title = std::string(grid.cells.empty() ? "Blank grid: " : "Filled grid: ") +
                  std::to_string(grid.ranks) + " devices, " + std::to_string(grid.columns) +
                  " steps of time";
  picture.description = description_of(grid);
  for (int rank = 0; rank < grid.ranks; ++rank) draw_row(grid, rank, picture);
  for (int column = 0; column <= grid.columns; ++column) {
    const int step = grid.first_column + column;
    if (step % kNumberEvery != 0) continue;
    picture.shapes.push_back({.kind = ShapeKind::text,
                              .classes = "small middle",
                              .x = hundredths(kLabelWidth + kCell * column),
                              .y = hundredths(picture.height - 4),
                              .text = std::to_string(step)});
  }
  return picture;
}

}  // namespace lockstep
