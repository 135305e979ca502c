#include "worksheet/worksheet.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "lesson/ask.h"
#include "lesson/variant.h"
#include "picture/time_grid.h"
#include "question/table.h"

namespace lockstep {
namespace {

/// What one item needs of its lesson.
struct Source {
  const Question& question;
  Variant variant;
  const Locale* locale;
};

Result<SheetItem> question_item(const Source& source) {
  Result<QuestionView> shown = view(source.question, source.variant, source.locale);
  if (!shown.ok()) return shown.error();
  Result<Reveal> revealed = reveal(source.question, source.variant, source.locale);
  if (!revealed.ok()) return revealed.error();
  SheetItem item;
  item.space = source.question.type->print(shown.value());
  item.text = std::move(shown.value().prompt);
  item.answers = std::move(revealed.value().answers);
  item.solution = std::move(revealed.value().solution);
  item.mistakes = std::move(revealed.value().mistakes);
  return item;
}

/// Which microbatch each stage forwards in each slot: stage s takes microbatch k in slot s + k.
std::vector<std::vector<std::string>> forward_cells(int stages, int microbatches) {
  std::vector<std::vector<std::string>> cells;
  for (int stage = 0; stage < stages; ++stage) {
    std::vector<std::string>& row = cells.emplace_back(static_cast<std::size_t>(stage));
    for (int k = 0; k < microbatches; ++k) row.push_back(std::to_string(k));
    row.resize(static_cast<std::size_t>(microbatches + stages - 1));
  }
  return cells;
}

/// The piece of the grid that begins at column `first`.
TimeGrid piece(const std::vector<std::vector<std::string>>& cells, int first) {
  const int columns = static_cast<int>(cells[0].size());
  TimeGrid grid;
  grid.ranks = static_cast<int>(cells.size());
  grid.first_column = first;
  grid.columns = std::min(kGridColumnsAcross, columns - first);
  for (const std::vector<std::string>& row : cells) {
    grid.cells.emplace_back(row.begin() + first, row.begin() + first + grid.columns);
  }
  return grid;
}

/// The whole number that a grid has of something.
Result<int> count_of(const Formula& formula, const Source& source, int most) {
  const Result<Rational> value = formula.evaluate(source.variant.values);
  if (!value.ok()) return value.error();
  const std::optional<std::int64_t> count = to_int64(value.value());
  if (count && *count >= 1 && *count <= most) return static_cast<int>(*count);
  return Error{"grid_too_large", source.question.pointer,
               "a grid on paper has 1 to " + std::to_string(most) + " of " + formula.text() +
                   ", not " + shortest_text(value.value())};
}

Result<SheetItem> grid_item(const WorksheetItem& layout, const Source& source) {
  const Result<int> stages = count_of(*layout.stages, source, kSheetRowsMax);
  if (!stages.ok()) return stages.error();
  const int microbatches_most = kSheetColumnsMax - stages.value() + 1;
  const Result<int> microbatches = count_of(*layout.microbatches, source, microbatches_most);
  if (!microbatches.ok()) return microbatches.error();
  Result<Prose> text = layout.text.fill({&source.variant.values, {}, {source.locale}});
  if (!text.ok()) return text.error();
  SheetItem item;
  item.text = std::move(text).value();
  const auto cells = forward_cells(stages.value(), microbatches.value());
  const int columns = static_cast<int>(cells[0].size());
  for (int first = 0; first < columns; first += kGridColumnsAcross) {
    TimeGrid grid = piece(cells, first);
    item.filled_grids.push_back(draw_time_grid(grid));
    grid.cells.clear();
    item.grids.push_back(draw_time_grid(grid));
  }
  return item;
}

Result<Sheet> make_sheet(const Lesson& lesson, std::uint32_t seed, const Locale* locale) {
  Sheet sheet{lesson.id, lesson.language, lesson.title, lesson.subject, {}, {}};
  Result<Prose> text = fill(lesson.worksheet.text, locale);
  if (!text.ok()) return text.error();
  sheet.text = std::move(text).value();
  for (const WorksheetItem& layout : lesson.worksheet.items) {
    const Question& question = *lesson.find_question(layout.question);
    Result<Variant> variant = draw(question, seed);
    if (!variant.ok()) return variant.error();
    const Source source{question, std::move(variant).value(), locale};
    Result<SheetItem> item =
        layout.kind == "pipeline_grid" ? grid_item(layout, source) : question_item(source);
    if (!item.ok()) return item.error();
    sheet.items.push_back(std::move(item).value());
  }
  return sheet;
}

}  // namespace

Result<Worksheet> make_worksheet(std::span<const Lesson> lessons, std::uint32_t seed,
                                 const Locale* locale) {
  if (lessons.empty()) return Error{"no_lesson", "lessons", "a worksheet needs a lesson"};
  Worksheet worksheet{seed, {}};
  for (const Lesson& lesson : lessons) {
    Result<Sheet> sheet = make_sheet(lesson, seed, locale);
    if (!sheet.ok()) return sheet.error();
    worksheet.sheets.push_back(std::move(sheet).value());
  }
  return worksheet;
}

}  // namespace lockstep
