// A picture as SVG text.
#pragma once

#include <string>

#include "picture/picture.h"

namespace lockstep {

/// Where the style sheet of an SVG is.
enum class SvgStyle : std::uint8_t {
  inside,   ///< the file stands alone
  outside,  ///< the page around it has picture_style() in its own sheet
};

/// SVG 1.1 with role="img", a title and a description; the same text for the same picture,
/// everywhere.
std::string to_svg(const Picture& picture, SvgStyle style = SvgStyle::inside);

}  // namespace lockstep
