#include "question/read_question.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "question/graded_hash.h"
#include "question/table.h"
#include "question/verdict.h"

namespace lockstep {
namespace {

constexpr KeyRow kValuesRows[] = {
    {.name = "choose", .form = Form::list, .need = Need::optional, .item = Form::number},
    {.name = "range",
     .form = Form::list,
     .need = Need::optional,
     .item = Form::number,
     .items_least = 2,
     .items_most = 2},
    {.name = "step", .form = Form::number, .need = Need::optional},
};

constexpr KeyRow kExampleRows[] = {
    {.name = "with", .form = Form::map, .need = Need::optional, .item = Form::number},
    {.name = "answers", .form = Form::answers},
};
constexpr KeyTable kExampleKeys{"example", kExampleRows};

/// Past this a revision is a slip of the keyboard.
constexpr std::int64_t kMaxRevision = 10'000;
/// A nudge, the formula, an example.
constexpr std::size_t kMaxHints = 3;
/// Names and conditions of a question: they are worked out anew in each of up to a hundred draws.
constexpr std::size_t kMaxNames = 20;

constexpr KeyRow kQuestionRows[] = {
    {.name = "id", .form = Form::id},
    {.name = "type"},
    {.name = "skill", .form = Form::id},
    {.name = "revision", .form = Form::integer, .least = 1, .most = kMaxRevision},
    {.name = "canonical", .form = Form::map, .need = Need::optional, .item = Form::number},
    {.name = "parameters",
     .form = Form::map,
     .need = Need::optional,
     .item = Form::object,
     .table = &kValuesKeys,
     .items_most = kMaxNames},
    {.name = "given",
     .form = Form::map,
     .need = Need::optional,
     .item = Form::formula,
     .items_most = kMaxNames},
    {.name = "require",
     .form = Form::list,
     .need = Need::optional,
     .item = Form::formula,
     .items_most = kMaxNames},
    {.name = "prompt", .form = Form::prose},
    {.name = "hints", .form = Form::list, .item = Form::prose, .items_most = kMaxHints},
    {.name = "solution", .form = Form::list, .item = Form::prose},
    {.name = "examples", .form = Form::list, .item = Form::object, .table = &kExampleKeys},
};

/// Every value from the first to the last that `step` meets.
std::vector<Rational> values_of_range(const FileNode& node, FileFaults& faults) {
  const FileNode range = node["range"];
  const FileNode step_node = node["step"];
  if (range.size() != 2) return {};
  const std::optional<Rational> first = read_number(range.item(0), faults);
  const std::optional<Rational> last = read_number(range.item(1), faults);
  const std::optional<Rational> step = step_node ? read_number(step_node, faults) : Rational(1);
  if (!first || !last || !step) return {};
  if (*last < *first) {
    faults.add(range, "bad_range", "a range ends at or above its first value");
    return {};
  }
  if (step->sign() <= 0) {
    faults.add(step_node, "bad_range", "a step is above 0");
    return {};
  }
  if ((*last - *first) / *step >= Rational(static_cast<std::int64_t>(kMaxParameterValues))) {
    faults.add(range, "too_many_values",
               "a range has at most " + std::to_string(kMaxParameterValues) + " values");
    return {};
  }
  std::vector<Rational> values;
  for (Rational value = *first; value <= *last; value += *step) values.push_back(value);
  return values;
}

std::vector<Rational> values_of_choice(const FileNode& choose, FileFaults& faults) {
  std::vector<Rational> values;
  for (std::size_t i = 0; i < choose.size(); ++i) {
    const std::optional<Rational> value = read_number(choose.item(i), faults);
    if (!value) continue;
    if (std::find(values.begin(), values.end(), *value) != values.end()) {
      faults.add(choose.item(i), "duplicate_value", "this value stands in the list twice");
    }
    values.push_back(*value);
  }
  return values;
}

std::vector<QuestionParameter> read_parameters(const FileNode& node, FileFaults& faults) {
  std::vector<QuestionParameter> parameters;
  for (std::size_t i = 0; i < node.size(); ++i) {
    parameters.push_back({node.value->keys[i].name, read_values(node.item(i), faults)});
  }
  return parameters;
}

/// Notes parameters without a number in `numbers`, and numbers that no parameter has.
void check_numbers(const FileNode& owner, std::string_view key, const Question& question,
                   FileFaults& faults) {
  const FileNode numbers = owner[key];
  for (const QuestionParameter& parameter : question.parameters) {
    if (numbers && numbers.value->find(parameter.name)) continue;
    faults.add(numbers ? numbers : owner, "missing_number",
               in_quotes(key) + " needs a number for the parameter " + in_quotes(parameter.name));
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string& name = numbers.value->keys[i].name;
    const auto same = [&](const QuestionParameter& parameter) { return parameter.name == name; };
    if (std::none_of(question.parameters.begin(), question.parameters.end(), same)) {
      faults.add(numbers.item(i), "unknown_name", "no parameter is called " + in_quotes(name));
    }
  }
}

/// Names that formulas of this question may mention: its parameters and given values so far.
void add_name(const FileNode& owner, const FileKey& key, Reading& reading) {
  if (key.name == "key" || key.name == "value") {
    reading.faults.add(Spot{key.offset, pointer_to(owner.pointer, key.name)}, "reserved_name",
                       in_quotes(key.name) + " stands for the right answer or a mistake's");
  }
  if (std::find(reading.names.begin(), reading.names.end(), key.name) != reading.names.end()) {
    reading.faults.add(Spot{key.offset, pointer_to(owner.pointer, key.name)}, "duplicate_name",
                       "a parameter is called " + in_quotes(key.name) + " too");
  }
  reading.names.push_back(key.name);
}

void read_given(const FileNode& node, Reading& reading, Question& question) {
  for (std::size_t i = 0; i < node.size(); ++i) {
    const std::optional<Formula> formula = read_formula(node.item(i), reading);
    add_name(node, node.value->keys[i], reading);
    if (formula) question.given.push_back({node.value->keys[i].name, *formula});
  }
}

bool is_verdict(std::string_view text) {
  constexpr std::string_view kMistake = "mistake:";
  const auto named = [text](const VerdictCodeRow& row) { return row.name == text; };
  return text == verdict_kind_name(VerdictKind::invalid) ||
         text == verdict_kind_name(VerdictKind::needs_precision) || text.starts_with(kMistake) ||
         std::any_of(kVerdictCodes.begin(), kVerdictCodes.end(), named);
}

Example read_example(const FileNode& node, const Question& question, FileFaults& faults) {
  Example example;
  if (node["with"]) check_numbers(node, "with", question, faults);
  example.with = read_number_map(node["with"], faults);
  const FileNode answers = node["answers"];
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const FileNode expected = answers.item(i);
    if (!is_verdict(text_of(expected))) {
      faults.add(expected, "unknown_verdict",
                 "a verdict is a kind (correct, incorrect, partial, invalid, needs_precision), a "
                 "code of exercises/README.md or mistake:<id>");
    }
    example.answers.emplace_back(answers.value->keys[i].name, text_of(expected));
  }
  return example;
}

}  // namespace

constexpr KeyTable kValuesKeys{"values", kValuesRows};

const KeyTable& question_keys() {
  static const std::vector<KeyCase> kCases = [] {
    std::vector<KeyCase> cases;
    for (const QuestionType& type : question_types()) cases.push_back({type.name, type.keys});
    return cases;
  }();
  static const KeyTable kKeys{"question", kQuestionRows, "type", kCases};
  return kKeys;
}

std::vector<Rational> read_values(const FileNode& node, FileFaults& faults) {
  const FileNode choose = node["choose"];
  const FileNode range = node["range"];
  const FileNode step = node["step"];
  if (!choose && !range) {
    faults.add(node, "missing_key", "either \"choose\" or \"range\" is needed");
    return {};
  }
  if (choose && (range || step)) {
    faults.add(node, "clashing_keys", "\"choose\" stands alone, without \"range\" and \"step\"");
    return {};
  }
  return choose ? values_of_choice(choose, faults) : values_of_range(node, faults);
}

Question read_question(const FileNode& node, const Reading& outer) {
  Question question;
  Reading reading = outer;
  question.id = text_of(node["id"]);
  question.skill = text_of(node["skill"]);
  question.revision = static_cast<int>(integer_of(node["revision"], 1));
  if (node) question.graded_hash = graded_hash(*node.value);
  question.pointer = node.pointer;
  question.type = find_question_type(text_of(node["type"]));
  question.parameters = read_parameters(node["parameters"], reading.faults);
  for (std::size_t i = 0; i < node["parameters"].size(); ++i) {
    add_name(node["parameters"], node["parameters"].value->keys[i], reading);
  }
  question.canonical = read_number_map(node["canonical"], reading.faults);
  check_numbers(node, "canonical", question, reading.faults);
  read_given(node["given"], reading, question);
  for (std::size_t i = 0; i < node["require"].size(); ++i) {
    std::optional<Condition> condition = read_condition(node["require"].item(i), reading);
    if (condition) question.require.push_back(std::move(*condition));
  }
  question.prompt = read_prose(node["prompt"], reading);
  question.hints = read_prose_list(node["hints"], reading);
  question.solution = read_prose_list(node["solution"], reading.with("key"));
  for (std::size_t i = 0; i < node["examples"].size(); ++i) {
    question.examples.push_back(read_example(node["examples"].item(i), question, reading.faults));
  }
  if (question.type) question.type->read(node, reading, question);
  return question;
}

}  // namespace lockstep
