#include "document/file_fault.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "document/limits.h"

namespace lockstep {

std::string to_line(const FileFault& fault) {
  std::string line = fault.path + ":" + std::to_string(fault.place.line) + ":" +
                     std::to_string(fault.place.column) + ": ";
  if (!fault.pointer.empty()) line += fault.pointer + ": ";
  line += fault.message;
  if (!fault.suggestion.empty()) line += " (did you mean \"" + fault.suggestion + "\"?)";
  return line + " [" + fault.code + "]";
}

void FileFaults::add(const Spot& spot, std::string_view code, std::string message,
                     std::string_view suggestion) {
  if (++found_ > kMaxFileFaults) return;
  faults_.push_back({std::string(code), path_, text_->place(spot.offset), spot.pointer,
                     std::move(message), std::string(suggestion)});
}

void FileFaults::add(const FileNode& node, std::string_view code, std::string message,
                     std::string_view suggestion) {
  add(Spot{node.value->offset, node.pointer}, code, std::move(message), suggestion);
}

void FileFaults::add_inside(const FileNode& node, std::size_t inside, std::string_view code,
                            std::string message) {
  const std::size_t offset = text_->offset_in_text(node.value->offset, inside);
  add(Spot{offset, node.pointer}, code, std::move(message));
}

std::vector<FileFault> FileFaults::sorted() const {
  std::vector<FileFault> result = faults_;
  const auto position = [](const FileFault& fault) {
    return std::tie(fault.place.line, fault.place.column);
  };
  std::stable_sort(result.begin(), result.end(), [&](const FileFault& a, const FileFault& b) {
    return position(a) < position(b);
  });
  if (found_ > result.size()) {
    const Place end = text_->place(text_->bytes().size());
    const std::string more = std::to_string(found_ - result.size());
    result.push_back({"too_many_faults", path_, end, "", more + " more faults are not listed", ""});
  }
  return result;
}

}  // namespace lockstep
