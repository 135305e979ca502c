// Asking a question of a lesson: what is shown, how an answer is graded, what is revealed. The
// page, the command and the worksheet all come through here, so they cannot disagree.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/decimal.h"
#include "core/result.h"
#include "lesson/lesson.h"
#include "question/question.h"
#include "question/verdict.h"

namespace lockstep {

/// Which question with which numbers, written in which locale (null: marks with two readings are
/// asked about).
struct Ask {
  std::string_view question;
  std::uint32_t seed = 0;
  const Locale* locale = nullptr;
};

/// Each of these draws the numbers first. Errors: unknown_question and those of draw().
Result<QuestionView> view(const Lesson& lesson, const Ask& ask);
Result<Verdict> grade(const Lesson& lesson, const Ask& ask, std::string_view answer);
Result<Reveal> reveal(const Lesson& lesson, const Ask& ask);
Result<std::vector<Prose>> hints(const Lesson& lesson, const Ask& ask);

/// The same for a variant that is drawn already.
Result<QuestionView> view(const Question& question, const Variant& variant, const Locale* locale);
Verdict grade(const Question& question, const Variant& variant, std::string_view answer,
              const Locale* locale);
Result<Reveal> reveal(const Question& question, const Variant& variant, const Locale* locale);
Result<std::vector<Prose>> hints(const Question& question, const Variant& variant,
                                 const Locale* locale);

/// Prose that mentions no names, as that of lessons and chapters does.
Result<Prose> fill(const ProseTemplate& prose, const Locale* locale);

}  // namespace lockstep
