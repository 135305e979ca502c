// How an answer rates its skill. A function of what the event log keeps, so that an answer can be
// rated again when its question was corrected.
#pragma once

#include <cstdint>
#include <optional>

#include "lesson/star.h"
#include "question/verdict.h"

namespace lockstep {

/// The `flags` of an event: bits, added up.
enum AnswerFlag : unsigned {
  kRetryFlag = 1,            ///< feedback on this question was seen before
  kPredictionFlag = 2,       ///< a prediction before the lesson
  kGaveUpFlag = 4,           ///< the learner asked for the answer
  kSolutionSeenFlag = 8,     ///< solution, reference code or this question's own worked example
  kTechnicalFaultFlag = 16,  ///< nothing was judged: a device or a worker failed
  kChoiceFlag = 32,          ///< options to choose from, where a guess can be right
  kAtOnceFlag = 64,          ///< a flashcard that the learner knew at once
};

/// The `confidence` of an event.
enum class Confidence { not_asked = 0, guess, think_so, sure };

struct Attempt {
  VerdictKind verdict = VerdictKind::invalid;
  int hints = 0;  ///< open when the answer came
  Confidence confidence = Confidence::not_asked;
  unsigned flags = 0;             ///< of AnswerFlag; bits without a meaning are ignored
  std::int64_t elapsed_days = 0;  ///< since the skill's last answer that counted; 0 for the first
};

/// The rating, or none for what says nothing about the skill: unreadable text, too few digits,
/// predictions, technical faults, retries after feedback. Again: wrong or only partly right, given
/// up, solution seen. Hard: right after a hint, or a choice that was guessed. Easy: a flashcard
/// known at once, a day or more after the last answer. Good: right otherwise.
std::optional<Rating> rating(const Attempt& attempt);

}  // namespace lockstep
