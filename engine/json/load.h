// Exercise files from their bytes: loading one, checking many.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "document/file_fault.h"
#include "lesson/lesson.h"

namespace lockstep {

/// What a file holds, or what is wrong with it; exactly one of the two.
template <typename T>
struct Loaded {
  std::optional<T> value;
  std::vector<FileFault> faults;
};

/// Reads a file of format 1. `path` only names it in faults.
Loaded<Lesson> load_lesson(std::string path, std::string bytes);
Loaded<Chapter> load_chapter(std::string path, std::string bytes);

/// A file to check; its path decides what it is: …/<id>/lesson.json or …/<id>/chapter.json.
struct ExerciseFile {
  std::string path;
  std::string bytes;
};

/// Every fault of every file, in the order of the files: form and meaning, the examples that the
/// author gave, every variant of every question (lesson/check_question.h), worksheets that do not
/// fit on paper, ids that two files share, chapters that are not among the files (where any is).
std::vector<FileFault> check_exercises(std::span<const ExerciseFile> files);

}  // namespace lockstep
