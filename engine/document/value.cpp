#include "document/value.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lockstep {
namespace {

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u;
}

/// Bytes of UTF-8 for the character of a JSON escape that starts at `escape` ("\u00e9" gives 2),
/// and the bytes that the escape takes in the file. The escapes are known to be well formed.
std::pair<std::size_t, std::size_t> escape_sizes(std::string_view escape) {
  if (escape.size() < 6 || escape[1] != 'u') return {1, 2};
  std::size_t code = 0;
  for (const char digit : escape.substr(2, 4)) {
    const int low = digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
    code = code * 16 + static_cast<std::size_t>(low);
  }
  const bool first_of_pair = code >= 0xD800 && code <= 0xDBFF;
  if (first_of_pair) return {4, 12};
  return {code < 0x80 ? 1 : code < 0x800 ? 2 : 3, 6};
}

}  // namespace

FileText::FileText(std::string bytes) : bytes_(std::move(bytes)), line_starts_{0} {
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    if (bytes_[i] == '\n') line_starts_.push_back(i + 1);
  }
}

Place FileText::place(std::size_t offset) const {
  offset = std::min(offset, bytes_.size());
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const std::size_t line = static_cast<std::size_t>(after - line_starts_.begin());
  std::size_t column = 1;
  for (std::size_t i = line_starts_[line - 1]; i < offset; ++i) {
    if (!continues_character(bytes_[i])) ++column;
  }
  return {line, column};
}

std::size_t FileText::offset_in_text(std::size_t offset, std::size_t inside) const {
  std::size_t at = offset + 1;
  for (std::size_t decoded = 0; decoded < inside && at < bytes_.size();) {
    if (bytes_[at] != '\\') {
      ++decoded;
      ++at;
      continue;
    }
    const auto [text_bytes, file_bytes] = escape_sizes(std::string_view(bytes_).substr(at));
    decoded += text_bytes;
    if (decoded <= inside) at += file_bytes;
  }
  return std::min(at, bytes_.size());
}

std::string_view kind_name(ValueKind kind) {
  switch (kind) {
    case ValueKind::null:
      return "null";
    case ValueKind::flag:
      return "true or false";
    case ValueKind::number:
      return "a number";
    case ValueKind::text:
      return "a text";
    case ValueKind::list:
      return "a list";
    case ValueKind::object:
      return "an object";
  }
  return "";
}

const FileValue* FileValue::find(std::string_view key) const {
  if (kind != ValueKind::object) return nullptr;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].name == key) return &items[i];
  }
  return nullptr;
}

FileNode FileNode::operator[](std::string_view key) const {
  const FileValue* found = value ? value->find(key) : nullptr;
  return {found, pointer_to(pointer, key)};
}

FileNode FileNode::item(std::size_t index) const {
  assert(index < size());
  const bool named = value->kind == ValueKind::object;
  const std::string step = named ? value->keys[index].name : std::to_string(index);
  return {&value->items[index], pointer_to(pointer, step)};
}

std::string pointer_to(std::string_view pointer, std::string_view step) {
  std::string result(pointer);
  result += '/';
  for (const char letter : step) {
    if (letter == '~') {
      result += "~0";
    } else if (letter == '/') {
      result += "~1";
    } else {
      result += letter;
    }
  }
  return result;
}

std::string in_quotes(std::string_view text) {
  return std::string("\"").append(text).append("\"");
}

}  // namespace lockstep
