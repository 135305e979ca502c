#include "picture/hatch.h"

#include <algorithm>
#include <cstdint>

#include "picture/picture.h"

namespace lockstep {
namespace {

constexpr double kLineDistance = 7;  ///< along an edge, in pixels

}  // namespace

std::string hatch(const Box& box) {
  const double right = box.x + box.width;
  const double bottom = box.y + box.height;
  std::string path;
  // On a line x + y is the same number, a multiple of the distance.
  const auto first = static_cast<std::int64_t>((box.x + box.y) / kLineDistance) + 1;
  for (std::int64_t line = first; static_cast<double>(line) * kLineDistance < right + bottom;
       ++line) {
    const double sum = static_cast<double>(line) * kLineDistance;
    const double from = std::max(box.x, sum - bottom);
    const double to = std::min(right, sum - box.y);
    path += "M" + length_text(from) + " " + length_text(sum - from) + "L" + length_text(to) + " " +
            length_text(sum - to);
  }
  return path;
}

}  // namespace lockstep
