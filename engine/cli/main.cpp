// lockstep: the engine as a command, for authors, teachers and course servers.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "cli/command.h"
#include "core/nearest.h"
#include "json/run_json.h"

namespace lockstep::cli {
namespace {

constexpr const Command* kCommands[] = {&kCheck,    &kShow, &kGrade,   &kSchedule, &kCollective,
                                        &kValidate, &kRun,  &kCompute, &kWorksheet};

constexpr Option kCommonOptions[] = {
    {"--json", "", "print one JSON object instead of text"},
    {"--help", "", "show this help"},
};

std::string row(std::string_view left, std::string_view right) {
  constexpr std::size_t kLeftColumns = 26;
  std::string line = "  " + std::string(left);
  line.resize(std::max(line.size() + 2, kLeftColumns), ' ');
  return line + std::string(right) + "\n";
}

std::string option_rows(std::span<const Option> options) {
  std::string text;
  for (const Option& option : options) {
    std::string left(option.name == "--output" ? "-o" : option.name);
    if (!option.placeholder.empty()) left += " " + std::string(option.placeholder);
    text += row(left, std::string(option.description) + (option.required ? " (needed)" : ""));
  }
  return text;
}

std::string help_of(const Command& command) {
  std::string text = std::string(command.summary) + "\n\nUsage: lockstep " +
                     std::string(command.name) + " " + std::string(command.operands);
  if (!command.operands.empty()) text += " ";
  text += "[options]\n\nOptions\n" + option_rows(command.options) + option_rows(kCommonOptions);
  return text + "\nExamples\n" + std::string(command.examples) +
         "\nExit status: 0 fine, 1 the content or answer is wrong, 2 bad use\n";
}

std::string help() {
  std::string text = "lockstep " LOCKSTEP_VERSION
                     ": train neural networks across many devices, check the gradients,\n"
                     "draw the schedules, grade the answers.\n\n"
                     "Usage: lockstep COMMAND [options]\n\nCommands\n";
  for (const Command* command : kCommands) text += row(command->name, command->summary);
  return text + "\n`lockstep COMMAND --help` shows what a command takes.\n";
}

int bad_command(std::string_view word) {
  std::vector<std::string_view> names;
  for (const Command* command : kCommands) names.push_back(command->name);
  const std::string message =
      "lockstep: there is no command \"" + std::string(word) + "\"" + did_you_mean(word, names);
  std::fprintf(stderr, "%s\n`lockstep --help` lists the commands.\n", message.c_str());
  return kBadUse;
}

int run_command(const Command& command, std::span<const std::string_view> words) {
  if (std::ranges::find(words, "--help") != words.end()) {
    print(help_of(command));
    return kFine;
  }
  std::vector<Option> options(command.options.begin(), command.options.end());
  options.push_back(kCommonOptions[0]);
  const Result<Arguments> arguments =
      Arguments::parse(words, options, command.operands_min, command.operands_max);
  if (arguments.ok()) return command.run(arguments.value());
  const Error& error = arguments.error();
  if (std::ranges::find(words, "--json") != words.end()) {
    print(write_error(error));
  } else {
    std::fprintf(stderr, "lockstep %s: %s: %s\n`lockstep %s --help` shows what it takes.\n",
                 std::string(command.name).c_str(), error.where.c_str(), error.message.c_str(),
                 std::string(command.name).c_str());
  }
  return kBadUse;
}

}  // namespace

int fail(const Arguments& arguments, const Error& error, Exit status) {
  if (arguments.has("--json")) {
    print(write_error(error));
  } else {
    std::fprintf(stderr, "lockstep: %s: %s\n", error.where.c_str(), error.message.c_str());
  }
  return status;
}

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (!text.ends_with('\n')) std::fputc('\n', stdout);
}

int main_with(std::span<const std::string_view> words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    print(help());
    return words.empty() ? kBadUse : kFine;
  }
  if (words[0] == "--version") {
    print("lockstep " LOCKSTEP_VERSION);
    return kFine;
  }
  const auto found = std::ranges::find(kCommands, words[0], &Command::name);
  if (found == std::end(kCommands)) return bad_command(words[0]);
  return run_command(**found, words.subspan(1));
}

}  // namespace lockstep::cli

int main(int count, char** words) {
  const std::vector<std::string_view> all(words + std::min(count, 1), words + count);
  const int status = lockstep::cli::main_with(all);
  if (std::fflush(stdout) != 0 && status == lockstep::cli::kFine) {
    std::fprintf(stderr, "lockstep: standard output cannot be written\n");
    return lockstep::cli::kBadUse;
  }
  return status;
}
