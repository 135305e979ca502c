// The words of a formula, with their columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/result.h"

namespace lockstep {

enum class TokenKind {
  number,
  name,
  plus,
  minus,
  times,
  divided,
  power,
  left_parenthesis,
  right_parenthesis,
  comma,
  relation,
  end,
};

/// A token; `text` points into the formula's text.
struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  std::size_t column = 1;  ///< in characters, from 1
};

/// Cuts a formula into tokens, one at a time.
class Lexer {
 public:
  /// `text` is well-formed UTF-8 and outlives the lexer.
  explicit Lexer(std::string_view text) : text_(text) {}

  /// The next token, `end` for ever once the text is used up. Errors: unexpected_character.
  Result<Token> next();

 private:
  std::size_t number_length() const;
  std::size_t name_length() const;

  std::string_view text_;
  std::size_t position_ = 0;
};

/// "column 7", as errors give their place.
std::string column_text(std::size_t column);

}  // namespace lockstep
