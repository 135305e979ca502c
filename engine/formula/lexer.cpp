#include "formula/lexer.h"

#include <array>
#include <string>

#include "core/text.h"

namespace lockstep {
namespace {

struct Sign {
  std::string_view text;
  TokenKind kind;
};

/// Longer signs before their beginnings.
constexpr std::array kSigns = {
    Sign{"<=", TokenKind::relation},
    Sign{">=", TokenKind::relation},
    Sign{"==", TokenKind::relation},
    Sign{"!=", TokenKind::relation},
    Sign{"<", TokenKind::relation},
    Sign{">", TokenKind::relation},
    Sign{"=", TokenKind::relation},
    Sign{"+", TokenKind::plus},
    Sign{"-", TokenKind::minus},
    Sign{"*", TokenKind::times},
    Sign{"/", TokenKind::divided},
    Sign{"^", TokenKind::power},
    Sign{"(", TokenKind::left_parenthesis},
    Sign{")", TokenKind::right_parenthesis},
    Sign{",", TokenKind::comma},
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

Result<Token> Lexer::next() {
  while (position_ < text_.size() && is_space(text_[position_])) ++position_;
  Token token;
  token.column = character_count(text_.substr(0, position_)) + 1;
  if (position_ == text_.size()) return token;
  const auto take = [&](TokenKind kind, std::size_t length) {
    token.kind = kind;
    token.text = text_.substr(position_, length);
    position_ += length;
    return token;
  };
  if (const std::size_t length = number_length()) return take(TokenKind::number, length);
  if (const std::size_t length = name_length()) return take(TokenKind::name, length);
  for (const Sign& sign : kSigns) {
    if (text_.substr(position_).starts_with(sign.text)) return take(sign.kind, sign.text.size());
  }
  std::size_t after = position_;
  next_code_point(text_, after);
  const std::string character(text_.substr(position_, after - position_));
  return Error{"unexpected_character", column_text(token.column),
               "\"" + character + "\" means nothing in a formula."};
}

/// Digits with points among them and an exponent; whether that is a number is judged when it is
/// read, so that "1.2.3" is reported as one wrong number.
std::size_t Lexer::number_length() const {
  const auto at = [this](std::size_t i) { return i < text_.size() ? text_[i] : '\0'; };
  std::size_t i = position_;
  if (!is_digit(at(i)) && !(at(i) == '.' && is_digit(at(i + 1)))) return 0;
  while (is_digit(at(i)) || at(i) == '.') ++i;
  if (at(i) == 'e' || at(i) == 'E') {
    const std::size_t digits = at(i + 1) == '+' || at(i + 1) == '-' ? i + 2 : i + 1;
    if (is_digit(at(digits))) {
      i = digits;
      while (is_digit(at(i))) ++i;
    }
  }
  return i - position_;
}

std::size_t Lexer::name_length() const {
  std::size_t i = position_;
  if (!is_letter(text_[i])) return 0;
  while (i < text_.size() && (is_letter(text_[i]) || is_digit(text_[i]))) ++i;
  return i - position_;
}

std::string column_text(std::size_t column) {
  return "column " + std::to_string(column);
}

}  // namespace lockstep
