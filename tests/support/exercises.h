// Exercise files for tests: the shipped ones, and small ones built around a question.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "json/load.h"

namespace lockstep::test {

inline std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline const std::string kLessonPath = LOCKSTEP_EXERCISES "/using-many-devices/lesson.json";
inline const std::string kChapterPath = LOCKSTEP_EXERCISES "/parallel-training/chapter.json";

/// Every shipped lesson and chapter.
inline std::vector<ExerciseFile> shipped_files() {
  return {{kLessonPath, file_bytes(kLessonPath)}, {kChapterPath, file_bytes(kChapterPath)}};
}

inline Lesson shipped_lesson() {
  return *load_lesson(kLessonPath, file_bytes(kLessonPath)).value;
}

/// `text` with the first `from` replaced by `to`; `text` itself when it has none.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// A number question without faults. Its key is a / b.
inline const std::string kNumberQuestion = R"({
  "id": "quotient", "type": "number", "skill": "divide", "revision": 1,
  "canonical": {"a": 80, "b": 12},
  "parameters": {"a": {"choose": [60, 80, 100]}, "b": {"range": [7, 19], "step": 3}},
  "given": {"half": "a / 2"},
  "require": ["a > b"],
  "prompt": "What is {a} / {b}?",
  "key": "a / b",
  "rule": {"decimals": 3},
  "mistakes": [{"id": "inverted", "value": "b / a", "say": "{value} is upside down."},
               {"id": "halved", "value": "half / b", "say": "{value} is half of it."}],
  "hints": ["Divide."],
  "solution": ["{a} / {b} = {key}."],
  "examples": [{"answers": {"6.667": "correct", "0.15": "mistake:inverted"}}]
})";

/// A choice question without faults.
inline const std::string kChoiceQuestion = R"({
  "id": "direction", "type": "choice", "skill": "divide", "revision": 1,
  "canonical": {"n": 3},
  "parameters": {"n": {"range": [2, 9]}},
  "prompt": "Which way is {n}?",
  "options": [{"id": "up", "text": "Up by {n}.", "key": true},
              {"id": "down", "text": "Down by {n}.", "say": "Not down by {n}."},
              {"id": "aside", "text": "Aside.", "say": "Not aside."}],
  "hints": ["Look."],
  "solution": ["It is {key}."],
  "examples": [{"answers": {"up": "correct"}}]
})";

/// A lesson without faults around the questions, of which `asked` is the prediction.
inline std::string lesson_with(const std::string& questions,
                               const std::string& asked = "quotient") {
  return R"({
  "format": 1, "id": "small", "language": "en", "title": "Small", "chapter": "chapter",
  "subject": "Testing", "audience": "Tests",
  "attribution": {"author": "Tests", "licence": "MIT"},
  "skills": [{"id": "divide", "title": "Divide"}],
  "outcomes": ["Divide."],
  "predict": {"question": ")" +
         asked + R"(", "text": "Guess."},
  "idea": [{"title": "Idea", "text": "Text."}],
  "questions": [)" +
         questions + R"(],
  "parts": [{"title": "Part", "text": "Text.", "questions": [")" +
         asked + R"("]}],
  "check": {"question": ")" +
         asked + R"(", "text": "Again."},
  "worksheet": {"text": "Text.", "items": [{"kind": "question", "question": ")" +
         asked + R"("}]}
})";
}

inline const std::string kSmallLesson = lesson_with(kNumberQuestion + "," + kChoiceQuestion);

/// "code pointer" of every fault that checking this lesson finds.
inline std::vector<std::string> faults_in(const std::string& lesson) {
  const std::vector<ExerciseFile> files = {{"small/lesson.json", lesson}};
  std::vector<std::string> list;
  for (const FileFault& fault : check_exercises(files)) {
    list.push_back(fault.code + " " + fault.pointer);
  }
  return list;
}

}  // namespace lockstep::test
