// The subcommands of `lockstep`: one file each, one row each in main.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/arguments.h"
#include "core/result.h"

namespace lockstep::cli {

/// Exit status of the whole command; the same three everywhere.
enum Exit : int {
  kFine = 0,
  kWrong = 1,   ///< the content or the answer is wrong, a check failed
  kBadUse = 2,  ///< unknown words, missing files, numbers out of range
};

/// A subcommand. `--help` and `--json` belong to all and stand in no row.
struct Command {
  std::string_view name;
  std::string_view operands;  ///< as the help shows them: "LESSON", "PATH..."
  int operands_min;
  int operands_max;
  std::string_view summary;  ///< one line
  std::span<const Option> options;
  std::string_view examples;  ///< lines to copy, shown by --help
  int (*run)(const Arguments& arguments);
};

extern const Command kCheck, kShow, kGrade, kSchedule, kCollective, kValidate, kRun, kCompute,
    kWorksheet;

/// Prints the error where it belongs: to standard error for people, or, with --json, as
/// {"error": {code, where, message}} on standard output. Returns `status` to hand on.
int fail(const Arguments& arguments, const Error& error, Exit status = kBadUse);

/// Prints text (with a line end added where it lacks one) to standard output.
void print(std::string_view text);

}  // namespace lockstep::cli
