#include "lesson/rating.h"

namespace lockstep {

std::optional<Rating> rating(const Attempt& attempt) {
  const auto has = [&](unsigned flags) { return (attempt.flags & flags) != 0; };
  if (has(kPredictionFlag | kTechnicalFaultFlag | kRetryFlag)) return std::nullopt;
  if (has(kGaveUpFlag | kSolutionSeenFlag)) return Rating::again;
  switch (attempt.verdict) {
    case VerdictKind::invalid:
    case VerdictKind::needs_precision:
      return std::nullopt;
    case VerdictKind::incorrect:
    case VerdictKind::partial:
      return Rating::again;
    case VerdictKind::correct:
      break;
  }
  const bool guessed = has(kChoiceFlag) && attempt.confidence == Confidence::guess;
  if (attempt.hints > 0 || guessed) return Rating::hard;
  return has(kAtOnceFlag) && attempt.elapsed_days >= 1 ? Rating::easy : Rating::good;
}

}  // namespace lockstep
