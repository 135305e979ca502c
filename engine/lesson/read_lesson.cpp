#include "lesson/read_lesson.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/nearest.h"
#include "lesson/keys.h"
#include "program/program.h"
#include "question/read_question.h"
#include "question/reading.h"
#include "schedule/schedule.h"

namespace lockstep {
namespace {

std::string copy_of(const FileNode& node) {
  return std::string(text_of(node));
}

int int_of(const FileNode& node) {
  return static_cast<int>(integer_of(node, 0));
}

/// Notes an id that is not among `known`.
void check_known(const FileNode& node, std::string_view what, const std::vector<std::string>& known,
                 FileFaults& faults) {
  const std::string_view id = text_of(node);
  if (id.empty() || std::find(known.begin(), known.end(), id) != known.end()) return;
  const std::vector<std::string_view> names(known.begin(), known.end());
  faults.add(node, "unknown_" + std::string(what),
             "no " + std::string(what) + " is called " + in_quotes(id), nearest(id, names));
}

void check_all_known(const FileNode& list, std::string_view what,
                     const std::vector<std::string>& known, FileFaults& faults) {
  for (std::size_t i = 0; i < list.size(); ++i) check_known(list.item(i), what, known, faults);
}

/// The ids (or names) of the objects in a list.
std::vector<std::string> ids_of(const FileNode& list, std::string_view key = "id") {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < list.size(); ++i) ids.push_back(copy_of(list.item(i)[key]));
  return ids;
}

/// Prose without names: its values must exist now.
ProseTemplate ready_prose(const FileNode& node, const Reading& reading) {
  ProseTemplate prose = read_prose(node, reading);
  for (const Formula& formula : prose.formulas()) {
    const Result<Rational> value = formula.evaluate({});
    if (value.ok()) continue;
    reading.faults.add(node, value.error().code,
                       "{" + formula.text() + "} has no value: " + value.error().message);
  }
  return prose;
}

std::vector<ProseTemplate> ready_list(const FileNode& node, const Reading& reading) {
  std::vector<ProseTemplate> list;
  for (std::size_t i = 0; i < node.size(); ++i) list.push_back(ready_prose(node.item(i), reading));
  return list;
}

AskedQuestion read_asked(const FileNode& node, const Reading& reading) {
  return {copy_of(node["question"]), ready_prose(node["text"], reading)};
}

Slider read_slider(const FileNode& node, FileFaults& faults) {
  Slider slider;
  if (!node) return slider;
  slider.values = read_values(node, faults);
  const std::optional<Rational> start = read_number(node["start"], faults);
  if (!start) return slider;
  slider.start = *start;
  const bool known =
      std::find(slider.values.begin(), slider.values.end(), *start) != slider.values.end();
  if (!known && !slider.values.empty()) {
    faults.add(node["start"], "unknown_start", "a slider starts on one of its values");
  }
  return slider;
}

/// A slider over whole numbers from `least` to `most`.
Slider read_count_slider(const FileNode& node, int least, int most, FileFaults& faults) {
  Slider slider = read_slider(node, faults);
  for (const Rational& value : slider.values) {
    if (value.is_whole() && Rational(least) <= value && value <= Rational(most)) continue;
    faults.add(node, "out_of_range",
               "its values are whole numbers from " + std::to_string(least) + " to " +
                   std::to_string(most));
    break;
  }
  return slider;
}

/// Notes a schedule that does not exist, or not for this shape.
void check_schedule(const FileNode& node, std::int64_t stages, std::int64_t microbatches,
                    FileFaults& faults) {
  const FileNode name = node["schedule"];
  if (text_of(name).empty() || stages < 1 || microbatches < 1) return;
  const ScheduleShape shape{static_cast<int>(stages), 1, static_cast<int>(microbatches)};
  const Result<Schedule> schedule = make_schedule(text_of(name), shape);
  if (!schedule.ok()) faults.add(name, schedule.error().code, schedule.error().message);
}

Demonstration read_demonstration(const FileNode& node, const Reading& reading) {
  Demonstration result;
  FileFaults& faults = reading.faults;
  result.id = copy_of(node["id"]);
  result.kind = copy_of(node["kind"]);
  result.title = copy_of(node["title"]);
  result.text = ready_prose(node["text"], reading);
  if (result.kind == "speedup_slider") {
    result.speedup.single_s = read_number(node["single_s"], faults).value_or(Rational());
    result.speedup.devices = read_count_slider(node["devices"], 1, kMaxRanks, faults);
    result.speedup.communication_s = read_slider(node["communication_s"], faults);
  } else if (result.kind == "pipeline_grid") {
    result.grid.schedule = copy_of(node["schedule"]);
    result.grid.stages = read_count_slider(node["stages"], 1, kMaxRanks, faults);
    result.grid.microbatches = read_count_slider(node["microbatches"], 1, kMaxMicrobatches, faults);
    check_schedule(node, to_int64(result.grid.stages.start).value_or(0),
                   to_int64(result.grid.microbatches.start).value_or(0), faults);
  }
  return result;
}

Experiment read_experiment(const FileNode& node, const Reading& reading) {
  Experiment result;
  result.id = copy_of(node["id"]);
  result.kind = copy_of(node["kind"]);
  result.title = copy_of(node["title"]);
  result.text = ready_prose(node["text"], reading);
  result.seed = static_cast<std::uint32_t>(integer_of(node["seed"], 1));
  result.devices = int_of(node["devices"]);
  result.rows = int_of(node["rows"]);
  result.schedule = copy_of(node["schedule"]);
  result.stages = int_of(node["stages"]);
  result.microbatches = int_of(node["microbatches"]);
  result.data = int_of(node["data"]);
  result.tensor = int_of(node["tensor"]);
  result.steps = int_of(node["steps"]);
  if (result.data * result.tensor * result.stages > kMaxExperimentDevices) {
    reading.faults.add(node["data"], "too_many_devices",
                       "data × tensor × stages are the devices, " +
                           std::to_string(result.data * result.tensor * result.stages) +
                           " of them; a page can hold " + std::to_string(kMaxExperimentDevices));
  }
  if (result.devices > 0 && result.rows % result.devices != 0) {
    reading.faults.add(node["rows"], "rows_not_divisible",
                       "the rows are split evenly: " + std::to_string(result.devices) +
                           " devices do not divide " + std::to_string(result.rows) + " rows");
  }
  check_schedule(node, result.stages, result.microbatches, reading.faults);
  return result;
}

FunctionNote read_function(const FileNode& node, const Reading& outer) {
  FunctionNote result;
  result.name = copy_of(node["name"]);
  result.parameters = read_texts(node["parameters"]);
  result.text = ready_prose(node["text"], outer);
  result.raises = ready_prose(node["raises"], outer);
  Reading reading = outer;
  reading.names.assign(result.parameters.begin(), result.parameters.end());
  result.formula = read_formula(node["formula"], reading);
  return result;
}

Part read_part(const FileNode& node, const FileNode& root, const Reading& reading) {
  check_all_known(node["questions"], "question", ids_of(root["questions"]), reading.faults);
  check_all_known(node["experiments"], "experiment", ids_of(root["experiments"]), reading.faults);
  check_all_known(node["functions"], "function", ids_of(root["functions"], "name"), reading.faults);
  return {copy_of(node["title"]), ready_prose(node["text"], reading), read_texts(node["questions"]),
          read_texts(node["experiments"]), read_texts(node["functions"])};
}

/// The names that formulas about a question may mention.
std::vector<std::string_view> names_of(const Question& question) {
  std::vector<std::string_view> names;
  for (const QuestionParameter& parameter : question.parameters) names.push_back(parameter.name);
  for (const GivenValue& given : question.given) names.push_back(given.name);
  return names;
}

WorksheetItem read_sheet_item(const FileNode& node, const Lesson& lesson, const Reading& outer) {
  WorksheetItem item;
  item.kind = copy_of(node["kind"]);
  item.question = copy_of(node["question"]);
  const Question* question = lesson.find_question(item.question);
  if (!question) return item;
  Reading reading = outer;
  reading.names = names_of(*question);
  item.text = read_prose(node["text"], reading);
  item.stages = read_formula(node["stages"], reading);
  item.microbatches = read_formula(node["microbatches"], reading);
  return item;
}

WorksheetLayout read_worksheet(const FileNode& node, const Lesson& lesson, const Reading& reading) {
  WorksheetLayout layout;
  layout.text = ready_prose(node["text"], reading);
  const FileNode items = node["items"];
  std::vector<std::string> known;
  for (const Question& question : lesson.questions) known.push_back(question.id);
  for (std::size_t i = 0; i < items.size(); ++i) {
    check_known(items.item(i)["question"], "question", known, reading.faults);
    layout.items.push_back(read_sheet_item(items.item(i), lesson, reading));
  }
  return layout;
}

void read_head(const FileNode& root, Lesson& lesson) {
  const FileNode attribution = root["attribution"];
  lesson.id = copy_of(root["id"]);
  lesson.chapter = copy_of(root["chapter"]);
  lesson.language = copy_of(root["language"]);
  lesson.title = copy_of(root["title"]);
  lesson.subject = copy_of(root["subject"]);
  lesson.audience = copy_of(root["audience"]);
  lesson.attribution = {copy_of(attribution["author"]), copy_of(attribution["licence"]),
                        copy_of(attribution["based_on"])};
  for (std::size_t i = 0; i < root["skills"].size(); ++i) {
    const FileNode skill = root["skills"].item(i);
    lesson.skills.push_back({copy_of(skill["id"]), copy_of(skill["title"])});
  }
}

void read_idea(const FileNode& root, const Reading& reading, Lesson& lesson) {
  const FileNode idea = root["idea"];
  const std::vector<std::string> demonstrations = ids_of(root["demonstrations"]);
  for (std::size_t i = 0; i < idea.size(); ++i) {
    const FileNode node = idea.item(i);
    check_known(node["demonstration"], "demonstration", demonstrations, reading.faults);
    lesson.idea.push_back({copy_of(node["title"]), ready_prose(node["text"], reading),
                           copy_of(node["demonstration"])});
  }
}

void read_lists(const FileNode& root, const Reading& reading, Lesson& lesson) {
  for (std::size_t i = 0; i < root["demonstrations"].size(); ++i) {
    lesson.demonstrations.push_back(read_demonstration(root["demonstrations"].item(i), reading));
  }
  for (std::size_t i = 0; i < root["experiments"].size(); ++i) {
    lesson.experiments.push_back(read_experiment(root["experiments"].item(i), reading));
  }
  for (std::size_t i = 0; i < root["functions"].size(); ++i) {
    lesson.functions.push_back(read_function(root["functions"].item(i), reading));
  }
  for (std::size_t i = 0; i < root["questions"].size(); ++i) {
    const FileNode node = root["questions"].item(i);
    check_known(node["skill"], "skill", ids_of(root["skills"]), reading.faults);
    lesson.questions.push_back(read_question(node, reading));
  }
  for (std::size_t i = 0; i < root["parts"].size(); ++i) {
    lesson.parts.push_back(read_part(root["parts"].item(i), root, reading));
  }
}

void check_lesson_ids(const FileNode& root, FileFaults& faults) {
  for (const std::string_view list : {"skills", "demonstrations", "experiments", "questions"}) {
    check_unique(root[list], "id", faults);
  }
  check_unique(root["functions"], "name", faults);
  const std::vector<std::string> questions = ids_of(root["questions"]);
  check_known(root["predict"]["question"], "question", questions, faults);
  check_known(root["check"]["question"], "question", questions, faults);
}

}  // namespace

const Question* Lesson::find_question(std::string_view question_id) const {
  for (const Question& question : questions) {
    if (question.id == question_id) return &question;
  }
  return nullptr;
}

std::optional<Lesson> read_lesson(const FileValue& value, FileFaults& faults) {
  const FileNode root{&value, ""};
  const std::size_t faults_before = faults.size();
  check_keys(root, lesson_keys(), faults);
  check_lesson_ids(root, faults);
  const Reading reading{faults, {}, exercise_functions()};
  Lesson lesson;
  read_head(root, lesson);
  lesson.outcomes = ready_list(root["outcomes"], reading);
  lesson.predict = read_asked(root["predict"], reading);
  read_idea(root, reading, lesson);
  read_lists(root, reading, lesson);
  lesson.check = read_asked(root["check"], reading);
  lesson.worksheet = read_worksheet(root["worksheet"], lesson, reading);
  if (faults.size() != faults_before) return std::nullopt;
  return lesson;
}

std::optional<Chapter> read_chapter(const FileValue& value, FileFaults& faults) {
  const FileNode root{&value, ""};
  const std::size_t faults_before = faults.size();
  check_keys(root, chapter_keys(), faults);
  const Reading reading{faults, {}, exercise_functions()};
  Chapter chapter;
  chapter.id = copy_of(root["id"]);
  chapter.language = copy_of(root["language"]);
  chapter.title = copy_of(root["title"]);
  chapter.summary = ready_prose(root["summary"], reading);
  chapter.context = ready_prose(root["context"], reading);
  for (std::size_t i = 0; i < root["notation"].size(); ++i) {
    const FileNode row = root["notation"].item(i);
    chapter.notation.push_back({copy_of(row["symbol"]), ready_prose(row["meaning"], reading)});
  }
  chapter.worked_example = ready_prose(root["worked_example"], reading);
  const FileNode code = root["reference_code"];
  chapter.reference_code = {copy_of(code["language"]), ready_prose(code["text"], reading),
                            read_texts(code["lines"])};
  chapter.common_mistakes = ready_list(root["common_mistakes"], reading);
  for (std::size_t i = 0; i < root["sources"].size(); ++i) {
    const FileNode source = root["sources"].item(i);
    chapter.sources.push_back(
        {copy_of(source["title"]), copy_of(source["by"]), copy_of(source["url"])});
  }
  if (faults.size() != faults_before) return std::nullopt;
  return chapter;
}

}  // namespace lockstep
