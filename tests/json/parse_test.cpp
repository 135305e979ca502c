#include "json/parse.h"

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <vector>

#include "document/limits.h"

using namespace lockstep;

namespace {

/// "code line:column pointer" of each fault.
std::vector<std::string> faults_of(const std::string& json) {
  const FileText text(json);
  FileFaults faults("x.json", text);
  parse_json(faults);
  std::vector<std::string> list;
  for (const FileFault& fault : faults.sorted()) {
    list.push_back(fault.code + " " + std::to_string(fault.place.line) + ":" +
                   std::to_string(fault.place.column) + " " + fault.pointer);
  }
  return list;
}

using Faults = std::vector<std::string>;

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace

TEST_CASE("every value knows where it stands") {
  const std::string json = "{\"a\" : [1, -2.50e3 ,true],\n  \"b\": {\"ç\":\"x\\n\"}, \"c\": null}";
  const FileText text(json);
  FileFaults faults("x.json", text);
  const std::optional<FileValue> root = parse_json(faults);
  REQUIRE(root);
  CHECK(faults.size() == 1);  // the line end inside a text is a control character
  const FileNode node{&*root, ""};
  const auto place = [&](const FileNode& at) { return text.place(at.value->offset); };
  CHECK(place(node) == Place{1, 1});
  CHECK(place(node["a"]) == Place{1, 8});
  CHECK(place(node["a"].item(0)) == Place{1, 9});
  CHECK(place(node["a"].item(1)) == Place{1, 12});
  CHECK(node["a"].item(1).value->text == "-2.50e3");
  CHECK(place(node["a"].item(2)) == Place{1, 21});
  CHECK(node["a"].item(2).value->flag);
  CHECK(place(node["b"]) == Place{2, 8});
  CHECK(text.place(node["b"].value->keys[0].offset) == Place{2, 9});
  CHECK(place(node["b"]["ç"]) == Place{2, 13});
  CHECK(node["b"]["ç"].pointer == "/b/ç");
  CHECK(place(node["c"]) == Place{2, 26});
  CHECK_FALSE(node["d"]);
}

TEST_CASE("a key given twice is refused with both places") {
  const FileText text("{\"answer\": 1,\n \"answer\": 2}");
  FileFaults faults("x.json", text);
  parse_json(faults);
  const std::vector<FileFault> list = faults.sorted();
  REQUIRE(list.size() == 1);
  CHECK(list[0].code == "duplicate_key");
  CHECK(list[0].place == Place{2, 2});
  CHECK(list[0].pointer == "/answer");
  CHECK(list[0].message.find("line 1, column 2") != std::string::npos);
}

TEST_CASE("text that is no JSON is refused where it goes wrong") {
  CHECK(faults_of("") == Faults{"not_json 1:1 "});
  CHECK(faults_of("{\"a\": 1,}") == Faults{"not_json 1:9 "});
  CHECK(faults_of("{\"a\" 1}") == Faults{"not_json 1:6 "});
  CHECK(faults_of("[1 2]") == Faults{"not_json 1:4 "});
  CHECK(faults_of("{\"a\": [1, {\"b\": tru}]}") == Faults{"not_json 1:20 /a/1"});
  CHECK(faults_of("{} {}") == Faults{"not_json 1:4 "});
  CHECK(faults_of("{\"a\": 'b'}") == Faults{"not_json 1:7 "});
  CHECK(faults_of("{\n// note\n}") == Faults{"not_json 2:1 "});
  CHECK(faults_of("[\"a\\q\"]") == Faults{"not_json 1:5 "});
  CHECK(faults_of("{\"a\": {") == Faults{"not_json 1:8 /a"});
}

TEST_CASE("numbers that JSON does not have are refused") {
  for (const std::string number :
       {"NaN", "Infinity", "-Infinity", "01", "+1", "0x10", ".5", "1."}) {
    CAPTURE(number);
    const Faults faults = faults_of("{\"a\": " + number + "}");
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].starts_with("not_json 1:"));
  }
  CHECK(faults_of("{\"a\": 1e400}") == Faults{"bad_number 1:7 "});
  CHECK(faults_of("{\"a\": -1e400}") == Faults{"bad_number 1:7 "});
}

TEST_CASE("bytes that are not UTF-8 are refused at their place") {
  for (const std::string bytes : {"\xFF", "\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80"}) {
    const Faults faults = faults_of("{\"a\": \"" + bytes + "\"}");
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].starts_with("not_json 1:"));
  }
  CHECK(faults_of(R"(["\ud800"])").size() == 1);
  CHECK(faults_of(R"(["\udc00\ud800"])").size() == 1);
}

TEST_CASE("control characters and marks that reorder or hide text are refused") {
  CHECK(faults_of(R"({"a": "xy\u0000"})") == Faults{"forbidden_character 1:10 /a"});
  CHECK(faults_of(R"({"a": ["b", "\u202e"]})") == Faults{"forbidden_character 1:14 /a/1"});
  CHECK(faults_of("{\"a\": \"x\xE2\x80\x8B\"}") == Faults{"forbidden_character 1:9 /a"});
  CHECK(faults_of("{\"\xE2\x81\xA6k\": 1}") == Faults{"forbidden_character 1:3 /\xE2\x81\xA6k"});
  CHECK(faults_of("{\"a\": \"x\ny\"}").size() == 1);
}

TEST_CASE("reserved names of JavaScript are refused as keys at every depth") {
  for (const std::string name : {"__proto__", "constructor", "prototype"}) {
    const std::string key = "{\"" + name + "\": 1}";
    CHECK(faults_of(key) == Faults{"forbidden_key 1:2 /" + name});
    CHECK(faults_of("{\"a\": [" + key + "]}") == Faults{"forbidden_key 1:9 /a/0/" + name});
  }
}

TEST_CASE("nesting past the limit is refused at the bracket that passes it") {
  const std::size_t limit = kMaxFileDepth;
  CHECK(faults_of(repeated("[", limit) + repeated("]", limit)).empty());
  const std::string place = std::to_string(limit + 1);
  const auto deep = [&](std::size_t levels) { return repeated("[", levels); };
  for (const std::size_t levels : {limit + 1, std::size_t{1000}, std::size_t{1'000'000}}) {
    const Faults faults = faults_of(deep(levels));
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].starts_with("too_deep 1:" + place + " "));
  }
  CHECK(faults_of(repeated("{\"a\":", 1000))[0].starts_with("too_deep 1:"));
}

TEST_CASE("sizes past their limits are refused") {
  CHECK(faults_of(std::string(kMaxFileBytes + 1, ' ')) == Faults{"file_too_large 1:1 "});
  const std::string longest(kMaxTextBytes, 'x');
  CHECK(faults_of("[\"" + longest + "\"]").empty());
  CHECK(faults_of("[1, \"" + longest + "x\"]") == Faults{"text_too_long 1:5 /1"});
  CHECK(faults_of("[" + repeated("1,", kMaxItems - 1) + "1]").empty());
  CHECK(faults_of("[" + repeated("1,", kMaxItems) + "1]") == Faults{"too_many_items 1:1002 "});
  const std::string row = "[" + repeated("1,", kMaxItems - 1) + "1]";
  const std::size_t rows =
      kMaxFileValues / kMaxItems;  // each with a value of its own: one too many
  const Faults faults = faults_of("[" + repeated(row + ",", rows) + row + "]");
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].starts_with("too_many_values "));
}
