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
#include "schedule/validate.h"

namespace lockstep::cli {
namespace {

constexpr Option kOptions[] = {
    {"--memory", "N", "activations of a schedule in flight on a device, at most"},
    {"--freed-at", "W", "gradient at which they are free again: weight or input (weight)"},
    {"--trains", "", "a schedule without any backward is at fault"},
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

Result<Validated> validate_text(std::string_view text, const ScheduleDemands& demands) {
  if (first_word(text) == "program") {
    const Result<Program> program = read_program(text);
    if (!program.ok()) return program.error();
    return Validated{"program with " + counted(program.value().devices.size(), "device"),
                     validate(program.value())};
  }
  const Result<Schedule> schedule = read_schedule(text);
  if (!schedule.ok()) return schedule.error();
  std::size_t actions = 0;
  for (const std::vector<Action>& rank : schedule.value().ranks) actions += rank.size();
  return Validated{"schedule with " + counted(schedule.value().ranks.size(), "device") + ", " +
                       std::to_string(schedule.value().microbatches) +
                       (schedule.value().microbatches == 1 ? " microbatch, " : " microbatches, ") +
                       counted(actions, "action"),
                   validate_schedule(schedule.value(), demands)};
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
  const Result<Validated> validated = validate_text(text.value(), demands.value());
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
    .summary = "List every fault of a schedule (grid or CSV) or a program",
    .options = kOptions,
    .examples =
        "  lockstep validate my-schedule.txt\n"
        "  lockstep validate my-schedule.txt --memory 4\n"
        "  lockstep schedule gpipe --stages 2 --microbatches 3 | lockstep validate -\n",
    .run = run,
};

}  // namespace lockstep::cli
