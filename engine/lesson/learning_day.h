// The day an answer counts for. Days are counted in whole numbers from 1970, so that no date format
// or time zone comes into a schedule.
#pragma once

#include <cstdint>

#include "core/result.h"

namespace lockstep {

/// Local hour at which a new learning day begins: who studies past midnight is still in the evening
/// before.
inline constexpr int kRolloverHour = 4;
/// Largest distance from 1970 that a JavaScript date has, in milliseconds.
inline constexpr std::int64_t kMaxUtcMs = 8'640'000'000'000'000;
/// No zone is further than 14 hours from UTC; a day leaves room for history.
inline constexpr int kMaxOffsetMin = 24 * 60;

/// An instant, and local time minus UTC in it.
struct Moment {
  std::int64_t utc_ms = 0;
  int offset_min = 0;
};

/// floor((utc_ms + offset_min * 60000 - rollover) / 86 400 000): days since 1970. It is stored with
/// an answer and never computed anew, so that it does not change with the zone of the reader.
/// Errors: out_of_range (beyond kMaxUtcMs or kMaxOffsetMin, or no hour of a day).
Result<std::int64_t> learning_day(const Moment& moment, int rollover_hour = kRolloverHour);

/// Days from `last_day` to `day`; 0 where a clock was set back or a flight gained a day. Both are
/// learning days (within 10^9).
std::int64_t elapsed_days(std::int64_t last_day, std::int64_t day);

}  // namespace lockstep
