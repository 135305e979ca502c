// A lesson and a chapter out of the tree of their file.
#pragma once

#include <optional>

#include "document/file_fault.h"
#include "document/value.h"
#include "lesson/lesson.h"

namespace lockstep {

/// Reads a lesson and notes every fault of form and meaning: keys, formulas, prose, ids that point
/// nowhere, schedules that do not exist. Null when there were faults.
std::optional<Lesson> read_lesson(const FileValue& root, FileFaults& faults);

/// The same for a chapter.
std::optional<Chapter> read_chapter(const FileValue& root, FileFaults& faults);

}  // namespace lockstep
