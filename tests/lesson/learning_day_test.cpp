#include "lesson/learning_day.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace lockstep;

namespace {

constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::int64_t kDayMs = 24 * kHourMs;
/// 2026-01-10, 00:00 UTC: 56 years with 14 leap days are 20454 days, and 9 more.
constexpr std::int64_t kJanuary10 = 20'463;

std::int64_t day_of(std::int64_t utc_ms, int offset_min, int rollover_hour = kRolloverHour) {
  return learning_day({utc_ms, offset_min}, rollover_hour).value();
}

/// The day at a time of the clock on January 10 plus `days` in a zone.
std::int64_t local_day(int days, double hour, int offset_min = 0) {
  const auto ms = static_cast<std::int64_t>(hour * static_cast<double>(kHourMs));
  return day_of((kJanuary10 + days) * kDayMs + ms - offset_min * 60'000, offset_min);
}

}  // namespace

TEST_CASE("a learning day begins at four in the morning, in every zone") {
  for (int offset_min = -14 * 60; offset_min <= 14 * 60; offset_min += 15) {
    CAPTURE(offset_min);
    CHECK(local_day(0, 4, offset_min) == kJanuary10);
    CHECK(local_day(1, 0, offset_min) == kJanuary10);
    const std::int64_t four_ms = (kJanuary10 + 1) * kDayMs + 4 * kHourMs - offset_min * 60'000;
    CHECK(day_of(four_ms - 1, offset_min) == kJanuary10);
    CHECK(day_of(four_ms, offset_min) == kJanuary10 + 1);
  }
}

TEST_CASE("C1: the new day does not come at noon because UTC changes its date") {
  // 23:59 and 00:01 UTC are 15:59 and 16:01 in Los Angeles
  const std::int64_t midnight_ms = (kJanuary10 + 1) * kDayMs;
  CHECK(day_of(midnight_ms - 60'000, -480) == kJanuary10);
  CHECK(day_of(midnight_ms + 60'000, -480) == kJanuary10);
}

TEST_CASE("C5: who studies past midnight is still in the evening before") {
  CHECK(elapsed_days(local_day(0, 23.5), local_day(1, 0.5)) == 0);
  CHECK(elapsed_days(local_day(0, 23.5), local_day(1, 9)) == 1);
}

TEST_CASE("C7: 23 and 25 hours on neighbouring days are one day") {
  CHECK(elapsed_days(local_day(0, 12), local_day(1, 11)) == 1);
  CHECK(elapsed_days(local_day(0, 12), local_day(1, 13)) == 1);
}

TEST_CASE("C11: 86 400 seconds are one day") {
  const std::int64_t now_ms = 1'768'084'200'000;
  CHECK(elapsed_days(day_of(now_ms, 0), day_of(now_ms + 86'400'000, 0)) == 1);
}

TEST_CASE("C13: the hour at which a day begins is one constant, and any other works alike") {
  for (int hour = 0; hour < 24; ++hour) {
    CAPTURE(hour);
    const std::int64_t begin_ms = kJanuary10 * kDayMs + hour * kHourMs;
    CHECK(day_of(begin_ms - 1, 0, hour) == kJanuary10 - 1);
    CHECK(day_of(begin_ms, 0, hour) == kJanuary10);
  }
}

TEST_CASE("C15: the last day of a year is followed by the first of the next") {
  for (const int days : {355 - 365, 355}) {  // December 31 of 2025 and 2026
    CAPTURE(days);
    CHECK(local_day(days + 1, 12) == local_day(days, 12) + 1);
  }
}

TEST_CASE("a clock set back, or a flight that gains a day, gives no negative days") {
  CHECK(elapsed_days(20'606, 0) == 0);
  CHECK(elapsed_days(20'606, 20'605) == 0);
  CHECK(elapsed_days(20'606, 20'606) == 0);
}

TEST_CASE("days before 1970 are counted down, not towards zero") {
  CHECK(day_of(4 * kHourMs, 0) == 0);
  CHECK(day_of(4 * kHourMs - 1, 0) == -1);
  CHECK(day_of(4 * kHourMs - kDayMs, 0) == -1);
  CHECK(day_of(4 * kHourMs - kDayMs - 1, 0) == -2);
}

TEST_CASE("an instant that no clock can show is refused with the place") {
  const auto where = [](const Moment& moment, int rollover_hour = kRolloverHour) {
    const Result<std::int64_t> day = learning_day(moment, rollover_hour);
    return day.ok() ? "fine" : day.error().code + " " + day.error().where;
  };
  CHECK(where({kMaxUtcMs, 1440}) == "fine");
  CHECK(where({-kMaxUtcMs, -1440}) == "fine");
  CHECK(where({kMaxUtcMs + 1, 0}) == "out_of_range utc_ms");
  CHECK(where({-kMaxUtcMs - 1, 0}) == "out_of_range utc_ms");
  CHECK(where({0, 1441}) == "out_of_range offset_min");
  CHECK(where({0, -1441}) == "out_of_range offset_min");
  CHECK(where({0, 0}, 24) == "out_of_range rollover_hour");
  CHECK(where({0, 0}, -1) == "out_of_range rollover_hour");
}
