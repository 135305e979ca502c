#include "lesson/learning_day.h"

#include <algorithm>
#include <string>

namespace lockstep {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::int64_t kHourMs = 60 * kMinuteMs;
constexpr std::int64_t kDayMs = 24 * kHourMs;

Error out_of_range(const char* where, std::int64_t value) {
  return {"out_of_range", where, std::to_string(value) + " is no possible value here"};
}

}  // namespace

Result<std::int64_t> learning_day(const Moment& moment, int rollover_hour) {
  if (moment.utc_ms < -kMaxUtcMs || moment.utc_ms > kMaxUtcMs) {
    return out_of_range("utc_ms", moment.utc_ms);
  }
  if (moment.offset_min < -kMaxOffsetMin || moment.offset_min > kMaxOffsetMin) {
    return out_of_range("offset_min", moment.offset_min);
  }
  if (rollover_hour < 0 || rollover_hour > 23) return out_of_range("rollover_hour", rollover_hour);
  const std::int64_t ms = moment.utc_ms + moment.offset_min * kMinuteMs - rollover_hour * kHourMs;
  const std::int64_t cut = ms / kDayMs;  // toward zero; the floor is one less where ms is below it
  return ms % kDayMs < 0 ? cut - 1 : cut;
}

std::int64_t elapsed_days(std::int64_t last_day, std::int64_t day) {
  return std::max<std::int64_t>(0, day - last_day);
}

}  // namespace lockstep
