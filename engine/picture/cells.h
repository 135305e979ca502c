// Where the cells of one device's row stand, so that every one of them can be seen.
#pragma once

#include <vector>

namespace lockstep {

/// A cell as wide as its time is long. Lengths are CSS pixels from the start of the chart.
struct Cell {
  int instruction = -1;  ///< index in the device's list
  double left = 0;
  double right = 0;

  bool operator==(const Cell&) const = default;
};

/// Makes room for cells that are too narrow to be seen, such as those of work that ended in the
/// step of the clock in which it began: two and a half pixels each, or half of an even share of the
/// chart where the cells are that many. Neighbours give way only as far as they must, so that in
/// the end none overlap and all lie between 0 and `chart_width`. `cells` are in order of time and
/// between those bounds.
void make_visible(std::vector<Cell>& cells, double chart_width);

}  // namespace lockstep
