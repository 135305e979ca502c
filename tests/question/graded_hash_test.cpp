#include "question/graded_hash.h"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>
#include <utility>

#include "support/exercises.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Of the first question of a small lesson in which `from` was replaced by `to`.
std::uint64_t hash_with(const std::string& question, std::string_view from, std::string_view to) {
  CAPTURE(from, to);
  const std::string changed = replaced(question, from, to);
  REQUIRE((from.empty() || changed != question));
  const Loaded<Lesson> lesson = load_lesson("lesson.json", lesson_with(changed, "asked"));
  REQUIRE(lesson.value.has_value());
  return lesson.value->questions.front().graded_hash;
}

std::string asked(const std::string& question, std::string_view id) {
  return replaced(question, "\"id\": \"" + std::string(id) + "\"", "\"id\": \"asked\"");
}

}  // namespace

TEST_CASE("whatever grading depends on changes the hash, each time to another one") {
  const std::string number = asked(kNumberQuestion, "quotient");
  const std::string choice = asked(kChoiceQuestion, "direction");
  std::set<std::uint64_t> hashes = {hash_with(number, "", ""), hash_with(choice, "", "")};
  CHECK(hashes.size() == 2);
  using Change = std::pair<std::string_view, std::string_view>;
  for (const auto& [from, to] : {
           Change{R"("key": "a / b")", R"("key": "a / b + 0")"},
           Change{R"("decimals": 3)", R"("decimals": 4)"},
           Change{R"("decimals": 3)", R"("figures": 3)"},
           Change{R"("value": "b / a")", R"("value": "b / a / 2")"},
           Change{R"("id": "inverted")", R"("id": "upended")"},
           Change{R"("choose": [60, 80, 100])", R"("choose": [60, 80, 120])"},
           Change{R"("step": 3)", R"("step": 1)"},
           Change{R"("a > b")", R"("a >= b")"},
           Change{R"("half": "a / 2")", R"("half": "a / 2.0")"},
           Change{R"("a": 80)", R"("a": 100)"},
           Change{R"("revision": 1)", R"("revision": 2)"},
       }) {
    CHECK(hashes.insert(hash_with(number, from, to)).second);
  }
  CHECK(hashes
            .insert(hash_with(choice, R"("text": "Up by {n}.", "key": true},
              {"id": "down", "text": "Down by {n}.", "say": "Not down by {n}."})",
                              R"("text": "Up by {n}.", "say": "Not up by {n}."},
              {"id": "down", "text": "Down by {n}.", "key": true})"))
            .second);
}

TEST_CASE("words, blanks, examples and the order of keys do not change the hash") {
  const std::string number = asked(kNumberQuestion, "quotient");
  const std::uint64_t hash = hash_with(number, "", "");
  using Change = std::pair<std::string_view, std::string_view>;
  for (const auto& [from, to] : {
           Change{"What is {a} / {b}?", "How much is {a} by {b}?"},
           Change{"{value} is upside down.", "{value} stands on its head."},
           Change{"\"Divide.\"", "\"Share.\""},
           Change{"{a} / {b} = {key}.", "It is {key}."},
           Change{R"("6.667": "correct", )", R"("6.6667": "correct", )"},
           Change{R"("rule": {"decimals": 3})", R"("rule" :  { "decimals" : 3 })"},
           Change{R"("a": 80, "b": 12)", R"("b": 12, "a": 80)"},
       }) {
    CHECK(hash_with(number, from, to) == hash);
  }
}
