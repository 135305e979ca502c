// A file as a tree of values, each of which knows where it stands.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// A place for an editor: both from 1, the column counted in characters.
struct Place {
  std::size_t line = 1;
  std::size_t column = 1;

  bool operator==(const Place&) const = default;
};

/// The bytes of a file, and its lines.
class FileText {
 public:
  explicit FileText(std::string bytes);

  const std::string& bytes() const { return bytes_; }

  /// The place of the byte at `offset`; past the end it is the end.
  Place place(std::size_t offset) const;

  /// The offset in the file of byte `inside` of the decoded JSON text that starts (with its
  /// quotation mark) at `offset`: escapes are longer in the file than in the text.
  std::size_t offset_in_text(std::size_t offset, std::size_t inside) const;

 private:
  std::string bytes_;
  std::vector<std::size_t> line_starts_;
};

enum class ValueKind { null, flag, number, text, list, object };

/// "null", "true or false", "a number", "a text", "a list", "an object".
std::string_view kind_name(ValueKind kind);

struct FileKey {
  std::string name;
  std::size_t offset = 0;  ///< of its quotation mark, in bytes from the start of the file
};

struct FileValue {
  ValueKind kind = ValueKind::null;
  bool flag = false;
  std::string text;              ///< the decoded text, or a number as it is spelt in the file
  std::vector<FileValue> items;  ///< of a list; of an object, in the order of `keys`
  std::vector<FileKey> keys;
  std::size_t offset = 0;  ///< of the first byte

  /// The value of an object under `key`, or null when it has none or is no object.
  const FileValue* find(std::string_view key) const;
};

/// A value and the way to it.
struct FileNode {
  const FileValue* value = nullptr;
  std::string pointer;  ///< JSON Pointer (RFC 6901)

  explicit operator bool() const { return value != nullptr; }

  /// The member `key`, which may be missing (then `value` is null).
  FileNode operator[](std::string_view key) const;
  /// Item `index` of a list, or the value of the object's key number `index`.
  FileNode item(std::size_t index) const;
  /// How many items a list or an object has; 0 for everything else and for a missing value.
  std::size_t size() const { return value ? value->items.size() : 0; }
};

/// `pointer` with one more step, "~" and "/" escaped.
std::string pointer_to(std::string_view pointer, std::string_view step);

/// The text between quotation marks, for messages.
std::string in_quotes(std::string_view text);

}  // namespace lockstep
