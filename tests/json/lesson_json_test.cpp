#include "json/lesson_json.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/hash.h"
#include "lesson/ask.h"
#include "support/exercises.h"

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("a view is written with every field, spans by type") {
  const Lesson lesson = *load_lesson("lesson.json", kSmallLesson).value;
  CHECK(write_view(view(lesson, {"quotient", 0, nullptr}).value()) ==
        R"({"id":"quotient","type":"number","skill":"divide","revision":1,)"
        R"("hash":")" +
            hex16(lesson.questions[0].graded_hash) +
            R"(","seed":0,"numbers":[["a","80"],["b","12"]],)"
            R"("prompt":[{"type":"paragraph","spans":[{"type":"text","text":"What is "},)"
            R"({"type":"value","text":"80"},{"type":"text","text":" / "},)"
            R"({"type":"value","text":"12"},{"type":"text","text":"?"}]}],)"
            R"x("suffix":"(3 decimals)","typing":"Round to 3 decimals; more digits do no harm. )x"
            R"x(An exact fraction, such as 2/7, counts too.","options":[],"hints":1})x");
}

TEST_CASE("a verdict is written with its credit as a fraction and null for no mistake") {
  const Lesson lesson = *load_lesson("lesson.json", kSmallLesson).value;
  const Ask ask{"quotient", 0, nullptr};
  const auto right = nlohmann::json::parse(write_verdict(grade(lesson, ask, "20/3").value()));
  CHECK(right["kind"] == "correct");
  CHECK(right["credit"] == "1");
  CHECK(right["mistake"].is_null());
  const auto wrong = nlohmann::json::parse(write_verdict(grade(lesson, ask, "0.15").value()));
  CHECK(wrong["kind"] == "incorrect");
  CHECK(wrong["code"] == "mistake:inverted");
  CHECK(wrong["mistake"] == "inverted");
  CHECK(wrong["message"] == "0.15 is upside down.");
}

TEST_CASE("a reveal, hints and faults are written as they are") {
  const Lesson lesson = *load_lesson("lesson.json", kSmallLesson).value;
  const Ask ask{"direction", 0, nullptr};
  CHECK(write_reveal(reveal(lesson, ask).value()) ==
        R"({"answers":["A","up"],"solution":[{"type":"paragraph","spans":[)"
        R"({"type":"text","text":"It is "},{"type":"value","text":"A"},)"
        R"({"type":"text","text":"."}]}],"mistakes":[)"
        R"({"id":"down","answer":"B","say":"Not down by 3."},)"
        R"({"id":"aside","answer":"C","say":"Not aside."}]})");
  CHECK(write_hints(hints(lesson, ask).value()) ==
        R"({"hints":[[{"type":"paragraph","spans":[{"type":"text","text":"Look."}]}]]})");
  const std::vector<FileFault> faults = {
      {"unknown_key", "a.json", {3, 7}, "/x", "no key \"x\" belongs here", "y"}};
  CHECK(write_faults(faults) ==
        R"({"faults":[{"code":"unknown_key","path":"a.json","line":3,"column":7,"pointer":"/x",)"
        R"("message":"no key \"x\" belongs here","suggestion":"y"}]})");
}

TEST_CASE("lists and emphasis keep their structure") {
  const Prose prose = {{true, {{{SpanKind::emphasis, "", {{SpanKind::code, "a", {}}}}}, {}}}};
  CHECK(write_prose(prose) == R"([{"type":"list","items":[[{"type":"emphasis","spans":[)"
                              R"({"type":"code","text":"a"}]}],[]]}])");
}

TEST_CASE("the written lesson has every part of its page and no key") {
  const Lesson lesson = shipped_lesson();
  const std::string text = write_lesson(lesson, nullptr).value();
  const auto json = nlohmann::json::parse(text);
  for (const char* part :
       {"title", "subject", "audience", "attribution", "skills", "outcomes", "predict", "idea",
        "demonstrations", "experiments", "functions", "questions", "parts", "check"}) {
    CAPTURE(part);
    CHECK(json.contains(part));
  }
  CHECK(json["demonstrations"][0]["devices"]["values"] ==
        nlohmann::json({1.0, 2.0, 4.0, 8.0, 16.0}));
  CHECK(json["demonstrations"][1]["schedule"] == "one_f_one_b");
  CHECK(json["functions"][4]["formula"] == "(stages − 1) / (microbatches + stages − 1)");
  for (const Question& question : lesson.questions) {
    const Reveal revealed = reveal(lesson, {question.id, 0, nullptr}).value();
    for (const RevealedMistake& mistake : revealed.mistakes) {
      CHECK(text.find(mistake.say) == std::string::npos);
    }
  }
  CHECK(text.find("canonical") == std::string::npos);
}

TEST_CASE("the written chapter works its values out") {
  const Chapter chapter = *load_chapter(kChapterPath, file_bytes(kChapterPath)).value;
  const std::string text = write_chapter(chapter, find_locale("en")).value();
  CHECK(text.find("600,000,000,000,000") != std::string::npos);
  CHECK(text.find("390,625") != std::string::npos);
  const auto json = nlohmann::json::parse(text);
  CHECK(json["reference_code"]["lines"].size() == 5);
  CHECK(json["notation"].size() == 11);
}
