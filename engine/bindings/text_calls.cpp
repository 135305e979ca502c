#include "bindings/text_calls.h"

#include "bindings/convert.h"
#include "cost/compute.h"
#include "json/compute_json.h"
#include "json/picture_json.h"
#include "json/progress_json.h"
#include "json/schedule_json.h"
#include "picture/timeline.h"
#include "schedule/schedule.h"

namespace lockstep::bindings {
namespace {

/// The text of what `call` makes of the request that `read` finds in `json`, or of an error.
template <typename Read, typename Call>
std::string answer(const std::string& json, Read read, Call call) {
  return guarded_text([&]() -> std::string {
    const auto request = read(json);
    if (!request.ok()) return write_error(request.error());
    const Result<std::string> text = call(request.value());
    return text.ok() ? text.value() : write_error(text.error());
  });
}

/// What `write` makes of a schedule that was made and simulated.
template <typename Write>
Result<std::string> simulated(const ScheduleRequest& request, Write write) {
  const Result<Schedule> schedule = make_schedule(request.schedule, request.shape);
  if (!schedule.ok()) return schedule.error();
  const Result<TimedSchedule> timed =
      timed_schedule(schedule.value(), request.durations, request.bytes);
  if (!timed.ok()) return timed.error();
  return write(timed.value());
}

}  // namespace

std::string time_schedule(const std::string& json) {
  return answer(json, read_schedule_request, [](const ScheduleRequest& request) {
    return simulated(request,
                     [](const TimedSchedule& timed) { return write_timed_schedule(timed); });
  });
}

std::string draw_schedule(const std::string& json) {
  return answer(json, read_schedule_request, [](const ScheduleRequest& request) {
    return simulated(request, [](const TimedSchedule& timed) {
      return write_picture(draw_timeline(timed.program, timed.simulation));
    });
  });
}

std::string compute_form(const std::string& json) {
  return answer(json, read_compute_request,
                [](const ComputeRequest& request) -> Result<std::string> {
                  const Result<Rational> value = compute(request.name, request.values);
                  if (!value.ok()) return value.error();
                  const std::string_view unit = find_closed_form(request.name).value().unit;
                  return write_value_json(request.name, value.value(), unit);
                });
}

std::string learning_day_of(const std::string& json) {
  return answer(json, read_moment, [](const Moment& moment) -> Result<std::string> {
    const Result<std::int64_t> day = learning_day(moment);
    if (!day.ok()) return day.error();
    return write_learning_day(day.value());
  });
}

std::string rate_answer(const std::string& json) {
  return answer(json, read_attempt, [](const Attempt& attempt) -> Result<std::string> {
    return write_rating(rating(attempt));
  });
}

std::string replay_answers(const std::string& json) {
  return answer(json, read_replay_request, [](const ReplayRequest& request) -> Result<std::string> {
    const Result<std::int64_t> today = learning_day(request.now);
    if (!today.ok()) return today.error();
    const Result<Replay> replayed = replay(request.events, request.now, request.renamings);
    if (!replayed.ok()) return replayed.error();
    return write_replay(replayed.value(), today.value());
  });
}

}  // namespace lockstep::bindings
