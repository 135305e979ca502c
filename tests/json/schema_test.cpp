// The schema for editors and the reader's tables of keys say the same.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "lesson/keys.h"
#include "support/exercises.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Json = nlohmann::json;

Json read_schema(const std::string& name) {
  return Json::parse(file_bytes(LOCKSTEP_EXERCISES "/schema/" + name + ".schema.json"));
}

Json reference(std::string_view name) {
  return {{"$ref", "#/$defs/" + std::string(name)}};
}

/// The value with how many items it may have; kMaxItems holds for every list and is not repeated.
Json counted(const KeyRow& row, const std::string& what, Json value) {
  value["min" + what] = row.items_least;
  if (row.items_most < kMaxItems) value["max" + what] = row.items_most;
  return value;
}

/// What the schema has to say of a value of this form, descriptions and examples aside.
Json expected_value(const KeyRow& row, Form form) {
  switch (form) {
    case Form::text:
      return {{"type", "string"}, {"minLength", 1}};
    case Form::line:
      return {{"type", "string"}};
    case Form::url:
      return {{"type", "string"}, {"pattern", "^https://"}};
    case Form::id:
      return reference("id");
    case Form::symbol:
      return reference("symbol");
    case Form::prose:
      return reference("prose");
    case Form::formula:
      return reference("formula");
    case Form::number:
      return {{"type", "number"}};
    case Form::integer:
      return {{"type", "integer"}, {"minimum", row.least}, {"maximum", row.most}};
    case Form::flag:
      return {{"type", "boolean"}};
    case Form::object:
      return reference(row.table->name);
    case Form::list:
      return counted(row, "Items", {{"type", "array"}, {"items", expected_value(row, row.item)}});
    case Form::map:
      return counted(row, "Properties",
                     {{"type", "object"},
                      {"propertyNames", reference("symbol")},
                      {"additionalProperties", expected_value(row, row.item)}});
    case Form::answers:
      return counted(
          row, "Properties",
          {{"type", "object"}, {"additionalProperties", expected_value(row, Form::text)}});
  }
  return nullptr;
}

/// Compares tables and definitions, from one table down.
class Comparison {
 public:
  explicit Comparison(const Json& schema) : schema_(schema) {}

  void compare(const KeyTable& table, const Json& definition) {
    CAPTURE(table.name);
    if (!met_.insert(std::string(table.name)).second) return;
    CHECK(definition["type"] == "object");
    CHECK(definition["description"].is_string());
    compare_keys(table, definition);
    for (const KeyRow& row : table.rows) {
      CAPTURE(row.name);
      compare_property(table, row, definition["properties"][std::string(row.name)]);
      if (row.table) follow(*row.table);
    }
    compare_cases(table, definition);
  }

  const std::set<std::string>& met() const { return met_; }

 private:
  void follow(const KeyTable& table) {
    const std::string name(table.name);
    REQUIRE(schema_["$defs"].contains(name));
    compare(table, schema_["$defs"][name]);
  }

  static void compare_keys(const KeyTable& table, const Json& definition) {
    std::set<std::string> keys, needed, in_schema;
    for (const KeyRow& row : table.rows) {
      keys.emplace(row.name);
      if (row.need == Need::required) needed.emplace(row.name);
    }
    for (const auto& [key, value] : definition["properties"].items()) in_schema.insert(key);
    CHECK(in_schema == keys);
    const Json required = definition.value("required", Json::array());
    CHECK(std::set<std::string>(required.begin(), required.end()) == needed);
  }

  static void compare_property(const KeyTable& table, const KeyRow& row, Json property) {
    CHECK(property["description"].is_string());
    CHECK(property["examples"].size() >= 1);
    property.erase("description");
    property.erase("examples");
    if (row.name == table.selector) {
      Json names = Json::array();
      for (const KeyCase& one : table.cases) names.push_back(one.name);
      CHECK(property == Json{{"type", "string"}, {"enum", names}});
    } else {
      CHECK(property == expected_value(row, row.form));
    }
  }

  void compare_cases(const KeyTable& table, const Json& definition) {
    if (table.cases.empty()) return;
    const std::string selector(table.selector);
    CHECK(definition["unevaluatedProperties"] == false);
    Json cases = Json::array();
    for (const KeyCase& one : table.cases) {
      cases.push_back({{"if",
                        {{"properties", {{selector, {{"const", one.name}}}}},
                         {"required", Json::array({selector})}}},
                       {"then", reference(one.table->name)}});
      cases_.emplace(one.table->name);
      follow(*one.table);
    }
    CHECK(definition["allOf"] == cases);
  }

  const Json& schema_;
  std::set<std::string> met_;
  std::set<std::string> cases_;
};

void compare_file(const KeyTable& table, const std::string& name,
                  const std::set<std::string>& primitives) {
  const Json schema = read_schema(name);
  CHECK(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema");
  Comparison comparison(schema);
  comparison.compare(table, schema);
  std::set<std::string> definitions;
  for (const auto& [key, value] : schema["$defs"].items()) definitions.insert(key);
  std::set<std::string> expected = comparison.met();
  expected.erase(std::string(table.name));
  expected.insert(primitives.begin(), primitives.end());
  CHECK(definitions == expected);
}

/// Whether every object in the schema that lists its keys is closed, or one of a closed object's
/// cases.
void check_closed(const Json& schema) {
  std::set<std::string> cases;
  for (const auto& [key, definition] : schema["$defs"].items()) {
    for (const Json& one : definition.value("allOf", Json::array())) {
      cases.insert(one["then"]["$ref"].get<std::string>().substr(8));
    }
  }
  for (const auto& [key, definition] : schema["$defs"].items()) {
    CAPTURE(key);
    if (!definition.contains("properties")) continue;
    const bool closed = definition.value("additionalProperties", true) == false ||
                        definition.value("unevaluatedProperties", true) == false;
    CHECK(closed == !cases.contains(key));
  }
  CHECK(schema["additionalProperties"] == false);
}

}  // namespace

TEST_CASE("every key that the reader of lessons knows is in the schema, and the other way round") {
  compare_file(lesson_keys(), "lesson", {"id", "symbol", "prose", "formula"});
  check_closed(read_schema("lesson"));
}

TEST_CASE("every key that the reader of chapters knows is in the schema, and the other way round") {
  compare_file(chapter_keys(), "chapter", {"id", "prose"});
  check_closed(read_schema("chapter"));
}

TEST_CASE("the README for authors lists every verdict code with its meaning") {
  const std::string readme = file_bytes(LOCKSTEP_EXERCISES "/README.md");
  for (const VerdictCodeRow& row : kVerdictCodes) {
    const std::string line =
        "| `" + std::string(row.name) + "` | " + std::string(row.meaning) + " |\n";
    CAPTURE(line);
    CHECK(readme.find(line) != std::string::npos);
  }
}

TEST_CASE("the number question of the README has no faults") {
  const std::string readme = file_bytes(LOCKSTEP_EXERCISES "/README.md");
  const std::string fence = "```json\n";
  const std::size_t from = readme.find(fence) + fence.size();
  const std::string question = readme.substr(from, readme.find("```", from) - from);
  CHECK(faults_in(lesson_with(question, "share")).empty());
}
