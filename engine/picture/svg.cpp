#include "picture/svg.h"

#include <string_view>

namespace lockstep {
namespace {

/// The text with the characters that mean something in XML spelled out; control characters, which
/// XML does not have, are left out.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(letter) >= ' ') result += letter;
    }
  }
  return result;
}

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + escaped(value) + "\"";
}

std::string attribute(std::string_view name, double length) {
  return attribute(name, length_text(length));
}

std::string element(const Shape& shape) {
  const std::string classes = shape.classes.empty() ? "" : attribute("class", shape.classes);
  const std::string title =
      shape.title.empty() ? "" : "<title>" + escaped(shape.title) + "</title>";
  const auto wrapped = [&](std::string_view name, const std::string& attributes) {
    const std::string start = "<" + std::string(name) + classes + attributes;
    return title.empty() ? start + "/>" : start + ">" + title + "</" + std::string(name) + ">";
  };
  switch (shape.kind) {
    case ShapeKind::rect:
      return wrapped("rect", attribute("x", shape.x) + attribute("y", shape.y) +
                                 attribute("width", shape.width) +
                                 attribute("height", shape.height));
    case ShapeKind::line:
      return wrapped("line", attribute("x1", shape.x) + attribute("y1", shape.y) +
                                 attribute("x2", shape.x + shape.width) +
                                 attribute("y2", shape.y + shape.height));
    case ShapeKind::path:
      return wrapped("path", attribute("d", shape.text));
    case ShapeKind::text:
      break;
  }
  return "<text" + classes + attribute("x", shape.x) + attribute("y", shape.y) + ">" + title +
         escaped(shape.text) + "</text>";
}

}  // namespace

std::string to_svg(const Picture& picture, SvgStyle style) {
  const std::string size = length_text(picture.width) + " " + length_text(picture.height);
  std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"lockstep-picture\"" +
                     attribute("viewBox", "0 0 " + size) + attribute("width", picture.width) +
                     attribute("height", picture.height) + " role=\"img\"" +
                     attribute("aria-label", picture.title) + ">\n<title>" +
                     escaped(picture.title) + "</title>\n<desc>" + escaped(picture.description) +
                     "</desc>\n";
  if (style == SvgStyle::inside) text += "<style>\n" + std::string(picture_style()) + "</style>\n";
  for (const Shape& shape : picture.shapes) text += element(shape) + "\n";
  return text + "</svg>\n";
}

}  // namespace lockstep
