// From the log of answers to what is known of every skill. The log is a set: neither its order nor
// how often an event stands in it matters, so tabs, devices and imports can be put together by
// union.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "lesson/learning_day.h"
#include "lesson/star.h"

namespace lockstep {

/// How far an event may be ahead of the reader's clock before its time is not believed: a wrong
/// date, not merely a zone or a slow clock.
inline constexpr std::int64_t kFutureToleranceMs = std::int64_t{48} * 3'600'000;

/// What a replay needs of an event of the log.
struct AnswerEvent {
  std::string id;  ///< unique; "<writer>-<n>"
  std::string skill;
  std::int64_t ms = 0;           ///< UTC
  std::int64_t day = 0;          ///< learning day, as it was stored
  std::optional<Rating> rating;  ///< none where the answer does not rate the skill
};

/// A skill that a lesson calls by another name now.
struct Renaming {
  std::string from;
  std::string to;
};

struct Replay {
  std::map<std::string, SkillState, std::less<>> skills;  ///< of skills that were ever rated
  std::vector<std::string> future_ids;  ///< of events too far ahead of `now`, sorted
};

/// The state of every skill after all `events`, in the order of (ms, id). Of the events of a skill
/// on one learning day the first that rates it decides. Of events with one id one counts, the
/// latest. An event more than kFutureToleranceMs after `now` is taken as if no day had passed
/// before it, and all those of a skill together raise its stability once at most. Errors:
/// out_of_range
/// (`now`, or an event's ms or day; where is its id).
Result<Replay> replay(std::span<const AnswerEvent> events, const Moment& now,
                      std::span<const Renaming> renamings = {});

}  // namespace lockstep
