#include "picture/picture.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "picture/hatch.h"
#include "picture/svg.h"

using namespace lockstep;

namespace {

std::string drawn(const Shape& shape) {
  const Picture picture = {
      .width = 8, .height = 4, .title = "t", .description = "d", .shapes = {shape}};
  const std::string svg = to_svg(picture, SvgStyle::outside);
  const std::size_t start = svg.find("</desc>\n") + 8;
  return svg.substr(start, svg.find("\n</svg>") - start);
}

}  // namespace

TEST_CASE("lengths are written with two decimals at most and no zeros at the end") {
  CHECK(length_text(0) == "0");
  CHECK(length_text(12) == "12");
  CHECK(length_text(0.5) == "0.5");
  CHECK(length_text(-3.25) == "-3.25");
  CHECK(length_text(1.005) == "1");  // the double below 1.005
  CHECK(length_text(1.0 / 3) == "0.33");
  CHECK(length_text(2.999) == "3");
  CHECK(length_text(0.05) == "0.05");
  CHECK(length_text(-0.001) == "0");
}

TEST_CASE("a picture is an image with a name and a description, with its style inside or not") {
  const Picture picture = {
      .width = 8, .height = 4.5, .title = "a < b", .description = "c & d", .shapes = {}};
  CHECK(to_svg(picture, SvgStyle::outside) ==
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"lockstep-picture\" "
        "viewBox=\"0 0 8 4.5\" width=\"8\" height=\"4.5\" role=\"img\" aria-label=\"a &lt; b\">\n"
        "<title>a &lt; b</title>\n<desc>c &amp; d</desc>\n</svg>\n");
  const std::string alone = to_svg(picture);
  CHECK(alone.find("<style>\n" + std::string(picture_style()) + "</style>") != std::string::npos);
}

TEST_CASE("each kind of shape becomes its element") {
  CHECK(drawn({.classes = "work", .x = 1, .y = 2, .width = 3, .height = 4}) ==
        "<rect class=\"work\" x=\"1\" y=\"2\" width=\"3\" height=\"4\"/>");
  CHECK(drawn({.kind = ShapeKind::line, .x = 1, .y = 2, .width = 3, .height = 0}) ==
        "<line x1=\"1\" y1=\"2\" x2=\"4\" y2=\"2\"/>");
  CHECK(drawn({.kind = ShapeKind::path, .text = "M0 0L1 1"}) == "<path d=\"M0 0L1 1\"/>");
  CHECK(drawn({.kind = ShapeKind::text, .x = 1, .y = 2, .text = "x"}) ==
        "<text x=\"1\" y=\"2\">x</text>");
  CHECK(drawn({.title = "so"}) ==
        "<rect x=\"0\" y=\"0\" width=\"0\" height=\"0\"><title>so</title></rect>");
}

TEST_CASE("text with marks of XML or control characters stays text") {
  CHECK(drawn({.kind = ShapeKind::text, .text = "<script>\"&\"\x01</script>"}) ==
        "<text x=\"0\" y=\"0\">&lt;script&gt;&quot;&amp;&quot;&lt;/script&gt;</text>");
  CHECK(drawn({.classes = "\" onload=\"x"}).find("class=\"&quot; onload=&quot;x\"") !=
        std::string::npos);
}

TEST_CASE("hatching stays inside of its box and joins that of the next one") {
  // x + y = 7 and 14 cross the square from (0, 0) to (10, 10)
  CHECK(hatch({0, 0, 10, 10}) == "M0 7L7 0M4 10L10 4");
  // the box to the right goes on with the lines where they left: 14, 21, 28
  CHECK(hatch({10, 0, 10, 10}) == "M10 4L14 0M11 10L20 1M18 10L20 8");
  CHECK(hatch({0, 0, 1, 1}).empty());
}
