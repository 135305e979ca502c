// A picture as a list of shapes: the page makes SVG nodes of it, the worksheet SVG text. Shapes
// carry class names, never colours, so that one style sheet sets the look on page and paper.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

enum class ShapeKind : std::uint8_t { rect, line, path, text };

/// One shape. Lengths are CSS pixels, x to the right, y down, in multiples of 1/100.
struct Shape {
  ShapeKind kind = ShapeKind::rect;
  std::string classes = {};  ///< names of picture_style(), separated by blanks
  double x = 0;              ///< left edge, start of a line, anchor of a text
  double y = 0;              ///< top edge, start of a line, baseline of a text
  double width = 0;          ///< of a rect; of a line, how far it goes to the right
  double height = 0;         ///< of a rect; of a line, how far it goes down
  std::string text = {};     ///< what a text says; the drawing commands ("M0 0L8 8") of a path
  std::string title = {};    ///< what the shape stands for, in words; empty for mere decoration
  std::string story = {};    ///< of a cell: what it needs and what it feeds
  int rank = -1;             ///< device whose instruction the shape shows, or −1
  int instruction = -1;      ///< index of that instruction in the device's list, or −1

  bool operator==(const Shape&) const = default;
};

struct Picture {
  double width = 0;
  double height = 0;
  std::string title;        ///< what is shown, in a few words
  std::string description;  ///< says what the picture says, for those who do not see it
  std::vector<Shape> shapes;
};

/// The nearest multiple of 1/100, so that shapes are the same everywhere and short to write.
double hundredths(double length);

/// A length with at most two decimals: "12", "0.5", "-3.25".
std::string length_text(double length);

/// The style sheet of all pictures. Text and lines take the colour of the text around them, so that
/// light and dark pages need no second sheet; work keeps its colours everywhere.
std::string_view picture_style();

}  // namespace lockstep
