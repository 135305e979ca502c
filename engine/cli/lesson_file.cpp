#include "cli/lesson_file.h"

#include <cstdio>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/files.h"
#include "core/nearest.h"
#include "json/lesson_json.h"
#include "json/load.h"

namespace lockstep::cli {
namespace {

Result<const Locale*> read_locale(const Arguments& arguments) {
  if (!arguments.has("--locale")) return nullptr;
  const std::string id = arguments.text("--locale");
  if (const Locale* locale = find_locale(id)) return locale;
  std::vector<std::string_view> known;
  std::string list;
  for (const Locale& locale : locales()) {
    known.push_back(locale.id);
    list += " " + std::string(locale.id);
  }
  return Error{"unknown_locale", "--locale",
               "there is no locale \"" + id + "\"" + did_you_mean(id, known) + "; known:" + list};
}

}  // namespace

OpenedLesson open_lesson(const Arguments& arguments, const std::string& path) {
  std::error_code fault;
  const bool is_folder = std::filesystem::is_directory(path, fault);
  const std::string file =
      is_folder ? path + (path.ends_with('/') ? "" : "/") + "lesson.json" : path;
  Result<std::string> bytes = read_file(file);
  if (!bytes.ok()) return {std::nullopt, fail(arguments, bytes.error())};
  Loaded<Lesson> loaded = load_lesson(file, std::move(bytes).value());
  if (loaded.value) return {std::move(loaded.value), kFine};
  if (arguments.has("--json")) {
    print(write_faults(loaded.faults));
  } else {
    for (const FileFault& one : loaded.faults) std::fprintf(stderr, "%s\n", to_line(one).c_str());
  }
  return {std::nullopt, kWrong};
}

Result<Numbers> read_numbers(const Arguments& arguments) {
  const Result<const Locale*> locale = read_locale(arguments);
  if (!locale.ok()) return locale.error();
  const Result<long> seed =
      arguments.integer("--seed", 0, 0, std::numeric_limits<std::uint32_t>::max());
  if (!seed.ok()) return seed.error();
  return Numbers{static_cast<std::uint32_t>(seed.value()), locale.value()};
}

}  // namespace lockstep::cli
