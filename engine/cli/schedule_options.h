// What the forms of `lockstep schedule` share: its options, and how its results are shown.
#pragma once

#include <string_view>

#include "cli/arguments.h"
#include "cost/search.h"
#include "cost/timed_schedule.h"
#include "json/durations.h"

namespace lockstep::cli {

/// The durations and bytes that the options give.
Result<GivenDurations> given_durations(const Arguments& arguments);

/// The memory cap, rule of freeing and form of the backward that the options give.
Result<OrderLimits> given_limits(const Arguments& arguments);

/// Prints a schedule in the format that was asked for, with `remarks` where there is room for
/// comments, and what a search for it came to, if there was one, in JSON.
int print_schedule(const Arguments& arguments, const TimedSchedule& timed, std::string_view remarks,
                   const SearchResult* search = nullptr);

/// `lockstep schedule --search`: the shortest order under a memory cap.
int search_schedule(const Arguments& arguments);

}  // namespace lockstep::cli
