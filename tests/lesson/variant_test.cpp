#include "lesson/variant.h"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "core/hash.h"
#include "lesson/ask.h"
#include "support/exercises.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

Question number_question(const std::string& question = kNumberQuestion,
                         const std::string& id = "quotient") {
  return load_lesson("lesson.json", lesson_with(question, id)).value->questions[0];
}

}  // namespace

TEST_CASE("seed 0 has the source's own numbers") {
  for (const Question& question : shipped_lesson().questions) {
    CAPTURE(question.id);
    const Result<Variant> variant = draw(question, 0);
    REQUIRE(variant.ok());
    for (const auto& [name, value] : question.canonical) {
      CHECK(*variant.value().values.find(name) == value);
    }
  }
}

TEST_CASE("a variant is a pure function of the question's id and the seed") {
  const Question question = number_question();
  const Question renamed = number_question(replaced(kNumberQuestion, "quotient", "ratio"), "ratio");
  int same = 0;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const Variant one = draw(question, seed).value();
    const Variant again = draw(question, seed).value();
    const Variant other = draw(renamed, seed).value();
    REQUIRE(*one.values.find("a") == *again.values.find("a"));
    REQUIRE(*one.values.find("b") == *again.values.find("b"));
    REQUIRE(*one.values.find("half") == *one.values.find("a") / Rational(2));
    if (*one.values.find("a") == *other.values.find("a") &&
        *one.values.find("b") == *other.values.find("b")) {
      ++same;
    }
  }
  CHECK(same < 60);  // 15 combinations: by chance one in 15, about 20
}

TEST_CASE("every value of a parameter is drawn sooner or later, its range's ends included") {
  const Question question = number_question();
  std::set<std::string> met;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    const Variant variant = draw(question, seed).value();
    met.insert("a" + shortest_text(*variant.values.find("a")));
    met.insert("b" + shortest_text(*variant.values.find("b")));
  }
  CHECK(met == std::set<std::string>{"a60", "a80", "a100", "b7", "b10", "b13", "b16", "b19"});
}

TEST_CASE("draws that break a condition are drawn again") {
  const Question question =
      number_question(replaced(kNumberQuestion, R"("a > b")", R"("a / b < 8", "b != 10")"));
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const Variant variant = draw(question, seed).value();
    const Rational b = *variant.values.find("b");
    REQUIRE(*variant.values.find("a") / b < Rational(8));
    REQUIRE(b != Rational(10));
  }
}

TEST_CASE("conditions that no numbers meet end in an error that names them") {
  const std::string text = replaced(kNumberQuestion, R"("a > b")", R"("a < 200", "b * 2 < 14")");
  const Question question = number_question(text);
  const Result<Variant> variant = draw(question, 1);
  REQUIRE_FALSE(variant.ok());
  CHECK(variant.error().code == "no_variant");
  CHECK(variant.error().where == "/questions/0/require/1");
  CHECK(variant.error().message ==
        "no fit numbers in 100 draws; in 100 of them the condition b * 2 < 14 is false");
}

TEST_CASE("a condition may exclude the numbers for which a given value does not exist") {
  const std::string guarded = replaced(replaced(kNumberQuestion, R"("half": "a / 2")",
                                                R"x("half": "a / 2", "gap": "1 / (b - 10)")x"),
                                       R"("a > b")", R"("b != 10")");
  const Question question = number_question(guarded);
  for (std::uint32_t seed = 1; seed <= 100; ++seed) REQUIRE(draw(question, seed).ok());
  const Question open = number_question(replaced(guarded, R"("b != 10")", R"("a > b")"));
  int broken = 0;
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    const Result<Variant> variant = draw(open, seed);
    if (variant.ok()) continue;
    ++broken;
    CHECK(variant.error().code == "division_by_zero");
    CHECK(variant.error().where == "/questions/0/given/gap");
  }
  CHECK(broken > 0);
}

TEST_CASE("numbers under which two mistakes look alike are never drawn") {
  // a = 80, b = 10: b / a = 0.125 = a - 79.875.
  const Question question = number_question(
      replaced(kNumberQuestion, R"("value": "half / b")", R"("value": "a - 79.875")"));
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const Variant variant = draw(question, seed).value();
    const bool alike =
        *variant.values.find("a") == Rational(80) && *variant.values.find("b") == Rational(10);
    REQUIRE_FALSE(alike);
  }
}

TEST_CASE("the numbers of a seed, the order of options and the key never change") {
  // Progress and printed sheets hold seeds: if this hash differs, they would ask something else.
  const Lesson lesson = *load_lesson("lesson.json", kSmallLesson).value;
  std::string drawn;
  for (const Question& question : lesson.questions) {
    for (std::uint32_t seed = 0; seed < 1000; ++seed) {
      const Variant variant = draw(question, seed).value();
      for (const std::string_view name : variant.values.names()) {
        drawn += std::string(name) + "=" + fraction_text(*variant.values.find(name)) + " ";
      }
      for (const OptionView& option : view(question, variant, nullptr).value().options) {
        drawn += option.id + " ";
      }
      drawn += reveal(question, variant, nullptr).value().answers[0] + "\n";
    }
  }
  CHECK(drawn.starts_with("a=80 b=12 half=40 6.667\n"));
  CHECK(hex16(fnv1a(std::as_bytes(std::span(drawn)))) == "e762192b7b1d9a9e");
}
