#include "program/line_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace lockstep {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::size_t kQuotedMax = 40;  ///< longer words are cut, so that messages stay readable

}  // namespace

std::string quoted(std::string_view word) {
  std::string text = "\"";
  for (const char letter : word.substr(0, kQuotedMax)) {
    text += letter >= ' ' && letter <= '~' ? letter : '?';
  }
  return text + (word.size() > kQuotedMax ? "…\"" : "\"");
}

std::string place(const Word& word) {
  return "line " + std::to_string(word.line) + ", column " + std::to_string(word.column);
}

LineReader::LineReader(std::string_view line, int number)
    : line_(line.substr(0, line.find('#'))), number_(number) {}

Word LineReader::peek() const {
  const std::size_t first = std::min(line_.find_first_not_of(kBlanks, position_), line_.size());
  const std::size_t last = std::min(line_.find_first_of(kBlanks, first), line_.size());
  if (error_) return {.text = {}, .line = number_, .column = static_cast<int>(first) + 1};
  return {.text = line_.substr(first, last - first),
          .line = number_,
          .column = static_cast<int>(first) + 1};
}

Word LineReader::next(std::string_view what) {
  const Word word = peek();
  if (word.text.empty()) fail("missing", word, "Expected " + std::string(what) + " here.");
  position_ = static_cast<std::size_t>(word.column) - 1 + word.text.size();
  return word;
}

void LineReader::keyword(std::string_view keyword) {
  const Word word = next(quoted(keyword));
  if (word.text == keyword) return;
  fail("unexpected", word, "Expected " + quoted(keyword) + ", not " + quoted(word.text) + ".");
}

int LineReader::integer(std::string_view what) {
  const Word word = next(what);
  const std::optional<int> value = to_int(word.text);
  if (value) return *value;
  fail("not_a_number", word,
       "Expected " + std::string(what) + ", a whole number, not " + quoted(word.text) + ".");
  return 0;
}

void LineReader::end() {
  const Word word = peek();
  if (word.text.empty()) return;
  fail("unexpected", word, quoted(word.text) + " is too much; the line is complete before it.");
}

void LineReader::fail(std::string code, const Word& word, std::string message) {
  if (error_) return;
  error_ = Error{std::move(code), place(word), std::move(message)};
}

std::optional<int> to_int(std::string_view text) {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t length = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return line;
}

}  // namespace lockstep
