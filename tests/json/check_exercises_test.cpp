#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>
#include <vector>

#include "json/load.h"
#include "support/exercises.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Faults = std::vector<std::string>;

/// The small lesson with the first `from` replaced by `to`, and "code pointer" of its faults.
struct Broken {
  const char* from;
  const char* to;
  Faults faults;
};

const std::vector<Broken> kBrokenForms = {
    {R"("format": 1)", R"("format": 2)", {"out_of_range /format"}},
    {R"("format": 1)", R"("format": "1")", {"wrong_type /format"}},
    {R"("format": 1, )", "", {"missing_key "}},
    {R"("id": "small")", R"("id": "Small")", {"bad_id /id", "id_not_folder /id"}},
    {R"("id": "small")", R"("id": "other")", {"id_not_folder /id"}},
    {R"("id": "small")", R"("id": "constructor")", {"bad_id /id", "id_not_folder /id"}},
    {R"("title": "Small")", R"("title": "")", {"empty_text /title"}},
    {R"("title": "Small")", R"("titel": "Small")", {"missing_key ", "unknown_key /titel"}},
    {R"("title": "Small")", R"("title": ["Small"])", {"wrong_type /title"}},
    {R"("title": "Small")", R"("title": null)", {"wrong_type /title"}},
    {R"("licence": "MIT")", R"("licence": true)", {"wrong_type /attribution/licence"}},
    {R"("audience": "Tests")", R"("audience": "Te\u202ests")", {"forbidden_character /audience"}},
    {R"("audience": "Tests",)",
     R"("audience": "a", "audience": "b",)",
     {"duplicate_key /audience"}},
    {R"({"id": "divide", "title": "Divide"})",
     "",
     {"too_few_items /skills", "unknown_skill /questions/0/skill",
      "unknown_skill /questions/1/skill"}},
    {R"({"id": "divide", "title": "Divide"})",
     R"({"id": "divide", "title": "A"}, {"id": "divide", "title": "B"})",
     {"duplicate_id /skills/1/id"}},
    {R"("outcomes": ["Divide."])", R"("outcomes": [])", {"too_few_items /outcomes"}},
    {R"("outcomes": ["Divide."])",
     R"("outcomes": ["*Divide."])",
     {"unclosed_emphasis /outcomes/0"}},
    {R"("predict": {"question": "quotient")",
     R"("predict": {"question": "quotiens")",
     {"unknown_question /predict/question"}},
    {R"("text": "Guess.")", R"("text": ["Guess.", 3])", {"wrong_type /predict/text/1"}},
    {R"("text": "Guess.")", R"("text": "{a}")", {"unknown_name /predict/text"}},
    {R"("title": "Idea",)",
     R"("title": "Idea", "demonstration": "none",)",
     {"unknown_demonstration /idea/0/demonstration"}},
    {R"("questions": ["quotient"])",
     R"("questions": ["quotient", "x"])",
     {"unknown_question /parts/0/questions/1"}},
    {R"("questions": ["quotient"])",
     R"("experiments": ["x"])",
     {"unknown_experiment /parts/0/experiments/0"}},
    {R"("questions": ["quotient"])",
     R"("functions": ["x"])",
     {"unknown_function /parts/0/functions/0"}},
    {R"("kind": "question")", R"("kind": "questions")", {"unknown_kind /worksheet/items/0/kind"}},
    {R"("kind": "question", "question": "quotient")",
     R"("kind": "pipeline_grid", "question": "quotient",
      "text": "{a} {c}", "stages": "a +", "microbatches": "b")",
     {"unknown_name /worksheet/items/0/text", "unexpected_token /worksheet/items/0/stages"}},
};

const std::vector<Broken> kBrokenQuestions = {
    {R"("id": "quotient")",
     R"("id": "direction")",
     {"unknown_question /predict/question", "duplicate_id /questions/1/id",
      "unknown_question /parts/0/questions/0", "unknown_question /check/question",
      "unknown_question /worksheet/items/0/question"}},
    {R"("type": "number")",
     R"("type": "numbre")",
     {"unknown_type /questions/0/type", "unknown_key /questions/0/key",
      "unknown_key /questions/0/rule", "unknown_key /questions/0/mistakes"}},
    {R"("skill": "divide")", R"("skill": "divied")", {"unknown_skill /questions/0/skill"}},
    {R"("revision": 1)", R"("revision": 0)", {"out_of_range /questions/0/revision"}},
    {R"("revision": 1)", R"("revision": 1.5)", {"out_of_range /questions/0/revision"}},
    {R"("canonical": {"a": 80, "b": 12},)",
     "",
     {"missing_number /questions/0", "missing_number /questions/0"}},
    {R"({"a": 80, "b": 12})", R"({"a": 80})", {"missing_number /questions/0/canonical"}},
    {R"({"a": 80, "b": 12})",
     R"({"a": 80, "b": 12, "c": 1})",
     {"unknown_name /questions/0/canonical/c"}},
    {R"({"a": 80, "b": 12})", R"({"a": 80, "b": "12"})", {"wrong_type /questions/0/canonical/b"}},
    {R"({"a": 80, "b": 12})",
     R"({"a": 80, "b": 1e-400})",
     {"out_of_range /questions/0/canonical/b"}},
    {R"({"a": 80, "b": 12})", R"({"a": 8, "b": 12})", {"condition_false /questions/0"}},
    {R"({"choose": [60, 80, 100]})",
     R"({"choose": []})",
     {"too_few_items /questions/0/parameters/a/choose"}},
    {R"({"choose": [60, 80, 100]})",
     R"({"choose": [60, 80, 60]})",
     {"duplicate_value /questions/0/parameters/a/choose/2"}},
    {R"({"choose": [60, 80, 100]})",
     R"({"choose": [60], "step": 2})",
     {"clashing_keys /questions/0/parameters/a"}},
    {R"({"choose": [60, 80, 100]})", "{}", {"missing_key /questions/0/parameters/a"}},
    {R"({"range": [7, 19], "step": 3})",
     R"({"range": [19, 7]})",
     {"bad_range /questions/0/parameters/b/range"}},
    {R"({"range": [7, 19], "step": 3})",
     R"({"range": [7]})",
     {"too_few_items /questions/0/parameters/b/range"}},
    {R"({"range": [7, 19], "step": 3})",
     R"({"range": [7, 19], "step": 0})",
     {"bad_range /questions/0/parameters/b/step"}},
    {R"({"range": [7, 19], "step": 3})",
     R"({"range": [7, 1e9]})",
     {"too_many_values /questions/0/parameters/b/range"}},
    {R"("given": {"half")",
     R"("given": {"a")",
     {"duplicate_name /questions/0/given/a", "unknown_name /questions/0/mistakes/1/value"}},
    {R"("given": {"half": "a / 2"})",
     R"("given": {"half": "a / 2", "key": "1"})",
     {"reserved_name /questions/0/given/key"}},
    {R"("given": {"half": "a / 2"})",
     R"("given": {"half": "later", "later": "a"})",
     {"unknown_name /questions/0/given/half"}},
    {R"("a / 2")", R"("a / ")", {"unexpected_token /questions/0/given/half"}},
    {R"("a / 2")", R"("a / 0")", {"division_by_zero /questions/0"}},
    {R"("a > b")", R"("a")", {"unexpected_token /questions/0/require/0"}},
    {R"("a > b")", R"("a > c")", {"unknown_name /questions/0/require/0"}},
    {R"("a > b")", R"("a == 80")", {}},
    {R"("a > b")", R"("a == 80", "b == 12")", {"too_few_variants /questions/0/parameters"}},
    {R"(What is {a} / {b}?)", R"(What is {a / {b}?)", {"unexpected_character /questions/0/prompt"}},
    {R"(What is {a} / {b}?)", R"(What is {key}?)", {"unknown_name /questions/0/prompt"}},
    {R"("key": "a / b")",
     R"x("key": "a / (b - 13)")x",
     {"division_by_zero /questions/0", "example_differs /questions/0/examples/0/answers/6.667"}},
    {R"("key": "a / b")", R"("key": "b / a")", {"same_answer /questions/0"}},
    {R"("key": "a / b")", R"x("key": "quot(a, b)")x", {"unknown_function /questions/0/key"}},
    {R"("key": "a / b")", R"x("key": "max(a)")x", {"wrong_argument_count /questions/0/key"}},
    {R"("key": "a / b")", R"("key": "9^9^9^9")", {"too_large /questions/0"}},
    {R"("key": "a / b",)", "", {"missing_key /questions/0"}},
    {R"({"decimals": 3})", R"({"decimals": -1})", {"out_of_range /questions/0/rule/decimals"}},
    {R"({"decimals": 3})", R"({"figures": 0})", {"out_of_range /questions/0/rule/figures"}},
    {R"({"decimals": 3})", R"({"decimals": 3, "exact": true})", {"bad_rule /questions/0/rule"}},
    {R"({"decimals": 3})", "{}", {"bad_rule /questions/0/rule"}},
    {R"({"decimals": 3})",
     R"({"tolerance": 1})",
     {"bad_rule /questions/0/rule", "unknown_key /questions/0/rule/tolerance"}},
    {R"({"decimals": 3})",
     R"({"decimals": 3, "units": ["s", "tokens"]})",
     {"bad_unit /questions/0/rule/units"}},
    {R"("id": "inverted")", R"("id": "halved")", {"duplicate_id /questions/0/mistakes/1/id"}},
    {R"("value": "b / a")", R"("value": "a / b")", {"same_answer /questions/0"}},
    {R"({"id": "halved", "value": "half / b", "say": "{value} is half of it."})",
     "{}",
     {"missing_key /questions/0/mistakes/1", "missing_key /questions/0/mistakes/1",
      "missing_key /questions/0/mistakes/1"}},
    {R"(,
               {"id": "halved", "value": "half / b", "say": "{value} is half of it."})",
     "",
     {"too_few_items /questions/0/mistakes"}},
    {R"({value} is upside down.)",
     R"({key} is right.)",
     {"unknown_name /questions/0/mistakes/0/say"}},
    {R"("hints": ["Divide."])",
     R"("shared_mistakes": [{"id": "x", "of": ["y"], "say": "z"}], "hints": ["D"])",
     {"too_few_items /questions/0/shared_mistakes/0/of",
      "unknown_mistake /questions/0/shared_mistakes/0/of/0"}},
    {R"("hints": ["Divide."])",
     R"("hints": ["1", "2", "3", "4"])",
     {"too_many_items /questions/0/hints"}},
    {R"({a} / {b} = {key}.)", R"({a} / {c} = {key}.)", {"unknown_name /questions/0/solution/0"}},
    {R"({a} / {b} = {key}.)", R"({1 / (b - 7)}.)", {"division_by_zero /questions/0"}},
    {R"("6.667": "correct")",
     R"("6.667": "right")",
     {"unknown_verdict /questions/0/examples/0/answers/6.667"}},
    {R"("6.667": "correct")",
     R"("6.66": "correct")",
     {"example_differs /questions/0/examples/0/answers/6.66"}},
    {R"("0.15": "mistake:inverted")",
     R"("0.15": "mistake:halved")",
     {"example_differs /questions/0/examples/0/answers/0.15"}},
    {R"({"answers": {"6.667")",
     R"({"with": {"a": 7, "b": 12}, "answers": {"6.667")",
     {"condition_false /questions/0/examples/0/with"}},
    {R"({"answers": {"6.667")",
     R"({"with": {"a": 7}, "answers": {"6.667")",
     {"missing_number /questions/0/examples/0/with"}},
    {R"({"6.667": "correct", "0.15": "mistake:inverted"})",
     "{}",
     {"too_few_items /questions/0/examples/0/answers"}},
};

const std::vector<Broken> kBrokenChoices = {
    {R"("key": true)",
     R"("key": false)",
     {"bad_key /questions/1/options", "missing_key /questions/1/options/0"}},
    {R"("say": "Not down by {n}.")", R"("key": true)", {"bad_key /questions/1/options"}},
    {R"("key": true)", R"("key": true, "say": "x")", {"clashing_keys /questions/1/options/0/say"}},
    {R"("text": "Down by {n}.")", R"("text": "Up by {n}.")", {"same_answer /questions/1"}},
    {R"("text": "Down by {n}.")", R"("text": "Up by {12 - n}.")", {}},
    {R"("text": "Down by {n}.")", R"("text": "Up by {2 * n}.")", {}},
    {R"("text": "Down by {n}.")",
     R"("text": "Down by {n / (n - 4)}.")",
     {"division_by_zero /questions/1"}},
    {R"("id": "down")", R"("id": "up")", {"duplicate_id /questions/1/options/1/id"}},
    {R"("id": "down")", R"("id": "b")", {"bad_id /questions/1/options/1/id"}},
    {R"(, "say": "Not aside.")", "", {"missing_key /questions/1/options/2"}},
    {R"("Not aside.")", R"("Not `aside.")", {"unclosed_code /questions/1/options/2/say"}},
    {R"("It is {key}.")", R"("It is {key + 1}.")", {"unknown_name /questions/1"}},
    {R"({"up": "correct"})",
     R"({"up": "incorrect"})",
     {"example_differs /questions/1/examples/0/answers/up"}},
};

const std::vector<Broken> kBrokenRuns = {
    {R"("questions")",
     R"("demonstrations": [{"id": "d", "kind": "speedup_slider", "title": "T",
       "text": "T", "single_s": 80, "devices": {"choose": [1, 2.5], "start": 2},
       "communication_s": {"range": [0, 4], "start": 9}}], "questions")",
     {"unknown_start /demonstrations/0/devices/start", "out_of_range /demonstrations/0/devices",
      "unknown_start /demonstrations/0/communication_s/start"}},
    {R"("questions")",
     R"("demonstrations": [{"id": "d", "kind": "pipeline_grid", "title": "T",
       "text": "T", "schedule": "onefoneb", "stages": {"range": [1, 99], "start": 4},
       "microbatches": {"range": [1, 4], "start": 4}}], "questions")",
     {"unknown_schedule /demonstrations/0/schedule", "out_of_range /demonstrations/0/stages"}},
    {R"("questions")",
     R"("demonstrations": [{"id": "d", "kind": "slider"}], "questions")",
     {"missing_key /demonstrations/0", "missing_key /demonstrations/0",
      "unknown_kind /demonstrations/0/kind"}},
    {R"("questions")",
     R"("experiments": [{"id": "e", "kind": "data_parallel_run", "title": "T",
       "text": "T", "devices": 3, "rows": 64}], "questions")",
     {"rows_not_divisible /experiments/0/rows"}},
    {R"("questions")",
     R"("experiments": [{"id": "e", "kind": "data_parallel_run", "title": "T",
       "text": "T", "devices": 17, "rows": 0}], "questions")",
     {"out_of_range /experiments/0/devices", "out_of_range /experiments/0/rows"}},
    {R"("questions")",
     R"("experiments": [{"id": "e", "kind": "pipeline_run", "title": "T",
       "text": "T", "schedule": "gpip", "stages": 4, "microbatches": 8, "seed": -1}], "questions")",
     {"unknown_schedule /experiments/0/schedule", "out_of_range /experiments/0/seed"}},
    {R"("questions")",
     R"("functions": [{"name": "f", "parameters": ["x"], "text": "T",
       "formula": "x + y"}, {"name": "f", "parameters": ["x"], "text": "T"}], "questions")",
     {"unknown_name /functions/0/formula", "duplicate_id /functions/1/name"}},
};

/// The faults that the replacement is to give, and those that it gives; order aside.
void check_broken(const std::vector<Broken>& table) {
  for (const Broken& one : table) {
    CAPTURE(one.from, one.to);
    const std::string text = replaced(kSmallLesson, one.from, one.to);
    REQUIRE(text != kSmallLesson);
    Faults found = faults_in(text);
    Faults expected = one.faults;
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    CHECK(found == expected);
  }
}

}  // namespace

TEST_CASE("the shipped exercises have no faults") {
  for (const FileFault& fault : check_exercises(shipped_files())) FAIL_CHECK(to_line(fault));
}

TEST_CASE("the small lesson of the tests has no faults") {
  CHECK(faults_in(kSmallLesson).empty());
}

TEST_CASE("each broken lesson is refused for its own fault: form") {
  check_broken(kBrokenForms);
}

TEST_CASE("each broken lesson is refused for its own fault: number questions") {
  check_broken(kBrokenQuestions);
}

TEST_CASE("each broken lesson is refused for its own fault: choices") {
  check_broken(kBrokenChoices);
}

TEST_CASE("each broken lesson is refused for its own fault: demonstrations and runs") {
  check_broken(kBrokenRuns);
}

TEST_CASE("all faults of a file are listed at once, in the order of the file") {
  std::string text = kSmallLesson;
  for (const auto& [from, to] : std::vector<std::pair<const char*, const char*>>{
           {R"("title": "Small")", R"("title": "")"},
           {R"("key": "a / b")", R"("key": "a / c")"},
           {R"("text": "Again.")", R"("text": "*Again.")"}}) {
    text = replaced(text, from, to);
  }
  CHECK(faults_in(text) == Faults{"empty_text /title", "unknown_name /questions/0/key",
                                  "unclosed_emphasis /check/text"});
}

TEST_CASE("a fault inside a formula stands at its column of the file") {
  const std::string text = replaced(kSmallLesson, R"("key": "a / b")", R"("key": "a / bb")");
  const std::vector<ExerciseFile> files = {{"small/lesson.json", text}};
  const std::vector<FileFault> faults = check_exercises(files);
  REQUIRE(faults.size() == 1);
  const FileText file(text);
  CHECK(faults[0].place == file.place(text.find("bb\"")));
  CHECK(faults[0].path == "small/lesson.json");
}

TEST_CASE("the chapter that a lesson names has to be among the chapters") {
  std::vector<ExerciseFile> files = shipped_files();
  files[0].bytes = replaced(files[0].bytes, "\"chapter\": \"parallel-training\"",
                            "\"chapter\": \"paralel-training\"");
  const std::vector<FileFault> faults = check_exercises(files);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].code == "unknown_chapter");
  CHECK(faults[0].suggestion == "parallel-training");
  files.pop_back();
  CHECK(check_exercises(files).empty());  // without any chapter there is nothing to compare with
}

TEST_CASE("two lessons may not share the id of a question or a skill") {
  const std::vector<ExerciseFile> files = {
      {"small/lesson.json", kSmallLesson},
      {"other/lesson.json", replaced(kSmallLesson, R"("id": "small")", R"("id": "other")")}};
  Faults found;
  for (const FileFault& fault : check_exercises(files)) {
    found.push_back(fault.path + " " + fault.code + " " + fault.pointer);
  }
  CHECK(found == Faults{"other/lesson.json duplicate_id /skills/0/id",
                        "other/lesson.json duplicate_id /questions/0/id",
                        "other/lesson.json duplicate_id /questions/1/id"});
}

TEST_CASE("a file that is neither a lesson nor a chapter is refused by its name") {
  const std::vector<ExerciseFile> files = {{"small/lesson.jsn", kSmallLesson}};
  const std::vector<FileFault> faults = check_exercises(files);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].code == "unknown_file");
}

TEST_CASE("a broken chapter is refused too") {
  const std::string chapter = file_bytes(kChapterPath);
  const auto codes = [](const std::string& bytes) {
    Faults list;
    const std::vector<ExerciseFile> files = {{"parallel-training/chapter.json", bytes}};
    for (const FileFault& fault : check_exercises(files)) {
      list.push_back(fault.code + " " + fault.pointer);
    }
    return list;
  };
  CHECK(codes(chapter).empty());
  CHECK(codes(replaced(chapter, "optimizer_steps(", "optimiser_steps(")) ==
        Faults{"unknown_function /common_mistakes/2"});
  CHECK(codes(replaced(chapter, "https://", "http://")) == Faults{"bad_url /sources/0/url"});
  CHECK(codes(replaced(chapter, "optimizer_steps(100000000, 256)", "1 / (1 - 1)")) ==
        Faults{"division_by_zero /common_mistakes/2"});
}

TEST_CASE("a question has limits of its own: what is compared in every draw stays small") {
  std::string mistakes, options, conditions;
  for (int i = 0; i < 39; ++i) {
    const std::string n = std::to_string(i);
    mistakes += R"({"id": "m-)" + n + R"(", "value": "a + )" + n + R"(", "say": "x"},)";
    if (i < 18) options += R"({"id": "o-)" + n + R"(", "text": "T)" + n + R"(", "say": "x"},)";
    if (i < 20) conditions += R"("a > )" + n + R"(",)";
  }
  CHECK(faults_in(replaced(kSmallLesson, R"("mistakes": [)", R"("mistakes": [)" + mistakes)) ==
        Faults{"too_many_items /questions/0/mistakes"});
  CHECK(faults_in(replaced(kSmallLesson, R"("options": [)", R"("options": [)" + options)) ==
        Faults{"too_many_items /questions/1/options"});
  CHECK(faults_in(replaced(kSmallLesson, R"("require": [)", R"("require": [)" + conditions)) ==
        Faults{"too_many_items /questions/0/require"});
}
