// lockstep schedule --search: the shortest order of a small pipeline under a memory cap.
#include "cost/search.h"

#include <cstdio>
#include <string>

#include "cli/command.h"
#include "cli/schedule_options.h"
#include "core/decimal.h"

namespace lockstep::cli {
namespace {

constexpr NumberStyle kAscii{.ascii = true};

Result<SearchTask> given_task(const Arguments& arguments, const Durations& durations) {
  if (!arguments.operands().empty()) {
    return Error{"bad_use", arguments.operands()[0], "a search takes no schedule's name"};
  }
  if (arguments.has("--chunks")) {
    return Error{"bad_use", "--chunks", "a search puts one chunk on a device"};
  }
  const Result<long> stages = arguments.integer("--stages", 1, 1, kSearchStagesMax);
  if (!stages.ok()) return stages.error();
  const Result<long> microbatches =
      arguments.integer("--microbatches", 1, 1, kSearchMicrobatchesMax);
  if (!microbatches.ok()) return microbatches.error();
  const Result<OrderLimits> limits = given_limits(arguments);
  if (!limits.ok()) return limits.error();
  return SearchTask{.stages = static_cast<int>(stages.value()),
                    .microbatches = static_cast<int>(microbatches.value()),
                    .durations = durations,
                    .limits = limits.value()};
}

std::string progress_text(const SearchProgress& progress) {
  return "searching: " + std::to_string(progress.nodes) + " beginnings, best " +
         shortest_text(progress.makespan, kAscii) + ", at least " +
         shortest_text(progress.lower_bound, kAscii);
}

std::string outcome_text(const SearchResult& result) {
  const std::string looked_at = " (" + std::to_string(result.nodes) + " beginnings looked at)\n";
  if (result.end == SearchEnd::proven) {
    return "# proven: no order that keeps to the limits is shorter" + looked_at;
  }
  return "# not proven: the shortest takes between " + shortest_text(result.lower_bound, kAscii) +
         " and " + shortest_text(result.makespan, kAscii) + looked_at;
}

}  // namespace

int search_schedule(const Arguments& arguments) {
  const Result<GivenDurations> given = given_durations(arguments);
  if (!given.ok()) return fail(arguments, given.error());
  const Result<SearchTask> task = given_task(arguments, given.value().durations);
  if (!task.ok()) return fail(arguments, task.error());
  SearchControl control{.progress_every = 1'000'000};
  const Result<long> nodes = arguments.integer("--nodes", 1'000'000, 1, 1'000'000'000);
  if (!nodes.ok()) return fail(arguments, nodes.error());
  control.nodes_max = nodes.value();
  control.go_on = [](const SearchProgress& progress) {
    std::fprintf(stderr, "%s\n", progress_text(progress).c_str());
    return true;
  };
  const Result<SearchResult> result = find_shortest(task.value(), control);
  if (!result.ok()) return fail(arguments, result.error());
  const Result<TimedSchedule> timed =
      timed_schedule(result.value().schedule, given.value().durations, given.value().bytes);
  if (!timed.ok()) return fail(arguments, timed.error());
  return print_schedule(arguments, timed.value(), outcome_text(result.value()), &result.value());
}

}  // namespace lockstep::cli
