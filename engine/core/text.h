// Text as people type it: UTF-8 checked, then folded to what readers of numbers and names expect.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace lockstep {

/// The longest typed answer, in characters: a pasted page is refused before it costs anything.
inline constexpr std::size_t kTypedCharactersMax = 200;

/// Byte position of the first byte that is not part of well-formed UTF-8 (overlong forms,
/// surrogates and code points above U+10FFFF count as malformed), or nothing.
std::optional<std::size_t> first_bad_utf8(std::string_view text);

/// The code point that starts at byte `position` of well-formed UTF-8; moves `position` behind it.
char32_t next_code_point(std::string_view text, std::size_t& position);

/// Appends the UTF-8 form of a code point.
void append_utf8(std::string& text, char32_t code_point);

/// Characters (code points) of well-formed UTF-8.
std::size_t character_count(std::string_view text);

/// The decimal value 0 … 9 of a digit of any script (Unicode category Nd), or −1.
int decimal_digit(char32_t code_point);

/// A typed answer in plain characters: digits of all scripts, full-width signs, minus and dash
/// signs, slashes and multiplication signs become ASCII; superscripts become "^…"; one-character
/// fractions become "1/2"; spaces of every width become ' '; invisible marks go. Other characters
/// stay as they are. Errors: bad_utf8, too_long, bad_character (control characters and marks that
/// reorder text); `where` is the character, counted from 1.
Result<std::string> fold_typed(std::string_view text);

}  // namespace lockstep
