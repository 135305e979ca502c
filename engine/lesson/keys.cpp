#include "lesson/keys.h"

#include <iterator>
#include <vector>

#include "lesson/lesson.h"
#include "program/program.h"
#include "question/read_question.h"

namespace lockstep {
namespace {

constexpr KeyRow kAttributionRows[] = {
    {.name = "author"},
    {.name = "licence"},
    {.name = "based_on", .need = Need::optional},
};
constexpr KeyTable kAttributionKeys{"attribution", kAttributionRows};

constexpr KeyRow kSkillRows[] = {
    {.name = "id", .form = Form::id},
    {.name = "title"},
};
constexpr KeyTable kSkillKeys{"skill", kSkillRows};

constexpr KeyRow kAskedRows[] = {
    {.name = "question", .form = Form::id},
    {.name = "text", .form = Form::prose},
};
constexpr KeyTable kAskedKeys{"asked_question", kAskedRows};

constexpr KeyRow kSectionRows[] = {
    {.name = "title"},
    {.name = "text", .form = Form::prose},
    {.name = "demonstration", .form = Form::id, .need = Need::optional},
};
constexpr KeyTable kSectionKeys{"section", kSectionRows};

constexpr KeyRow kSliderRows[] = {
    {.name = "choose", .form = Form::list, .need = Need::optional, .item = Form::number},
    {.name = "range",
     .form = Form::list,
     .need = Need::optional,
     .item = Form::number,
     .items_least = 2,
     .items_most = 2},
    {.name = "step", .form = Form::number, .need = Need::optional},
    {.name = "start", .form = Form::number},
};
constexpr KeyTable kSliderKeys{"slider", kSliderRows};

constexpr KeyRow kSpeedupRows[] = {
    {.name = "single_s", .form = Form::number},
    {.name = "devices", .form = Form::object, .table = &kSliderKeys},
    {.name = "communication_s", .form = Form::object, .table = &kSliderKeys},
};
constexpr KeyTable kSpeedupKeys{"speedup_slider", kSpeedupRows};

constexpr KeyRow kGridRows[] = {
    {.name = "schedule"},
    {.name = "stages", .form = Form::object, .table = &kSliderKeys},
    {.name = "microbatches", .form = Form::object, .table = &kSliderKeys},
};
constexpr KeyTable kGridKeys{"pipeline_grid", kGridRows};

constexpr KeyRow kDemonstrationRows[] = {
    {.name = "id", .form = Form::id},
    {.name = "kind"},
    {.name = "title"},
    {.name = "text", .form = Form::prose},
};
constexpr KeyCase kDemonstrationCases[] = {
    {"speedup_slider", &kSpeedupKeys},
    {"pipeline_grid", &kGridKeys},
};
constexpr KeyTable kDemonstrationKeys{"demonstration", kDemonstrationRows, "kind",
                                      kDemonstrationCases};

constexpr KeyRow kDataParallelRows[] = {
    {.name = "devices", .form = Form::integer, .least = 1, .most = kMaxExperimentDevices},
    {.name = "rows", .form = Form::integer, .least = 1, .most = kMaxExperimentRows},
};
constexpr KeyTable kDataParallelKeys{"data_parallel_run", kDataParallelRows};

constexpr KeyRow kPipelineRows[] = {
    {.name = "schedule"},
    {.name = "stages", .form = Form::integer, .least = 1, .most = kMaxExperimentDevices},
    {.name = "microbatches", .form = Form::integer, .least = 1, .most = kMaxMicrobatches},
};
constexpr KeyTable kPipelineKeys{"pipeline_run", kPipelineRows};

/// Rows, transformer and learning rate are the engine's own.
constexpr KeyRow kProductRows[] = {
    {.name = "data", .form = Form::integer, .least = 1, .most = kMaxExperimentDevices},
    {.name = "tensor", .form = Form::integer, .least = 1, .most = kMaxExperimentDevices},
    {.name = "stages", .form = Form::integer, .least = 1, .most = kMaxExperimentDevices},
    {.name = "microbatches", .form = Form::integer, .least = 1, .most = kMaxMicrobatches},
    {.name = "steps", .form = Form::integer, .least = 1, .most = kMaxExperimentSteps},
};
constexpr KeyTable kProductKeys{"product_run", kProductRows};

constexpr KeyRow kExperimentRows[] = {
    {.name = "id", .form = Form::id},
    {.name = "kind"},
    {.name = "title"},
    {.name = "text", .form = Form::prose},
    {.name = "seed", .form = Form::integer, .need = Need::optional, .least = 0, .most = kMaxSeed},
};
constexpr KeyCase kExperimentCases[] = {
    {"data_parallel_run", &kDataParallelKeys},
    {"pipeline_run", &kPipelineKeys},
    {"product_run", &kProductKeys},
};
constexpr KeyTable kExperimentKeys{"experiment", kExperimentRows, "kind", kExperimentCases};

constexpr KeyRow kFunctionRows[] = {
    {.name = "name", .form = Form::symbol},
    {.name = "parameters", .form = Form::list},
    {.name = "text", .form = Form::prose},
    {.name = "formula", .form = Form::formula, .need = Need::optional},
    {.name = "raises", .form = Form::prose, .need = Need::optional},
};
constexpr KeyTable kFunctionKeys{"function", kFunctionRows};

constexpr KeyRow kPartRows[] = {
    {.name = "title"},
    {.name = "text", .form = Form::prose},
    {.name = "questions", .form = Form::list, .need = Need::optional, .item = Form::id},
    {.name = "experiments", .form = Form::list, .need = Need::optional, .item = Form::id},
    {.name = "functions", .form = Form::list, .need = Need::optional, .item = Form::symbol},
};
constexpr KeyTable kPartKeys{"part", kPartRows};

constexpr KeyTable kSheetQuestionKeys{"worksheet_question", {}};

constexpr KeyRow kSheetGridRows[] = {
    {.name = "text", .form = Form::prose},
    {.name = "stages", .form = Form::formula},
    {.name = "microbatches", .form = Form::formula},
};
constexpr KeyTable kSheetGridKeys{"worksheet_grid", kSheetGridRows};

constexpr KeyRow kSheetItemRows[] = {
    {.name = "kind"},
    {.name = "question", .form = Form::id},
};
constexpr KeyCase kSheetItemCases[] = {
    {"question", &kSheetQuestionKeys},
    {"pipeline_grid", &kSheetGridKeys},
};
constexpr KeyTable kSheetItemKeys{"worksheet_item", kSheetItemRows, "kind", kSheetItemCases};

constexpr KeyRow kWorksheetRows[] = {
    {.name = "text", .form = Form::prose},
    {.name = "items", .form = Form::list, .item = Form::object, .table = &kSheetItemKeys},
};
constexpr KeyTable kWorksheetKeys{"worksheet", kWorksheetRows};

/// What stands on top of every file.
constexpr KeyRow kHeadRows[] = {
    {.name = "$schema", .need = Need::optional},  // for editors; the reader takes no notice
    {.name = "format", .form = Form::integer, .least = kFileFormat, .most = kFileFormat},
    {.name = "id", .form = Form::id},
    {.name = "language"},
    {.name = "title"},
};

constexpr KeyRow kLessonRows[] = {
    {.name = "chapter", .form = Form::id},
    {.name = "subject"},
    {.name = "audience"},
    {.name = "attribution", .form = Form::object, .table = &kAttributionKeys},
    {.name = "skills", .form = Form::list, .item = Form::object, .table = &kSkillKeys},
    {.name = "outcomes", .form = Form::list, .item = Form::prose},
    {.name = "predict", .form = Form::object, .table = &kAskedKeys},
    {.name = "idea", .form = Form::list, .item = Form::object, .table = &kSectionKeys},
    {.name = "demonstrations",
     .form = Form::list,
     .need = Need::optional,
     .item = Form::object,
     .table = &kDemonstrationKeys},
    {.name = "experiments",
     .form = Form::list,
     .need = Need::optional,
     .item = Form::object,
     .table = &kExperimentKeys},
    {.name = "functions",
     .form = Form::list,
     .need = Need::optional,
     .item = Form::object,
     .table = &kFunctionKeys},
    {.name = "questions", .form = Form::list, .item = Form::object},  // table: see lesson_keys
    {.name = "parts", .form = Form::list, .item = Form::object, .table = &kPartKeys},
    {.name = "check", .form = Form::object, .table = &kAskedKeys},
    {.name = "worksheet", .form = Form::object, .table = &kWorksheetKeys},
};

constexpr KeyRow kNotationRows[] = {
    {.name = "symbol"},
    {.name = "meaning", .form = Form::prose},
};
constexpr KeyTable kNotationKeys{"notation", kNotationRows};

constexpr KeyRow kCodeRows[] = {
    {.name = "language"},
    {.name = "text", .form = Form::prose},
    {.name = "lines", .form = Form::list, .item = Form::line},
};
constexpr KeyTable kCodeKeys{"reference_code", kCodeRows};

constexpr KeyRow kSourceRows[] = {
    {.name = "title"},
    {.name = "by"},
    {.name = "url", .form = Form::url, .need = Need::optional},
};
constexpr KeyTable kSourceKeys{"source", kSourceRows};

constexpr KeyRow kChapterRows[] = {
    {.name = "summary", .form = Form::prose},
    {.name = "context", .form = Form::prose},
    {.name = "notation", .form = Form::list, .item = Form::object, .table = &kNotationKeys},
    {.name = "worked_example", .form = Form::prose},
    {.name = "reference_code", .form = Form::object, .table = &kCodeKeys},
    {.name = "common_mistakes", .form = Form::list, .item = Form::prose},
    {.name = "sources", .form = Form::list, .item = Form::object, .table = &kSourceKeys},
};

std::vector<KeyRow> with_head(std::span<const KeyRow> rows) {
  std::vector<KeyRow> all(std::begin(kHeadRows), std::end(kHeadRows));
  all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

}  // namespace

const KeyTable& lesson_keys() {
  static const std::vector<KeyRow> kRows = [] {
    std::vector<KeyRow> rows = with_head(kLessonRows);
    for (KeyRow& row : rows) {
      if (row.name == "questions") row.table = &question_keys();
    }
    return rows;
  }();
  static const KeyTable kKeys{"lesson", kRows};
  return kKeys;
}

const KeyTable& chapter_keys() {
  static const std::vector<KeyRow> kRows = with_head(kChapterRows);
  static const KeyTable kKeys{"chapter", kRows};
  return kKeys;
}

}  // namespace lockstep
