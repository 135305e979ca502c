#include "json/parse.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

/// Hands out the bytes of a text and tells how many it has handed out, since the parser does not
/// say where a value stands.
class CountingIterator {
 public:
  using value_type = char;
  using reference = const char&;
  using pointer = const char*;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;

  CountingIterator(const char* at, std::size_t* count) : at_(at), count_(count) {}

  const char& operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* count_;
};

/// A character that no author means: control characters, and marks that reorder or hide text.
bool is_forbidden(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x200B || code == 0xFEFF ||
         (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

char32_t decode(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  const std::size_t more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
  char32_t code = more == 0 ? lead : lead & (0x3Fu >> more);
  for (std::size_t i = 1; i <= more; ++i) code = (code << 6) | (byte(at + i) & 0x3Fu);
  at += more + 1;
  return code;
}

/// Receives the events of nlohmann's parser and grows the tree.
class TreeBuilder {
 public:
  TreeBuilder(FileFaults& faults, const JsonLimits& limits, const std::size_t& consumed)
      : faults_(faults), limits_(limits), bytes_(faults.text().bytes()), consumed_(consumed) {}

  FileValue take_root() { return std::move(root_); }

  bool null() { return add({ValueKind::null, false, "", {}, {}, start()}); }
  bool boolean(bool flag) { return add({ValueKind::flag, flag, "", {}, {}, start()}); }
  bool number_integer(std::int64_t) { return number(); }
  bool number_unsigned(std::uint64_t) { return number(); }
  bool number_float(double, const std::string&) { return number(); }

  bool string(std::string& text) {
    const std::size_t offset = start();
    check_text(text, offset, "");
    return add({ValueKind::text, false, std::move(text), {}, {}, offset});
  }

  bool binary(std::vector<std::uint8_t>&) { return false; }

  bool start_object(std::size_t) { return open(ValueKind::object); }
  bool start_array(std::size_t) { return open(ValueKind::list); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    const std::size_t offset = start();
    FileValue& object = *open_.back();
    const std::string pointer = pointer_to(open_pointer(), name);
    check_text(name, offset, pointer);
    if (name == "__proto__" || name == "constructor" || name == "prototype") {
      faults_.add(Spot{offset, pointer}, "forbidden_key",
                  in_quotes(name) + " is a reserved name in JavaScript, no key may be called so");
    }
    const auto same = std::find_if(object.keys.begin(), object.keys.end(),
                                   [&](const FileKey& other) { return other.name == name; });
    if (same != object.keys.end()) {
      const Place first = faults_.text().place(same->offset);
      faults_.add(Spot{offset, pointer}, "duplicate_key",
                  "the key " + in_quotes(name) + " was given before, at line " +
                      std::to_string(first.line) + ", column " + std::to_string(first.column));
    }
    object.keys.push_back({std::move(name), offset});
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) {
    constexpr int kNumberTooLarge = 406;
    if (error.id == kNumberTooLarge) {
      return refuse(start(), "bad_number", "this number is too large");
    }
    std::string what = error.what();
    const std::size_t reason = what.find(" - ");
    if (reason != std::string::npos) what.erase(0, reason + 3);
    what.erase(std::min(what.size(), what.find("; last read")));
    // A mark ("unexpected '}'") is one byte, the last one read; other tokens are found by start().
    const bool whole_token = what.starts_with("unexpected ") && !what.starts_with("unexpected '");
    const std::size_t offset = whole_token ? start() : consumed_ == 0 ? 0 : consumed_ - 1;
    return refuse(offset, "not_json", "this is not valid JSON: " + readable(what));
  }

 private:
  /// The parser's own words but for those that only its authors understand.
  static std::string readable(std::string what) {
    if (what.find("UTF-8") != std::string::npos) return "a byte that is not UTF-8";
    if (what.find("empty input") != std::string::npos) return "the file is empty";
    if (what.find("end of input") != std::string::npos) return "the file ends too early";
    return what;
  }

  bool refuse(std::size_t offset, std::string_view code, std::string message) {
    faults_.add(Spot{offset, open_pointer()}, code, std::move(message));
    return false;
  }

  /// The first byte of the token that was read last; only blanks, commas, colons and closing
  /// brackets stand between it and the end of the token before.
  std::size_t start() {
    while (token_end_ < consumed_ &&
           std::string_view(" \t\r\n,:]}").find(bytes_[token_end_]) != std::string_view::npos) {
      ++token_end_;
    }
    const std::size_t first = token_end_;
    token_end_ = consumed_;
    return first;
  }

  bool number() {
    const std::size_t offset = start();
    const std::size_t end =
        std::min(bytes_.size(), bytes_.find_first_not_of("+-.0123456789eE", offset));
    return add({ValueKind::number, false, bytes_.substr(offset, end - offset), {}, {}, offset});
  }

  void check_text(const std::string& text, std::size_t offset, const std::string& key_pointer) {
    const std::string pointer = key_pointer.empty() ? next_pointer() : key_pointer;
    if (text.size() > kMaxTextBytes) {
      faults_.add(Spot{offset, pointer}, "text_too_long",
                  "a text may have " + std::to_string(kMaxTextBytes) + " bytes, this one has " +
                      std::to_string(text.size()));
      return;
    }
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t before = at;
      if (!is_forbidden(decode(text, at))) continue;
      faults_.add(Spot{faults_.text().offset_in_text(offset, before), pointer},
                  "forbidden_character",
                  "control characters and marks that reorder or hide text are refused");
      return;
    }
  }

  bool add(FileValue value) {
    if (++values_ > limits_.values) {
      return refuse(value.offset, "too_many_values",
                    "a file may hold " + std::to_string(limits_.values) + " values");
    }
    if (open_.empty()) {
      root_ = std::move(value);
      return true;
    }
    FileValue& parent = *open_.back();
    parent.items.push_back(std::move(value));
    if (parent.items.size() <= limits_.items) return true;
    return refuse(parent.items.back().offset, "too_many_items",
                  "a list or an object may have " + std::to_string(limits_.items) + " items");
  }

  bool open(ValueKind kind) {
    const std::size_t offset = start();
    if (open_.size() >= kMaxFileDepth) {
      return refuse(offset, "too_deep",
                    "values may be nested " + std::to_string(kMaxFileDepth) + " deep");
    }
    if (!add({kind, false, "", {}, {}, offset})) return false;
    open_.push_back(open_.empty() ? &root_ : &open_.back()->items.back());
    return true;
  }

  bool close() {
    open_.pop_back();
    token_end_ = consumed_;
    return true;
  }

  std::string pointer_of(bool with_next_item) const {
    std::string pointer;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const FileValue& value = *open_[i];
      const bool last = i + 1 == open_.size();
      if (last && !with_next_item) break;
      const std::size_t index = last ? value.items.size() : value.items.size() - 1;
      pointer = value.kind == ValueKind::object ? pointer_to(pointer, value.keys[index].name)
                                                : pointer_to(pointer, std::to_string(index));
    }
    return pointer;
  }
  std::string open_pointer() const { return pointer_of(false); }
  std::string next_pointer() const { return pointer_of(true); }

  FileFaults& faults_;
  const JsonLimits& limits_;
  const std::string& bytes_;
  const std::size_t& consumed_;  ///< bytes that the parser has asked for
  std::size_t token_end_ = 0;
  std::size_t values_ = 0;
  FileValue root_;
  std::vector<FileValue*>
      open_;  ///< a list grows only while nothing in it is open: these stay valid
};

}  // namespace

std::optional<FileValue> parse_json(FileFaults& faults, const JsonLimits& limits) {
  const std::string& bytes = faults.text().bytes();
  if (bytes.size() > limits.bytes) {
    faults.add(Spot{}, "file_too_large",
               "a file may have " + std::to_string(limits.bytes) + " bytes, this one has " +
                   std::to_string(bytes.size()));
    return std::nullopt;
  }
  std::size_t consumed = 0;
  TreeBuilder builder(faults, limits, consumed);
  const CountingIterator first(bytes.data(), &consumed);
  const CountingIterator last(bytes.data() + bytes.size(), &consumed);
  if (!nlohmann::json::sax_parse(first, last, &builder)) return std::nullopt;
  return builder.take_root();
}

}  // namespace lockstep
