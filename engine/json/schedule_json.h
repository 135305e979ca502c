// Schedules and their simulations as JSON text.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/result.h"
#include "cost/simulate.h"
#include "program/program.h"
#include "schedule/schedule.h"

namespace lockstep {

/// A schedule that a page wants to see.
struct ScheduleRequest {
  std::string schedule;  ///< name or alias
  ScheduleShape shape;
  Durations durations;
};

/// {"schedule": "one_f_one_b", "stages": devices, "microbatches": N, "chunks": N, "forward": "3/2",
///  "backward_input": "1", "backward_weight": "1", "latency": "0"}; the chunks (those that the
/// schedule's row says) and the durations, which are exact texts, may be left out. Errors: those of
/// read_request and read_exact.
Result<ScheduleRequest> read_schedule_request(std::string_view json);

/// A schedule, the program it was lowered to, and when everything in it happens.
struct TimedSchedule {
  const Schedule& schedule;
  const Program& program;
  const Durations& durations;
  const Timeline& simulation;
};

/// {"schedule", "microbatches", "stage_rank", "second_half_rank" (of DualPipe), "ranks": ["0F0 0F1
///  …", …], "tick", "makespan",
///  "bubbles": {"of_total", "of_ideal", "in_span", "span_of_ideal"} or null,
///  "devices": [{"busy", "first_start", "last_end", "peak_until_weight_gradient",
///  "peak_until_input_gradient", "spans": [{"action", "start", "end"}, …]}, …]}.
/// Times are exact, as texts: "33", "3/11".
std::string write_timed_schedule(const TimedSchedule& timed);

/// {"faults": [{"code", "where", "message"}, …]}: of a schedule or a program.
std::string write_errors(std::span<const Error> faults);

}  // namespace lockstep
