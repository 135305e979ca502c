// lockstep check: every fault of exercise files, with its place.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/files.h"
#include "json/lesson_json.h"
#include "json/load.h"

namespace lockstep::cli {
namespace {

Result<std::vector<ExerciseFile>> read_exercises(const std::vector<std::string>& paths) {
  std::vector<std::string> found;
  for (const std::string& path : paths) {
    for (const std::string_view name : {"chapter.json", "lesson.json"}) {
      Result<std::vector<std::string>> files = find_files(path, name);
      if (!files.ok()) return files.error();
      found.insert(found.end(), files.value().begin(), files.value().end());
    }
  }
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  if (found.empty()) {
    return Error{"no_exercises", paths.front(), "there is no lesson.json or chapter.json here"};
  }
  std::vector<ExerciseFile> exercises;
  for (const std::string& path : found) {
    Result<std::string> bytes = read_file(path);
    if (!bytes.ok()) return bytes.error();
    exercises.push_back({path, std::move(bytes).value()});
  }
  return exercises;
}

int run(const Arguments& arguments) {
  const Result<std::vector<ExerciseFile>> exercises = read_exercises(arguments.operands());
  if (!exercises.ok()) return fail(arguments, exercises.error());
  const std::vector<FileFault> faults = check_exercises(exercises.value());
  if (arguments.has("--json")) {
    print(write_faults(faults));
  } else {
    for (const FileFault& fault : faults) print(to_line(fault));
    print(counted(exercises.value().size(), "file") + ": " +
          (faults.empty() ? "no fault" : counted(faults.size(), "fault")));
  }
  return faults.empty() ? kFine : kWrong;
}

}  // namespace

const Command kCheck = {
    .name = "check",
    .operands = "PATH...",
    .operands_min = 1,
    .operands_max = 1000,
    .summary = "List every fault of exercise files, try their examples and every variant",
    .options = {},
    .examples =
        "  lockstep check exercises/\n"
        "  lockstep check exercises/using-many-devices/lesson.json --json\n",
    .run = run,
};

}  // namespace lockstep::cli
