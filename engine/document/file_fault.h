// What is wrong with a file: every fault, each with its place.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "document/value.h"

namespace lockstep {

/// One thing to correct, for a person and for an editor.
struct FileFault {
  std::string code;        ///< stable word, snake_case: "unknown_key"
  std::string path;        ///< of the file, as it was given
  Place place;             ///< in the file
  std::string pointer;     ///< JSON Pointer of the value, "" for the whole file
  std::string message;     ///< what was found and what was expected, in one sentence
  std::string suggestion;  ///< the name that was probably meant, or empty

  bool operator==(const FileFault&) const = default;
};

/// "lesson.json:3:7: /title: message (did you mean "x"?) [code]".
std::string to_line(const FileFault& fault);

/// Where a fault is noted: a byte of the file and the value it belongs to.
struct Spot {
  std::size_t offset = 0;
  std::string pointer;
};

/// The faults of one file, found in any order. The text must outlive the list.
class FileFaults {
 public:
  FileFaults(std::string path, const FileText& text) : path_(std::move(path)), text_(&text) {}

  void add(const Spot& spot, std::string_view code, std::string message,
           std::string_view suggestion = {});
  /// A fault of a whole value.
  void add(const FileNode& node, std::string_view code, std::string message,
           std::string_view suggestion = {});
  /// A fault at byte `inside` of the decoded text of `node`.
  void add_inside(const FileNode& node, std::size_t inside, std::string_view code,
                  std::string message);

  /// How many were found, those past kMaxFileFaults included.
  std::size_t size() const { return found_; }

  const std::string& path() const { return path_; }
  const FileText& text() const { return *text_; }

  /// The faults in the order of the file; when there are more than kMaxFileFaults, a last one says
  /// so.
  std::vector<FileFault> sorted() const;

 private:
  std::string path_;
  const FileText* text_;
  std::vector<FileFault> faults_;
  std::size_t found_ = 0;
};

}  // namespace lockstep
