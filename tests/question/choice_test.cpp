#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "lesson/ask.h"
#include "lesson/variant.h"
#include "support/exercises.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

Lesson small_lesson() {
  return *load_lesson("lesson.json", kSmallLesson).value;
}

std::string code_of(const Lesson& lesson, std::uint32_t seed, const std::string& answer) {
  const Result<Verdict> verdict = grade(lesson, {"direction", seed, nullptr}, answer);
  REQUIRE(verdict.ok());
  return code_text(verdict.value());
}

}  // namespace

TEST_CASE("a choice is graded by the option's id, however it is typed") {
  const Lesson lesson = small_lesson();
  for (const char* answer : {"up", " up ", "UP", "(up)", "up."}) {
    CAPTURE(answer);
    CHECK(code_of(lesson, 5, answer) == "correct");
  }
  CHECK(code_of(lesson, 5, "down") == "mistake:down");
}

TEST_CASE("a wrong option is answered with its own message, with the variant's numbers") {
  const Lesson lesson = small_lesson();
  const Verdict verdict = grade(lesson, {"direction", 0, nullptr}, "down").value();
  CHECK(verdict.kind == VerdictKind::incorrect);
  CHECK(verdict.message == "Not down by 3.");
  CHECK(verdict.understood == "B: Down by 3.");
  CHECK(verdict.credit.is_zero());
}

TEST_CASE("nothing chosen and an option that is not there cost nothing and say what to do") {
  const Lesson lesson = small_lesson();
  for (const char* answer : {"", "  ", "()", "."}) {
    CAPTURE(answer);
    CHECK(code_of(lesson, 0, answer) == "blank");
  }
  for (const char* answer : {"D", "upp", "up down", "1", "\xFF", "option"}) {
    CAPTURE(answer);
    const Verdict verdict = grade(lesson, {"direction", 0, nullptr}, answer).value();
    CHECK(verdict.kind == VerdictKind::invalid);
    CHECK(code_text(verdict) == "unknown_option");
    CHECK(verdict.message == "Choose one of the options A to C.");
  }
}

TEST_CASE("options stand in the file's order under seed 0 and in a drawn one under every other") {
  const Lesson lesson = small_lesson();
  std::set<std::string> orders;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const QuestionView shown = view(lesson, {"direction", seed, nullptr}).value();
    std::string order;
    for (const OptionView& option : shown.options) order += option.id + " ";
    const QuestionView again = view(lesson, {"direction", seed, nullptr}).value();
    std::string order_again;
    for (const OptionView& option : again.options) order_again += option.id + " ";
    REQUIRE(order == order_again);
    if (seed == 0) CHECK(order == "up down aside ");
    orders.insert(order);
  }
  CHECK(orders.size() == 6);  // 3! orders, each met in 200 draws
}

TEST_CASE("the letter of an option is its place in the variant's order") {
  const Lesson lesson = small_lesson();
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    for (const OptionView& option : view(lesson, {"direction", seed, nullptr}).value().options) {
      REQUIRE(code_of(lesson, seed, option.label) == code_of(lesson, seed, option.id));
    }
  }
}

TEST_CASE("the reveal of a choice names its letter and its id, and says what is wrong elsewhere") {
  const Lesson lesson = small_lesson();
  const Reveal revealed = reveal(lesson, {"direction", 0, nullptr}).value();
  CHECK(revealed.answers == std::vector<std::string>{"A", "up"});
  CHECK(plain_text(revealed.solution) == "It is A.");
  REQUIRE(revealed.mistakes.size() == 2);
  CHECK(revealed.mistakes[0].answer == "B");
  CHECK(revealed.mistakes[0].say == "Not down by 3.");
}
