// Pictures as JSON text, of which the page makes SVG nodes.
#pragma once

#include <string>

#include "picture/picture.h"

namespace lockstep {

/// {"width", "height", "title", "description", "shapes": [SHAPE, …]}. A shape has "kind" and
/// "classes", and by its kind: "rect" and "line" "x", "y", "width", "height"; "path" "path", its
/// drawing commands; "text" "x", "y", "text". Besides "title" where it stands for something, and
/// "story", "rank" and "instruction" where it shows an instruction.
std::string write_picture(const Picture& picture);

}  // namespace lockstep
