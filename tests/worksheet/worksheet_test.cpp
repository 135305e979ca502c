#include "worksheet/worksheet.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lesson/ask.h"
#include "picture/time_grid.h"
#include "support/exercises.h"
#include "worksheet/html.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::string html_of(const Lesson& lesson, std::uint32_t seed, Paper paper = Paper::a4) {
  return to_html(make_worksheet(std::span(&lesson, 1), seed).value(), paper);
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

/// The part before the first answer key.
std::string before_key(const std::string& html) {
  return html.substr(0, html.find("<section class=\"sheet key\""));
}

/// Whether tags are closed in the reverse order of their opening.
bool is_balanced(std::string_view html) {
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string_view::npos; at = html.find('<', at)) {
    const std::size_t end = html.find('>', at);
    const std::string tag(html.substr(at + 1, end - at - 1));
    at = end;
    const std::string name = tag.substr(0, tag.find_first_of(" \n"));
    if (tag.starts_with("!") || tag.ends_with("/") || name == "meta") continue;
    if (!tag.starts_with("/")) {
      open.push_back(name);
      continue;
    }
    if (open.empty() || "/" + open.back() != tag) return false;
    open.pop_back();
  }
  return open.empty();
}

/// The small lesson with a pipeline grid of these formulas.
std::string lesson_with_grid(const std::string& stages, const std::string& microbatches) {
  return replaced(kSmallLesson, R"({"kind": "question", "question": "quotient"})",
                  R"({"kind": "pipeline_grid", "question": "quotient", "text": "Fill in.",
                      "stages": ")" +
                      stages + R"(", "microbatches": ")" + microbatches + R"("})");
}

}  // namespace

TEST_CASE("a worksheet asks for nothing from outside and runs nothing") {
  for (const Paper paper : {Paper::a4, Paper::letter}) {
    const std::string html = html_of(shipped_lesson(), 7, paper);
    for (const char* part : {"<script", "<link", "<img", "<iframe", "src=", "href=", "url(",
                             "@import", "style=", "onload", "javascript:"}) {
      CAPTURE(part);
      CHECK(html.find(part) == std::string::npos);
    }
    CHECK(count(html, "http") == count(html, "http://www.w3.org/2000/svg"));
    CHECK(is_balanced(html));
  }
}

TEST_CASE("a worksheet has the same bytes every time, and others for another seed or paper") {
  const Lesson lesson = shipped_lesson();
  CHECK(html_of(lesson, 7) == html_of(shipped_lesson(), 7));
  CHECK(html_of(lesson, 7) != html_of(lesson, 8));
  CHECK(html_of(lesson, 7) != html_of(lesson, 7, Paper::letter));
}

TEST_CASE("one style sheet serves every lesson, seed and paper") {
  const std::string style = worksheet_stylesheet();
  for (const std::uint32_t seed : {0u, 7u}) {
    for (const Paper paper : {Paper::a4, Paper::letter}) {
      const std::string html = html_of(shipped_lesson(), seed, paper);
      CHECK(count(html, "<style") == 1);
      CHECK(html.find("<style>" + style + "</style>") != std::string::npos);
    }
  }
}

TEST_CASE("no text of a worksheet is smaller than 11 points") {
  const std::string style = worksheet_stylesheet();
  const std::string own = style.substr(0, style.find(".lockstep-picture {"));
  for (std::size_t at = own.find("pt"); at != std::string::npos; at = own.find("pt", at + 1)) {
    std::size_t from = at;
    while (from > 0 && std::string_view("0123456789.").find(own[from - 1]) != std::string::npos) {
      --from;
    }
    if (from == at) continue;
    CAPTURE(own.substr(from, at - from + 2));
    CHECK(std::stod(own.substr(from, at - from)) >= 11.0);
  }
  CHECK(style.find(".lockstep-picture text, .lockstep-picture .small { font-size: 14.67px;") !=
        std::string::npos);  // 11 pt
}

TEST_CASE("nothing of the key stands before the key's own page: 200 seeds") {
  const Lesson lesson = shipped_lesson();
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const Worksheet worksheet = make_worksheet(std::span(&lesson, 1), seed).value();
    const std::string html = to_html(worksheet, Paper::a4);
    const std::string questions = before_key(html);
    const std::string key = html.substr(questions.size());
    REQUIRE(questions.find("Answer key") == std::string::npos);
    REQUIRE(questions.find("<b>") == std::string::npos);
    REQUIRE(questions.find("class=\"number\"") == std::string::npos);
    for (const SheetItem& item : worksheet.sheets[0].items) {
      for (const RevealedMistake& mistake : item.mistakes) {
        REQUIRE(questions.find(mistake.say) == std::string::npos);
        REQUIRE(key.find("</b><span>" + mistake.say) != std::string::npos);
      }
      if (!item.answers.empty()) {
        REQUIRE(key.find("<b>" + item.answers[0] + "</b>") != std::string::npos);
      }
    }
  }
}

TEST_CASE("the printed key has an entry for every item, and what it shows grades correct") {
  const Lesson lesson = shipped_lesson();
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const Worksheet worksheet = make_worksheet(std::span(&lesson, 1), seed).value();
    REQUIRE(worksheet.sheets[0].items.size() == lesson.worksheet.items.size());
    for (std::size_t i = 0; i < lesson.worksheet.items.size(); ++i) {
      CAPTURE(seed, i);
      const SheetItem& item = worksheet.sheets[0].items[i];
      REQUIRE((!item.answers.empty() || !item.filled_grids.empty()));
      for (const std::string& answer : item.answers) {
        const Ask ask{lesson.worksheet.items[i].question, seed, nullptr};
        REQUIRE(grade(lesson, ask, answer).value().kind == VerdictKind::correct);
      }
    }
    const std::string html = to_html(worksheet, Paper::letter);
    REQUIRE(count(html, "<h2>Question ") == 2 * lesson.worksheet.items.size());
  }
}

TEST_CASE("title, seed and key heading stand in the body, where no margin box can lose them") {
  const std::string html = html_of(shipped_lesson(), 7);
  CHECK(html.find("<h1>Using many devices</h1>") != std::string::npos);
  CHECK(html.find("Computing · worksheet · seed 7") != std::string::npos);
  CHECK(html.find("<h1>Answer key: Using many devices</h1>") != std::string::npos);
  CHECK(html.find("Computing · answer key · seed 7") != std::string::npos);
  CHECK(html.find("<p class=\"running\">Using many devices · seed 7</p>") != std::string::npos);
}

TEST_CASE("a grid has a row a stage and a column a slot, in pieces that fit the paper") {
  const Lesson lesson = *load_lesson("lesson.json", lesson_with_grid("b - 4", "a / 8")).value;
  const Worksheet worksheet = make_worksheet(std::span(&lesson, 1), 0).value();
  const SheetItem& item =
      worksheet.sheets[0].items[0];  // a = 80, b = 12: 8 stages, 10 microbatches
  REQUIRE(item.grids.size() == 1);
  CHECK(std::ranges::count(item.grids[0].shapes, "blank", &Shape::classes) == 8 * 17);
  CHECK(std::ranges::count(item.filled_grids[0].shapes, "number", &Shape::classes) == 8 * 10);
  const Lesson wide = *load_lesson("lesson.json", lesson_with_grid("b - 4", "a / 2")).value;
  const SheetItem pieces = make_worksheet(std::span(&wide, 1), 0).value().sheets[0].items[0];
  CHECK(pieces.grids.size() == 3);  // 47 columns: 17 + 17 + 13
  std::ptrdiff_t numbers = 0;
  for (const Picture& grid : pieces.filled_grids) {
    numbers += std::ranges::count(grid.shapes, "number", &Shape::classes);
  }
  CHECK(numbers == 8 * 40);
}

TEST_CASE("a filled grid has microbatch k on stage s in slot s + k") {
  const Lesson lesson = *load_lesson("lesson.json", lesson_with_grid("3", "2")).value;
  const SheetItem item = make_worksheet(std::span(&lesson, 1), 0).value().sheets[0].items[0];
  CHECK(item.filled_grids[0].description ==
        "One row a device and one column a step of time, from step 0 on. "
        "Device 0: 0, 1, idle, idle. Device 1: idle, 0, 1, idle. Device 2: idle, idle, 0, 1.");
}

TEST_CASE("a grid that does not fit on paper is refused, and the check finds it") {
  for (const auto& [stages, microbatches] : std::vector<std::pair<std::string, std::string>>{
           {"17", "4"}, {"4", "66"}, {"0", "4"}, {"b / 5", "4"}, {"4", "a - 60"}}) {
    CAPTURE(stages, microbatches);
    CHECK(faults_in(lesson_with_grid(stages, microbatches)) ==
          std::vector<std::string>{"grid_too_large /worksheet"});
  }
  CHECK(faults_in(lesson_with_grid("16", "53")).empty());
}

TEST_CASE("text of a file never becomes markup on paper") {
  const std::string vector = R"(<img src=x onerror=alert(1)> & \"q\")";
  std::string text =
      replaced(kSmallLesson, "\"title\": \"Small\"", "\"title\": \"" + vector + "\"");
  text = replaced(text, "What is {a}", vector + " {a}");
  text = replaced(text, "is upside down", vector);
  text = replaced(text, "Testing", vector);
  text = replaced(text, "\"en\"", "\"en\\\" onload=\\\"x\"");
  const Lesson lesson = *load_lesson("lesson.json", text).value;
  const std::string html = html_of(lesson, 0);
  CHECK(html.find("<img") == std::string::npos);
  CHECK(html.find("\" onload") == std::string::npos);
  CHECK(html.find("&lt;img src=x onerror=alert(1)&gt; &amp; &quot;q&quot;") != std::string::npos);
  CHECK(is_balanced(html));
}

TEST_CASE("several lessons follow one another, their keys after all of them") {
  const std::vector<Lesson> lessons = {shipped_lesson(),
                                       *load_lesson("lesson.json", kSmallLesson).value};
  const std::string html = to_html(make_worksheet(lessons, 7).value(), Paper::a4);
  CHECK(count(html, "<section class=\"sheet\"") == 2);
  CHECK(count(html, "<section class=\"sheet key\"") == 2);
  CHECK(html.rfind("<section class=\"sheet\"") < html.find("<section class=\"sheet key\""));
  CHECK(html.find("<title>Using many devices, Small · seed 7</title>") != std::string::npos);
  CHECK(make_worksheet({}, 7).error().code == "no_lesson");
}
