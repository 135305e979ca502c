#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lesson/ask.h"
#include "support/exercises.h"

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("the source's own numbers: right answers, and each wrong one its own message") {
  const Lesson lesson = shipped_lesson();
  const auto verdict = [&](const char* question, const char* answer) {
    return grade(lesson, {question, 0, nullptr}, answer).value();
  };
  CHECK(verdict("global-tokens", "256").kind == VerdictKind::correct);
  CHECK(verdict("real-speedup", "6.667").kind == VerdictKind::correct);
  CHECK(verdict("pipeline-bubble", "0.273").kind == VerdictKind::correct);
  const std::vector<std::pair<const char*, const char*>> wrong = {
      {"global-tokens", "64"},      {"global-tokens", "128"},     {"global-tokens", "32"},
      {"global-tokens", "16"},      {"real-speedup", "8"},        {"real-speedup", "10"},
      {"real-speedup", "0.15"},     {"pipeline-bubble", "0.375"}, {"pipeline-bubble", "0.727"},
      {"pipeline-bubble", "0.272"}, {"pipeline-bubble", "27.3"}};
  std::vector<std::string> messages;
  for (const auto& [question, answer] : wrong) {
    CAPTURE(question, answer);
    const Verdict one = verdict(question, answer);
    CHECK(one.kind == VerdictKind::incorrect);
    CHECK_FALSE(one.message.empty());
    CHECK(std::find(messages.begin(), messages.end(), one.message) == messages.end());
    messages.push_back(one.message);
  }
  CHECK(code_text(verdict("pipeline-bubble", "0.272")) == "rounded_not_cut");
  CHECK(code_text(verdict("global-tokens", "32")) == "mistake:missing-factor");
}

TEST_CASE("a shared value under the source's numbers needs a message for both") {
  // a = 80, b = 12: a / 8 and b - 2 are both 10.
  const std::string clashing = replaced(kNumberQuestion, R"({"id": "halved", "value": "half / b")",
                                        R"({"id": "ten", "value": "b - 2", "say": "Ten."},
                  {"id": "halved", "value": "a / 8")");
  CHECK(faults_in(lesson_with(clashing)) == std::vector<std::string>{"same_answer /questions/0"});
  const std::string shared = replaced(clashing, R"("hints")", R"("shared_mistakes": [{"id": "both",
               "of": ["ten", "halved"], "say": "{value} is two slips."}], "hints")");
  CHECK(faults_in(lesson_with(shared)).empty());
  const Lesson lesson = *load_lesson("lesson.json", lesson_with(shared)).value;
  const Verdict verdict = grade(lesson, {"quotient", 0, nullptr}, "10").value();
  CHECK(code_text(verdict) == "mistake:both");
  CHECK(verdict.message == "10 is two slips.");
}

TEST_CASE("the view of a number question says how to type it and nothing of the key") {
  const Lesson lesson = *load_lesson("lesson.json", kSmallLesson).value;
  const QuestionView shown = view(lesson, {"quotient", 0, nullptr}).value();
  CHECK(plain_text(shown.prompt) == "What is 80 / 12?");
  CHECK(shown.suffix == "(3 decimals)");
  CHECK(shown.hints == 1);
  CHECK(shown.options.empty());
}

TEST_CASE("a mistake speaks with its value as the locale writes it, without a unit") {
  const Lesson lesson = shipped_lesson();
  const Verdict german = grade(lesson, {"pipeline-bubble", 0, find_locale("de")}, "0,375").value();
  CHECK(german.mistake == "of-the-work");
  CHECK(german.message.starts_with("0,375 is "));
  const Verdict tokens = grade(lesson, {"global-tokens", 0, nullptr}, "64 tokens").value();
  CHECK(tokens.message.starts_with("64 is what one device adds"));
}
