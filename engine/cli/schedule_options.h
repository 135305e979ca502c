// What the forms of `lockstep schedule` share: its options, and how its results are shown.
#pragma once

#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cost/search.h"
#include "cost/timed_schedule.h"
#include "json/durations.h"
#include "schedule/communication.h"
#include "schedule/token.h"
#include "schedule/validate.h"

namespace lockstep::cli {

/// The durations and bytes that the options give.
Result<GivenDurations> given_durations(const Arguments& arguments);

/// The memory cap, rule of freeing and form of the backward that the options give.
Result<OrderLimits> given_limits(const Arguments& arguments);

/// The dialect of a given text: the older one with `--old`.
Dialect given_dialect(const Arguments& arguments);

/// Every fault of a schedule that was read from a text, with or without communication.
std::vector<Error> faults_of(const CommunicationSchedule& schedule,
                             const ScheduleDemands& demands = {});

/// Prints a schedule in the format that was asked for, with `remarks` where there is room for
/// comments, and what a search for it came to, if there was one, in JSON.
int print_schedule(const Arguments& arguments, const TimedSchedule& timed, std::string_view remarks,
                   const SearchResult* search = nullptr);

/// `lockstep schedule --from FILE`: a schedule that somebody wrote, in any of its text forms.
int show_schedule_file(const Arguments& arguments);

/// `lockstep schedule --search`: the shortest order under a memory cap.
int search_schedule(const Arguments& arguments);

}  // namespace lockstep::cli
