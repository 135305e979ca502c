#include "json/load.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string_view>
#include <utility>

#include "core/nearest.h"
#include "document/key_table.h"
#include "json/parse.h"
#include "lesson/check_question.h"
#include "lesson/read_lesson.h"
#include "worksheet/worksheet.h"

namespace lockstep {
namespace {

template <typename T>
Loaded<T> load(std::string path, std::string bytes,
               std::optional<T> (*read)(const FileValue&, FileFaults&)) {
  const FileText text(std::move(bytes));
  FileFaults faults(std::move(path), text);
  const std::optional<FileValue> root = parse_json(faults);
  Loaded<T> result;
  if (root) result.value = read(*root, faults);
  if (faults.size() > 0) result.value.reset();
  result.faults = faults.sorted();
  return result;
}

/// A file under check.
struct CheckedFile {
  explicit CheckedFile(const ExerciseFile& file) : text(file.bytes), faults(file.path, text) {}

  FileNode root() const { return {tree ? &*tree : nullptr, ""}; }

  FileText text;
  FileFaults faults;
  std::optional<FileValue> tree = {};
  bool is_chapter = false;
};

/// The last two names of "…/folder/name".
std::pair<std::string_view, std::string_view> folder_and_name(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string_view::npos) return {"", path};
  const std::string_view before = path.substr(0, slash);
  const std::size_t other = before.find_last_of('/');
  return {other == std::string_view::npos ? before : before.substr(other + 1),
          path.substr(slash + 1)};
}

void check_folder(CheckedFile& file) {
  const std::string_view folder = folder_and_name(file.faults.path()).first;
  const FileNode id = file.root()["id"];
  const bool named = !folder.empty() && folder != "." && folder != "..";
  if (!named || text_of(id).empty() || text_of(id) == folder) return;
  file.faults.add(id, "id_not_folder", "the id is the name of the folder, " + in_quotes(folder));
}

/// Worksheets of so many seeds are tried: what makes a grid too large shows soon.
constexpr std::uint32_t kSheetSeeds = 100;

void check_worksheet(const Lesson& lesson, CheckedFile& file) {
  for (std::uint32_t seed = 0; seed < kSheetSeeds; ++seed) {
    const Result<Worksheet> sheet = make_worksheet(std::span(&lesson, 1), seed);
    if (sheet.ok()) continue;
    file.faults.add(file.root()["worksheet"], sheet.error().code,
                    "seed " + std::to_string(seed) + ": " + sheet.error().message);
    return;
  }
}

void check_alone(CheckedFile& file) {
  file.tree = parse_json(file.faults);
  if (!file.tree) return;
  check_folder(file);
  if (file.is_chapter) {
    read_chapter(*file.tree, file.faults);
    return;
  }
  const std::optional<Lesson> lesson = read_lesson(*file.tree, file.faults);
  if (!lesson) return;
  for (std::size_t i = 0; i < lesson->questions.size(); ++i) {
    check_question(lesson->questions[i], file.root()["questions"].item(i), file.faults);
  }
  if (file.faults.size() == 0) check_worksheet(*lesson, file);
}

/// Notes ids of `list` in any file that another file before it has: stars and progress are kept
/// under them.
void check_ids_across(std::deque<CheckedFile>& files, std::string_view list) {
  std::vector<std::pair<std::string_view, const CheckedFile*>> seen;
  for (CheckedFile& file : files) {
    const FileNode items = file.root()[list];
    for (std::size_t i = 0; i < items.size(); ++i) {
      const FileNode id = items.item(i)["id"];
      const std::string_view text = text_of(id);
      const auto same = std::find_if(seen.begin(), seen.end(), [&](const auto& one) {
        return one.first == text && one.second != &file;
      });
      if (!text.empty() && same != seen.end()) {
        file.faults.add(id, "duplicate_id",
                        same->second->faults.path() + " has " + in_quotes(text) + " too");
      }
      seen.emplace_back(text, &file);
    }
  }
}

void check_chapters(std::deque<CheckedFile>& files) {
  std::vector<std::string_view> chapters;
  for (const CheckedFile& file : files) {
    if (file.is_chapter) chapters.push_back(text_of(file.root()["id"]));
  }
  if (chapters.empty()) return;
  for (CheckedFile& file : files) {
    const FileNode chapter = file.root()["chapter"];
    const std::string_view id = text_of(chapter);
    if (id.empty() || std::find(chapters.begin(), chapters.end(), id) != chapters.end()) continue;
    file.faults.add(chapter, "unknown_chapter", "no chapter is called " + in_quotes(id),
                    nearest(id, chapters));
  }
}

}  // namespace

Loaded<Lesson> load_lesson(std::string path, std::string bytes) {
  return load<Lesson>(std::move(path), std::move(bytes), read_lesson);
}

Loaded<Chapter> load_chapter(std::string path, std::string bytes) {
  return load<Chapter>(std::move(path), std::move(bytes), read_chapter);
}

std::vector<FileFault> check_exercises(std::span<const ExerciseFile> files) {
  std::deque<CheckedFile> checked;  // faults point into the texts: a file never moves
  for (const ExerciseFile& file : files) {
    CheckedFile& one = checked.emplace_back(file);
    const std::string_view name = folder_and_name(file.path).second;
    one.is_chapter = name == "chapter.json";
    if (one.is_chapter || name == "lesson.json") {
      check_alone(one);
    } else {
      one.faults.add(Spot{}, "unknown_file", "a file is called lesson.json or chapter.json");
    }
  }
  check_ids_across(checked, "questions");
  check_ids_across(checked, "skills");
  check_chapters(checked);
  std::vector<FileFault> all;
  for (const CheckedFile& file : checked) {
    const std::vector<FileFault> sorted = file.faults.sorted();
    all.insert(all.end(), sorted.begin(), sorted.end());
  }
  return all;
}

}  // namespace lockstep
