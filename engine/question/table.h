// The question types: one file pair and one row each. Everything else (drawing, sweeps, views,
// worksheets, the command) goes through this table.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/decimal.h"
#include "core/result.h"
#include "document/key_table.h"
#include "question/question.h"
#include "question/reading.h"
#include "question/verdict.h"

namespace lockstep {

struct QuestionType {
  std::string_view name;   ///< "number"
  std::string_view about;  ///< one line
  const KeyTable* keys;    ///< beside those that every question has
  /// Reads the type's own keys into question.body; the rest of the question is there already.
  void (*read)(const FileNode& node, const Reading& reading, Question& question);
  /// Whether these numbers make a fit question: a key that can be typed, nothing alike. The error
  /// says which mistakes or options cannot be told apart.
  Status (*check)(const Question& question, const Variant& variant);
  /// Grades one answer of a variant that passed `check`.
  Verdict (*grade)(const Question& question, const Variant& variant, std::string_view answer,
                   const Locale* locale);
  /// Adds what the type shows to a view.
  Status (*view)(const Question& question, const Variant& variant, const Locale* locale,
                 QuestionView& view);
  /// Adds answers and mistakes; the solution is the caller's.
  Status (*reveal)(const Question& question, const Variant& variant, const Locale* locale,
                   Reveal& reveal);
  AnswerSpace (*print)(const QuestionView& view);
  /// Right, wrong and unreadable answers of its own, for the sweep.
  Result<std::vector<SampleAnswer>> (*samples)(const Question& question, const Variant& variant,
                                               const Locale* locale);
};

/// Every question type.
std::span<const QuestionType> question_types();

/// The row called `name`, or null.
const QuestionType* find_question_type(std::string_view name);

/// Whether a verdict is what a file expects: a kind ("needs_precision"), a code
/// ("rounded_not_cut") or "mistake:<id>".
bool meets(const Verdict& verdict, std::string_view expected);

}  // namespace lockstep
