// Reading texts that are lines of words: programs and schedules.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"

namespace lockstep {

/// A word of a text and where it begins; both count from 1, the column in bytes.
struct Word {
  std::string_view text;
  int line = 0;
  int column = 0;
};

/// "line 3, column 7"
std::string place(const Word& word);

/// Reads one line word by word. Words are split at blanks; from '#' on the line is a comment. The
/// first error stays, and everything after it reads as nothing: ask for `error` once, at the end.
/// Views into `line`, which must live as long as its words.
class LineReader {
 public:
  LineReader(std::string_view line, int number);

  /// The word that comes next; its text is empty at the end of the line.
  Word peek() const;
  bool at_end() const { return peek().text.empty(); }

  /// The next word. Error: missing (says that `what` was expected).
  Word next(std::string_view what);

  /// The next word must be `keyword`. Errors: missing, unexpected.
  void keyword(std::string_view keyword);

  /// A whole number that fits an int. Errors: missing, not_a_number.
  int integer(std::string_view what);

  /// Nothing may be left on the line. Error: unexpected.
  void end();

  /// Notes an error at `word` unless there is one already.
  void fail(std::string code, const Word& word, std::string message);

  const std::optional<Error>& error() const { return error_; }

 private:
  std::string_view line_;
  int number_;
  std::size_t position_ = 0;
  std::optional<Error> error_;
};

/// The word between quotation marks as a message shows it: cut when long, and anything but plain
/// ASCII as '?', so that a message is valid UTF-8 whatever the text was.
std::string quoted(std::string_view word);

/// The whole number that `text` is, if it is one and fits an int.
std::optional<int> to_int(std::string_view text);

/// Splits off the first line of `text` (without its end) and returns it.
std::string_view take_line(std::string_view& text);

}  // namespace lockstep
