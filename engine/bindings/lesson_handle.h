// A lesson on the page's side of the border, and what the page reads of a chapter.
#pragma once

#include <emscripten/val.h>

#include <string>

#include "lesson/lesson.h"

namespace lockstep::bindings {

/// A lesson that JavaScript holds and must free. Every call gives JSON text, of a value or of an
/// error. `locale` is an id of core/decimal.h, or empty: marks with two readings are asked about.
/// A seed comes as JavaScript's number, so that one which is no whole number is refused instead of
/// rounded.
class LessonHandle {
 public:
  explicit LessonHandle(Lesson lesson);
  ~LessonHandle();
  LessonHandle(const LessonHandle&) = delete;
  LessonHandle& operator=(const LessonHandle&) = delete;

  std::string page(const std::string& locale) const;
  std::string view(const std::string& question, double seed, const std::string& locale) const;
  std::string grade(const std::string& question, double seed, const std::string& locale,
                    const std::string& answer) const;
  std::string hints(const std::string& question, double seed, const std::string& locale) const;
  std::string reveal(const std::string& question, double seed, const std::string& locale) const;
  std::string worksheet(double seed, const std::string& locale, const std::string& paper) const;

 private:
  Lesson lesson_;
};

/// A LessonHandle, or the text of an error or of the file's faults. `path` names it in faults.
emscripten::val load_lesson_file(const std::string& path, const emscripten::val& bytes);

/// A chapter's page, or an error, or the file's faults.
std::string read_chapter_file(const std::string& path, const emscripten::val& bytes,
                              const std::string& locale);

/// Lessons that were loaded and not freed.
int live_lessons();

}  // namespace lockstep::bindings
