// Slanted lines inside of a rectangle, which mark idle time.
#pragma once

#include <string>

namespace lockstep {

struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

/// The drawing commands of lines at 45 degrees that fill `box`. They lie on one grid for the whole
/// picture, so that neighbouring boxes join. A path of its own needs no pattern with a name, of
/// which a page with several pictures could have two. Narrow boxes may have no line.
std::string hatch(const Box& box);

}  // namespace lockstep
