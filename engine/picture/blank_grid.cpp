#include "picture/blank_grid.h"

#include <algorithm>
#include <string>

#include "program/program.h"

namespace lockstep {
namespace {

constexpr int kColumnsMax = 256;

// CSS pixels; the whole fits between the margins of an A4 sheet, 640 pixels.
constexpr double kLabelWidth = 68;
constexpr double kCellsWidth = 566;
constexpr double kCellWidthMax = 28;
constexpr double kRowHeight = 26;
constexpr double kTop = 4;
constexpr double kNumberHeight = 18;
constexpr int kNumberEvery = 5;

}  // namespace

Picture draw_blank_grid(int ranks, int columns) {
  ranks = std::clamp(ranks, 1, kMaxRanks);
  columns = std::clamp(columns, 1, kColumnsMax);
  const double cell = hundredths(std::min(kCellWidthMax, kCellsWidth / columns));
  Picture picture;
  picture.width = hundredths(kLabelWidth + cell * columns + 4);
  picture.height = hundredths(kTop + kRowHeight * ranks + kNumberHeight);
  picture.title = "Blank grid: " + std::to_string(ranks) + " devices, " + std::to_string(columns) +
                  " time steps";
  picture.description =
      "One row a device and one column a step of simulated time, counted from 0, to be filled in.";
  for (int rank = 0; rank < ranks; ++rank) {
    const double top = kTop + kRowHeight * rank;
    picture.shapes.push_back({.kind = ShapeKind::text,
                              .classes = "end",
                              .x = kLabelWidth - 8,
                              .y = hundredths(top + kRowHeight / 2 + 4.5),
                              .text = "device " + std::to_string(rank)});
    for (int column = 0; column < columns; ++column) {
      picture.shapes.push_back({.classes = "blank",
                                .x = hundredths(kLabelWidth + cell * column),
                                .y = hundredths(top),
                                .width = cell,
                                .height = kRowHeight});
    }
  }
  for (int column = 0; column <= columns; column += kNumberEvery) {
    picture.shapes.push_back({.kind = ShapeKind::text,
                              .classes = "small middle",
                              .x = hundredths(kLabelWidth + cell * column),
                              .y = hundredths(picture.height - 4),
                              .text = std::to_string(column)});
  }
  return picture;
}

}  // namespace lockstep
