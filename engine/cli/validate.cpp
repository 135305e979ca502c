// lockstep validate: every fault of a schedule or a program that somebody wrote.
#include "program/validate.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "cli/command.h"
#include "cli/files.h"
#include "cli/schedule_options.h"
#include "json/schedule_json.h"
#include "program/text.h"
#include "schedule/text.h"

namespace lockstep::cli {
namespace {

constexpr Option kOptions[] = {
    {"--memory", "N", "activations of a schedule in flight on a device, at most"},
    {"--freed-at", "W", "gradient at which they are free again: weight or input (weight)"},
    {"--trains", "", "a schedule without any backward is at fault"},
    {"--old", "", "a CSV in PyTorch's older dialect: B is the input gradient, BW the whole"},
};

/// The first word that is not in a comment: programs begin with "program".
std::string_view first_word(std::string_view text) {
  while (!text.empty()) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos) return {};
    text.remove_prefix(start);
    if (text.front() != '#') return text.substr(0, text.find_first_of(" \t\r\n"));
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  return {};
}

struct Validated {
  std::string summary;
  std::vector<Error> faults;
};

/// "schedule with 2 devices, 1 microbatch, 4 actions", and "4 of communication" where there are
/// any.
std::string summary_of(const CommunicationSchedule& schedule) {
  std::size_t work = 0;
  std::size_t communication = 0;
  for (const std::vector<CommunicationAction>& rank : schedule.ranks) {
    for (const CommunicationAction& action : rank) ++(is_work(action.kind) ? work : communication);
  }
  return "schedule with " + counted(schedule.ranks.size(), "device") + ", " +
         std::to_string(schedule.microbatches) +
         (schedule.microbatches == 1 ? " microbatch, " : " microbatches, ") +
         counted(work, "action") +
         (communication == 0 ? "" : ", " + std::to_string(communication) + " of communication");
}

Result<Validated> validate_text(std::string_view text, Dialect dialect,
                                const ScheduleDemands& demands) {
  if (first_word(text) == "program") {
    const Result<Program> program = read_program(text);
    if (!program.ok()) return program.error();
    return Validated{"program with " + counted(program.value().devices.size(), "device"),
                     validate(program.value())};
  }
  const Result<CommunicationSchedule> schedule = read_communication(text, dialect);
  if (!schedule.ok()) return schedule.error();
  return Validated{summary_of(schedule.value()), faults_of(schedule.value(), demands)};
}

Result<ScheduleDemands> read_demands(const Arguments& arguments) {
  const Result<OrderLimits> limits = given_limits(arguments);
  if (!limits.ok()) return limits.error();
  return ScheduleDemands{.backward = arguments.has("--trains"),
                         .memory_cap = limits.value().memory_cap,
                         .freeing = limits.value().freeing};
}

int run(const Arguments& arguments) {
  const std::string& path = arguments.operands()[0];
  const Result<std::string> text = read_file(path);
  if (!text.ok()) return fail(arguments, text.error());
  const Result<ScheduleDemands> demands = read_demands(arguments);
  if (!demands.ok()) return fail(arguments, demands.error());
  const Result<Validated> validated =
      validate_text(text.value(), given_dialect(arguments), demands.value());
  if (!validated.ok()) {
    const Error& error = validated.error();
    return fail(arguments, {error.code, path + ": " + error.where, error.message}, kWrong);
  }
  const auto& [summary, faults] = validated.value();
  if (arguments.has("--json")) {
    print(write_errors(faults));
  } else if (faults.empty()) {
    print("valid: " + summary);
  } else {
    for (const Error& fault : faults) print(fault.where + ": " + fault.message);
    print(counted(faults.size(), "fault") + " in a " + summary);
  }
  return faults.empty() ? kFine : kWrong;
}

}  // namespace

const Command kValidate = {
    .name = "validate",
    .operands = "FILE|-",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "List every fault of a schedule (grid or PyTorch's CSV) or a program",
    .options = kOptions,
    .examples =
        "  lockstep validate my-schedule.txt\n"
        "  lockstep validate my-schedule.txt --memory 4\n"
        "  lockstep schedule gpipe --stages 2 --microbatches 3 | lockstep validate -\n",
    .run = run,
};

}  // namespace lockstep::cli
