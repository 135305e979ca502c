#include "lesson/ask.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "json/lesson_json.h"
#include "lesson/variant.h"
#include "question/table.h"
#include "support/exercises.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// No locale, and every one there is.
std::vector<const Locale*> all_locales() {
  std::vector<const Locale*> list = {nullptr};
  for (const Locale& locale : locales()) list.push_back(&locale);
  return list;
}

}  // namespace

TEST_CASE("whatever is revealed grades correct: every question, 1,000 seeds, every locale") {
  for (const Question& question : shipped_lesson().questions) {
    for (std::uint32_t seed = 0; seed < 1000; ++seed) {
      const Variant variant = draw(question, seed).value();
      for (const Locale* locale : all_locales()) {
        CAPTURE(question.id, seed, locale ? locale->id : "none");
        const Reveal revealed = reveal(question, variant, locale).value();
        REQUIRE_FALSE(revealed.answers.empty());
        for (const std::string& answer : revealed.answers) {
          CAPTURE(answer);
          const Verdict verdict = grade(question, variant, answer, locale);
          REQUIRE(verdict.kind == VerdictKind::correct);
          REQUIRE(verdict.credit == Rational(1));
        }
      }
    }
  }
}

TEST_CASE("every foreseen mistake gets its own message: every question, 1,000 seeds") {
  for (const Question& question : shipped_lesson().questions) {
    for (std::uint32_t seed = 0; seed < 1000; ++seed) {
      const Variant variant = draw(question, seed).value();
      const Locale* locale = all_locales()[seed % all_locales().size()];
      const Reveal revealed = reveal(question, variant, locale).value();
      std::vector<std::string> messages;
      for (const RevealedMistake& mistake : revealed.mistakes) {
        CAPTURE(question.id, seed, mistake.answer);
        const Verdict verdict = grade(question, variant, mistake.answer, locale);
        REQUIRE(code_text(verdict) == "mistake:" + mistake.id);
        REQUIRE(verdict.message == mistake.say);
        REQUIRE(std::find(messages.begin(), messages.end(), mistake.say) == messages.end());
        messages.push_back(mistake.say);
      }
      REQUIRE(messages.size() >= 2);
    }
  }
}

TEST_CASE("every type makes its own right, wrong and unreadable answers") {
  const Lesson lesson = *load_lesson("lesson.json", kSmallLesson).value;
  for (const QuestionType& type : question_types()) {
    CAPTURE(type.name);
    bool asked = false;
    for (const Question& question : lesson.questions) {
      if (question.type != &type) continue;
      asked = true;
      const Variant variant = draw(question, 3).value();
      int right = 0, wrong = 0, unreadable = 0;
      for (const SampleAnswer& sample : type.samples(question, variant, nullptr).value()) {
        const Verdict verdict = grade(question, variant, sample.answer, nullptr);
        CHECK(meets(verdict, sample.verdict));
        right += verdict.kind == VerdictKind::correct ? 1 : 0;
        wrong += verdict.kind == VerdictKind::incorrect ? 1 : 0;
        unreadable += verdict.kind == VerdictKind::invalid ? 1 : 0;
      }
      CHECK(right >= 1);
      CHECK(wrong >= 2);
      CHECK(unreadable >= 2);
    }
    CHECK(asked);
  }
}

TEST_CASE("a view never holds a key, a mistake or a line of the solution") {
  for (const Question& question : shipped_lesson().questions) {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
      CAPTURE(question.id, seed);
      const Variant variant = draw(question, seed).value();
      const QuestionView shown = view(question, variant, nullptr).value();
      const std::string text = write_view(shown);
      const Reveal revealed = reveal(question, variant, nullptr).value();
      for (const RevealedMistake& mistake : revealed.mistakes) {
        REQUIRE(text.find(mistake.say) == std::string::npos);
      }
      for (const Block& block : revealed.solution) {
        REQUIRE(text.find(plain_text({block})) == std::string::npos);
      }
      if (question.type->name != "number") continue;  // a choice shows its key among the options
      for (const std::string& answer : revealed.answers) {
        const bool given = plain_text(shown.prompt).find(answer) != std::string::npos;
        REQUIRE((given || text.find('"' + answer + '"') == std::string::npos));
      }
      REQUIRE(text.find("\"key\"") == std::string::npos);
    }
  }
}

TEST_CASE("grading keeps no state: the same answer gets the same verdict after hostile ones") {
  const Lesson lesson = shipped_lesson();
  const Ask ask{"real-speedup", 0, nullptr};
  const std::string before = write_verdict(grade(lesson, ask, "6.67").value());
  for (const std::string& hostile :
       {std::string("\xFF\xFE"), std::string(100'000, '9'), std::string("1e999999999"),
        std::string(5'000, '('), std::string("\0\0", 2), std::string("9^9^9^9")}) {
    CHECK(grade(lesson, ask, hostile).value().kind == VerdictKind::invalid);
    CHECK(write_verdict(grade(lesson, ask, "6.67").value()) == before);
  }
}

TEST_CASE("a question that is not there is an error with the nearest id") {
  const Result<Verdict> verdict = grade(shipped_lesson(), {"real-speedupp", 0, nullptr}, "1");
  REQUIRE_FALSE(verdict.ok());
  CHECK(verdict.error().code == "unknown_question");
  CHECK(verdict.error().message.find("real-speedup\"?") != std::string::npos);
}

TEST_CASE("hints come in steps, with the variant's numbers and without the key") {
  const Lesson lesson = shipped_lesson();
  for (const Question& question : lesson.questions) {
    CAPTURE(question.id);
    const std::vector<Prose> steps = hints(lesson, {question.id, 0, nullptr}).value();
    CHECK(steps.size() == 3);
    if (question.type->name != "number") continue;
    const Reveal revealed = reveal(lesson, {question.id, 0, nullptr}).value();
    for (const Prose& step : steps) {
      CHECK(plain_text(step).find(revealed.answers[0]) == std::string::npos);
    }
  }
}
