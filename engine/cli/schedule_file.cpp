// lockstep schedule --from FILE: a schedule that somebody wrote, shown or put into another form.
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/files.h"
#include "cli/schedule_options.h"
#include "schedule/text.h"

namespace lockstep::cli {
namespace {

Status check_alone(const Arguments& arguments) {
  if (!arguments.operands().empty()) {
    return Error{"bad_use", arguments.operands()[0], "--from takes no schedule's name"};
  }
  for (const std::string_view option : {"--stages", "--microbatches", "--chunks"}) {
    if (!arguments.has(option)) continue;
    return Error{"bad_use", std::string(option), "the file says it"};
  }
  return fine();
}

}  // namespace

int show_schedule_file(const Arguments& arguments) {
  if (const Status checked = check_alone(arguments); !checked.ok()) {
    return fail(arguments, checked.error());
  }
  const Result<GivenDurations> given = given_durations(arguments);
  if (!given.ok()) return fail(arguments, given.error());
  const std::string path = arguments.text("--from");
  const Result<std::string> text = read_file(path);
  if (!text.ok()) return fail(arguments, text.error());
  const auto fail_at = [&](const Error& error, const std::string& more) {
    return fail(arguments, {error.code, path + ": " + error.where, error.message + more}, kWrong);
  };
  const Result<CommunicationSchedule> read =
      read_communication(text.value(), given_dialect(arguments));
  if (!read.ok()) return fail_at(read.error(), "");
  const std::vector<Error> faults = faults_of(read.value());
  if (!faults.empty()) {
    return fail_at(faults.front(), " `lockstep validate` lists every fault.");
  }
  const Result<TimedSchedule> timed =
      timed_schedule(work_of(read.value()), given.value().durations, given.value().bytes);
  if (!timed.ok()) return fail(arguments, timed.error());
  return print_schedule(arguments, timed.value(), "");
}

}  // namespace lockstep::cli
