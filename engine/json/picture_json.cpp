#include "json/picture_json.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

std::string_view kind_word(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::rect:
      return "rect";
    case ShapeKind::line:
      return "line";
    case ShapeKind::path:
      return "path";
    case ShapeKind::text:
      return "text";
  }
  return "";
}

Json shape_json(const Shape& shape) {
  Json json = {{"kind", kind_word(shape.kind)}, {"classes", shape.classes}};
  if (shape.kind == ShapeKind::path) {
    json["path"] = shape.text;
  } else {
    json["x"] = shape.x;
    json["y"] = shape.y;
  }
  if (shape.kind == ShapeKind::text) json["text"] = shape.text;
  if (shape.kind == ShapeKind::rect || shape.kind == ShapeKind::line) {
    json["width"] = shape.width;
    json["height"] = shape.height;
  }
  if (!shape.title.empty()) json["title"] = shape.title;
  if (!shape.story.empty()) json["story"] = shape.story;
  if (shape.rank >= 0) json["rank"] = shape.rank;
  if (shape.instruction >= 0) json["instruction"] = shape.instruction;
  return json;
}

}  // namespace

std::string write_picture(const Picture& picture) {
  Json shapes = Json::array();
  for (const Shape& shape : picture.shapes) shapes.push_back(shape_json(shape));
  return Json{{"width", picture.width},
              {"height", picture.height},
              {"title", picture.title},
              {"description", picture.description},
              {"shapes", std::move(shapes)}}
      .dump();
}

}  // namespace lockstep
