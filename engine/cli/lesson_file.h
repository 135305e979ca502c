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

/// The `--locale` that was given (null when none was) and the `--seed`.
Result<const Locale*> read_locale(const Arguments& arguments);
Result<std::uint32_t> read_variant_seed(const Arguments& arguments);

}  // namespace lockstep::cli
