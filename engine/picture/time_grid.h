// A timeline of unit steps, empty to be filled in by hand, or filled in as its key.
#pragma once

#include <string>
#include <vector>

#include "picture/picture.h"

namespace lockstep {

/// Columns of 9 mm, wide enough for a pen, that fit between the margins of A4 and Letter. A longer
/// time is drawn in pieces, one below the other.
inline constexpr int kGridColumnsAcross = 17;

/// Rows are devices, columns are steps of time, both counted from 0.
struct TimeGrid {
  int ranks = 1;                                     ///< 1 … kMaxRanks
  int columns = 1;                                   ///< 1 … kGridColumnsAcross
  int first_column = 0;                              ///< at least 0: the step of the first column
  std::vector<std::vector<std::string>> cells = {};  ///< by rank and column; none: to be filled in
};

/// The grid on the scale of a sheet: a cell is 9 mm wide and high. Sizes outside their limits are
/// taken as the nearest one; cells that are missing stay empty.
Picture draw_time_grid(const TimeGrid& grid);

}  // namespace lockstep
