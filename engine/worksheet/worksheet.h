// A lesson's questions as a sheet of paper, and its answer key: what is printed, in order. How it
// looks is html.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/decimal.h"
#include "core/result.h"
#include "lesson/lesson.h"
#include "picture/picture.h"
#include "prose/prose.h"
#include "question/question.h"

namespace lockstep {

/// A numbered item of a sheet with its part of the key.
struct SheetItem {
  Prose text;
  AnswerSpace space;           ///< of a question; its label is empty for a grid
  std::vector<Picture> grids;  ///< of a grid: its pieces, to be filled in

  std::vector<std::string> answers;       ///< key: every form, the canonical one first
  Prose solution;                         ///< key: worked line by line
  std::vector<RevealedMistake> mistakes;  ///< key: what a wrong answer tells the marker
  std::vector<Picture> filled_grids;      ///< key: the pieces, filled in
};

/// One lesson's sheet.
struct Sheet {
  std::string lesson;  ///< id
  std::string language;
  std::string title;
  std::string subject;
  Prose text;
  std::vector<SheetItem> items;
};

struct Worksheet {
  std::uint32_t seed = 0;
  std::vector<Sheet> sheets;
};

/// Most rows of a grid: more would not fit on a page.
inline constexpr int kSheetRowsMax = 16;
/// Most columns of a grid, all its pieces together.
inline constexpr int kSheetColumnsMax = 68;

/// The sheets of `lessons` with the numbers of `seed`. Errors: no_lesson, those of draw(), and
/// grid_too_large where a grid does not fit on paper.
Result<Worksheet> make_worksheet(std::span<const Lesson> lessons, std::uint32_t seed,
                                 const Locale* locale = nullptr);

}  // namespace lockstep
