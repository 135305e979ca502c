#include "document/key_table.h"

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <vector>

#include "json/parse.h"

using namespace lockstep;

namespace {

constexpr KeyRow kLeafRows[] = {{.name = "width", .form = Form::integer, .least = 1, .most = 9}};
constexpr KeyTable kLeaf{"leaf", kLeafRows};
constexpr KeyRow kTwigRows[] = {{.name = "length", .form = Form::number}};
constexpr KeyTable kTwig{"twig", kTwigRows};
constexpr KeyCase kCases[] = {{"leaf", &kLeaf}, {"twig", &kTwig}};
constexpr KeyRow kTreeRows[] = {
    {.name = "kind"},
    {.name = "id", .form = Form::id, .need = Need::optional},
    {.name = "says", .form = Form::prose, .need = Need::optional},
    {.name = "leaves",
     .form = Form::list,
     .need = Need::optional,
     .item = Form::object,
     .table = &kLeaf},
    {.name = "sizes", .form = Form::map, .need = Need::optional, .item = Form::number},
    {.name = "answers", .form = Form::answers, .need = Need::optional},
    {.name = "flag", .form = Form::flag, .need = Need::optional},
    {.name = "link", .form = Form::url, .need = Need::optional},
};
constexpr KeyTable kTree{"tree", kTreeRows, "kind", kCases};

/// "code pointer" of each fault, in the order of the file.
std::vector<std::string> faults_of(const std::string& json) {
  const FileText text(json);
  FileFaults faults("tree.json", text);
  const std::optional<FileValue> value = parse_json(faults);
  if (value) check_keys({&*value, ""}, kTree, faults);
  std::vector<std::string> list;
  for (const FileFault& fault : faults.sorted()) list.push_back(fault.code + " " + fault.pointer);
  return list;
}

using Faults = std::vector<std::string>;

}  // namespace

TEST_CASE("an object that follows its table has no faults") {
  CHECK(faults_of(R"({"kind": "leaf", "width": 3, "says": ["a", "- b"], "sizes": {"a_b": 1.5},
                      "leaves": [{"width": 1}], "answers": {"6,667": "x"}, "flag": true,
                      "id": "oak-1", "link": "https://example.org"})")
            .empty());
}

TEST_CASE("every fault of an object is noted, not the first alone") {
  CHECK(faults_of(R"({"kind": "leaf", "width": 0, "sise": 1, "flag": 1, "leaves": [{}, 3]})") ==
        Faults{"out_of_range /width", "unknown_key /sise", "wrong_type /flag",
               "missing_key /leaves/0", "wrong_type /leaves/1"});
}

TEST_CASE("the case that the selector names decides which keys are known and needed") {
  CHECK(faults_of(R"({"kind": "twig", "width": 3})") ==
        Faults{"missing_key ", "unknown_key /width"});
  CHECK(faults_of(R"({"kind": "leave", "width": 3})") ==
        Faults{"unknown_kind /kind", "unknown_key /width"});
}

TEST_CASE("a mistyped key or kind comes with the nearest known one") {
  const FileText text(R"({"kind": "leav", "leafs": []})");
  FileFaults faults("tree.json", text);
  const std::optional<FileValue> value = parse_json(faults);
  check_keys({&*value, ""}, kTree, faults);
  const std::vector<FileFault> list = faults.sorted();
  REQUIRE(list.size() == 2);
  CHECK(list[0].suggestion == "leaf");
  CHECK(list[1].suggestion == "leaves");
  CHECK(to_line(list[1]) ==
        "tree.json:1:18: /leafs: no key \"leafs\" belongs here (did you mean \"leaves\"?) "
        "[unknown_key]");
}

TEST_CASE("empty texts, lists and malformed names are refused at their place") {
  CHECK(faults_of(R"({"kind": ""})") == Faults{"empty_text /kind"});
  CHECK(faults_of(R"({"kind": "leaf", "width": 1, "says": []})") == Faults{"too_few_items /says"});
  CHECK(faults_of(R"({"kind": "leaf", "width": 1, "says": ["a", ""]})") ==
        Faults{"empty_text /says/1"});
  CHECK(faults_of(R"({"kind": "leaf", "width": 1, "leaves": []})") ==
        Faults{"too_few_items /leaves"});
  CHECK(faults_of(R"({"kind": "leaf", "width": 1, "sizes": {"A": 1}})") ==
        Faults{"bad_name /sizes/A"});
  CHECK(faults_of(R"({"kind": "leaf", "width": 1, "link": "javascript:x"})") ==
        Faults{"bad_url /link"});
}

TEST_CASE("an integer is a number without a fraction, however it is spelt") {
  for (const std::string text : {"1.5", "1e0", "1.0", "-1", "10", "99999999999999999999"}) {
    CAPTURE(text);
    CHECK(faults_of("{\"kind\": \"leaf\", \"width\": " + text + "}") ==
          Faults{"out_of_range /width"});
  }
}

TEST_CASE("ids are lower case with hyphens, symbols with underscores, neither a reserved name") {
  for (const char* id : {"a", "real-speedup", "a1", "x-2"}) CHECK(is_id(id));
  for (const char* id :
       {"", "A", "1a", "a_b", "a b", "a-", "-a", "é", "constructor", "prototype"}) {
    CAPTURE(id);
    CHECK_FALSE(is_id(id));
  }
  CHECK(is_id(std::string(64, 'a')));
  CHECK_FALSE(is_id(std::string(65, 'a')));
  CHECK(is_symbol("compute_s"));
  CHECK_FALSE(is_symbol("compute-s"));
  CHECK_FALSE(is_symbol("constructor"));
}

TEST_CASE("past a hundred faults only their number is told") {
  std::string json = R"({"kind": "leaf", "width": 1, "says": [)";
  for (int i = 0; i < 120; ++i) json += i == 0 ? "\"\"" : ", \"\"";
  const Faults faults = faults_of(json + "]}");
  REQUIRE(faults.size() == 101);
  CHECK(faults[99] == "empty_text /says/99");
  CHECK(faults[100] == "too_many_faults ");
}
