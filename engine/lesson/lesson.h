// A lesson and its chapter: everything that a lesson page shows, and the questions behind it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/rational.h"
#include "formula/formula.h"
#include "prose/prose.h"
#include "question/question.h"

namespace lockstep {

/// The exercise file format that this reader knows.
inline constexpr int kFileFormat = 1;

struct Attribution {
  std::string author;
  std::string licence;
  std::string based_on;  ///< the source whose facts the lesson follows, or empty
};

/// What one star stands for.
struct Skill {
  std::string id;
  std::string title;
};

/// A question with the words around it: the prediction at the start, the check at the end.
struct AskedQuestion {
  std::string question;
  ProseTemplate text;
};

struct Section {
  std::string title;
  ProseTemplate text;
  std::string demonstration;  ///< id of what stands below the text, or empty
};

/// Values that a slider can take, and the one it starts on.
struct Slider {
  std::vector<Rational> values;
  Rational start;
};

/// "speedup_slider": computing time falls with the devices, the exchange is added.
struct SpeedupSlider {
  Rational single_s;  ///< one pass on one device
  Slider devices;
  Slider communication_s;
};

/// "pipeline_grid": who is idle when, for a number of stages and microbatches.
struct PipelineGrid {
  std::string schedule;
  Slider stages;
  Slider microbatches;
};

struct Demonstration {
  std::string id;
  std::string kind;
  std::string title;
  ProseTemplate text;
  SpeedupSlider speedup;  ///< of its kind
  PipelineGrid grid;      ///< of its kind
};

/// A run on real devices: "data_parallel_run", "pipeline_run" or "product_run".
struct Experiment {
  std::string id;
  std::string kind;
  std::string title;
  ProseTemplate text;
  int devices = 0;       ///< data_parallel_run
  int rows = 0;          ///< data_parallel_run; divisible by the devices
  std::string schedule;  ///< pipeline_run
  int stages = 0;        ///< pipeline_run, product_run
  int microbatches = 0;  ///< pipeline_run, product_run
  int data = 0;          ///< product_run: copies of the pipeline
  int tensor = 0;        ///< product_run: devices that share each block
  int steps = 0;         ///< product_run: steps of training
  std::uint32_t seed = 1;
};

/// A function that the learner writes.
struct FunctionNote {
  std::string name;
  std::vector<std::string> parameters;
  ProseTemplate text;
  std::optional<Formula> formula;  ///< over the parameters, where it is one
  ProseTemplate raises;            ///< which error for what, or empty
};

/// A stretch of work: questions, experiments and functions in the order listed.
struct Part {
  std::string title;
  ProseTemplate text;
  std::vector<std::string> questions;
  std::vector<std::string> experiments;
  std::vector<std::string> functions;
};

/// Something on a worksheet: a question, or a blank pipeline grid for a question's numbers.
struct WorksheetItem {
  std::string kind;  ///< "question" or "pipeline_grid"
  std::string question;
  ProseTemplate text;                   ///< of a grid
  std::optional<Formula> stages;        ///< of a grid, over the question's values
  std::optional<Formula> microbatches;  ///< of a grid, over the question's values
};

struct WorksheetLayout {
  ProseTemplate text;
  std::vector<WorksheetItem> items;
};

struct Lesson {
  std::string id;
  std::string chapter;
  std::string language;  ///< BCP 47: "en"
  std::string title;
  std::string subject;
  std::string audience;
  Attribution attribution;
  std::vector<Skill> skills;
  std::vector<ProseTemplate> outcomes;
  AskedQuestion predict;
  std::vector<Section> idea;
  std::vector<Demonstration> demonstrations;
  std::vector<Experiment> experiments;
  std::vector<FunctionNote> functions;
  std::vector<Question> questions;
  std::vector<Part> parts;
  AskedQuestion check;
  WorksheetLayout worksheet;

  /// The question called `id`, or null.
  const Question* find_question(std::string_view question_id) const;
};

struct NotationRow {
  std::string symbol;
  ProseTemplate meaning;
};

struct ReferenceCode {
  std::string language;
  ProseTemplate text;
  std::vector<std::string> lines;
};

struct SourceNote {
  std::string title;
  std::string by;
  std::string url;  ///< https, or empty
};

/// What the lessons of a chapter share.
struct Chapter {
  std::string id;
  std::string language;
  std::string title;
  ProseTemplate summary;
  ProseTemplate context;
  std::vector<NotationRow> notation;
  ProseTemplate worked_example;
  ReferenceCode reference_code;
  std::vector<ProseTemplate> common_mistakes;
  std::vector<SourceNote> sources;
};

}  // namespace lockstep
