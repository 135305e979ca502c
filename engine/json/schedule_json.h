// Schedules and their simulations as JSON text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "cost/search.h"
#include "cost/timed_schedule.h"
#include "schedule/schedule.h"

namespace lockstep {

/// A schedule that a page wants to see.
struct ScheduleRequest {
  std::string schedule;  ///< name or alias
  ScheduleShape shape;
  Durations durations;
  std::vector<StageBytes> bytes;  ///< empty where none were asked for
};

/// {"schedule": "one_f_one_b", "stages": devices, "microbatches": N, "chunks": N} and the texts of
/// durations.h, such as "forward": "3/2". The chunks (those that the schedule's row says) and the
/// texts may be left out. Errors: those of read_request and read_durations.
Result<ScheduleRequest> read_schedule_request(std::string_view json);

/// {"schedule", "microbatches", "stage_rank", "second_half_rank" (of DualPipe),
///  "ranks": ["0F0 0F1 …", …], "tick", "makespan", "least_time",
///  "bubbles": {"of_total", "of_ideal", "in_span", "span_of_ideal"} or null,
///  "devices": [{"busy", "first_start", "last_end", "peak_until_weight_gradient",
///  "peak_until_input_gradient", "spans": [{"action", "start", "end"}, …], "memory": {"weights",
///  "gradients", "optimizer", "points": [POINT, …]}}, …],
///  "search" (of one that was searched for): {"end": "proven", "node_limit" or "cancelled",
///  "lower_bound", "nodes"}}.
/// No order of the work takes less than "least_time", which
/// is left out where pairs that overlap have a time of their own. Times are exact, as texts: "33",
/// "3/11". A point of the memory curve is [from, activations in flight and their bytes until the
/// weight gradient, the same until the input gradient].
std::string write_timed_schedule(const TimedSchedule& timed, const SearchResult* search = nullptr);

/// {"faults": [{"code", "where", "message"}, …]}: of a schedule or a program.
std::string write_errors(std::span<const Error> faults);

}  // namespace lockstep
