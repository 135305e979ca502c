// A LESSON on the command line: the folder of a lesson, or its lesson.json.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/arguments.h"
#include "core/decimal.h"
#include "lesson/lesson.h"

namespace lockstep::cli {

/// The lesson at `path`; where there is none, everything that is wrong with it has been printed and
/// `status` is what the command ends with.
struct OpenedLesson {
  std::optional<Lesson> lesson;
  int status = 0;
};
OpenedLesson open_lesson(const Arguments& arguments, const std::string& path);

/// Which numbers, written how: the `--seed` (0 when none was given) and the `--locale` (null).
struct Numbers {
  std::uint32_t seed = 0;
  const Locale* locale = nullptr;
};
Result<Numbers> read_numbers(const Arguments& arguments);

}  // namespace lockstep::cli
