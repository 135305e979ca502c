// Answers and stars as JSON text: the page stores the log, the engine says what it means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "lesson/learning_day.h"
#include "lesson/rating.h"
#include "lesson/replay.h"

namespace lockstep {

/// Events of one replay. A log keeps up to 20,000 in full; those of a second device come on top
/// when they are imported.
inline constexpr std::size_t kMaxLogEvents = 50'000;

/// {"ms": UTC, "offset_min": local time minus UTC}. Errors: those of read_request.
Result<Moment> read_moment(std::string_view json);

/// {"day": N}.
std::string write_learning_day(std::int64_t day);

/// {"verdict": kind, "hints", "confidence", "flags", "elapsed_days"}, the numbers 0 where missing.
/// Errors: those of read_request; unknown_verdict.
Result<Attempt> read_attempt(std::string_view json);

/// {"rating": 1 … 4 or null}.
std::string write_rating(const std::optional<Rating>& rating);

/// What replay() takes.
struct ReplayRequest {
  Moment now;
  std::vector<AnswerEvent> events;
  std::vector<Renaming> renamings;
};

/// {"now": MOMENT, "events": [{"id", "skill", "ms", "day", "rating"}, …], "renamings": [{"from",
/// "to"}, …]}; lists that would be empty are left out, as is the rating of an answer that rates
/// nothing. Errors: those of read_request.
Result<ReplayRequest> read_replay_request(std::string_view json);

/// {"day": today, "skills": [{"skill", "stability_days", "difficulty", "last_day", "last_ms",
///  "reps", "lapses", "last_rating", "ever_right", "due_day", "star": {"band", "brightness",
///  "size", "retrievability", "interval_days", "due_in_days"}}, …], "future_ids": [TEXT, …]}; the
/// stars as they are on the day `today`.
std::string write_replay(const Replay& replay, std::int64_t today);

}  // namespace lockstep
