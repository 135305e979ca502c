#include "core/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace lockstep {
namespace {

/// The zero of every run of ten decimal digits: category Nd of Unicode 15.1, UnicodeData.txt.
constexpr std::array<char32_t, 68> kDigitZeros = {
    0x30,    0x660,   0x6f0,   0x7c0,   0x966,   0x9e6,   0xa66,   0xae6,   0xb66,   0xbe6,
    0xc66,   0xce6,   0xd66,   0xde6,   0xe50,   0xed0,   0xf20,   0x1040,  0x1090,  0x17e0,
    0x1810,  0x1946,  0x19d0,  0x1a80,  0x1a90,  0x1b50,  0x1bb0,  0x1c40,  0x1c50,  0xa620,
    0xa8d0,  0xa900,  0xa9d0,  0xa9f0,  0xaa50,  0xabf0,  0xff10,  0x104a0, 0x10d30, 0x11066,
    0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0,
    0x11950, 0x11c50, 0x11d50, 0x11da0, 0x11f50, 0x16a60, 0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8,
    0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e950, 0x1fbf0,
};

struct Replacement {
  char32_t from;
  std::string_view to;
};

/// Signs that look like one of ours. Sorted by code point.
constexpr std::array kReplacements = {
    Replacement{U'\t', " "},     Replacement{U'\n', " "},     Replacement{U'\r', " "},
    Replacement{0x00a0, " "},    Replacement{0x00bc, " 1/4"}, Replacement{0x00bd, " 1/2"},
    Replacement{0x00be, " 3/4"}, Replacement{0x00d7, "*"},    Replacement{0x00f7, "/"},
    Replacement{0x02bc, "'"},    Replacement{0x066a, "%"},    Replacement{0x066b, "."},
    Replacement{0x1680, " "},    Replacement{0x2010, "-"},    Replacement{0x2011, "-"},
    Replacement{0x2012, "-"},    Replacement{0x2013, "-"},    Replacement{0x2019, "'"},
    Replacement{0x202f, " "},    Replacement{0x2044, "/"},    Replacement{0x205f, " "},
    Replacement{0x2150, " 1/7"}, Replacement{0x2151, " 1/9"}, Replacement{0x2152, " 1/10"},
    Replacement{0x2153, " 1/3"}, Replacement{0x2154, " 2/3"}, Replacement{0x2155, " 1/5"},
    Replacement{0x2156, " 2/5"}, Replacement{0x2157, " 3/5"}, Replacement{0x2158, " 4/5"},
    Replacement{0x2159, " 1/6"}, Replacement{0x215a, " 5/6"}, Replacement{0x215b, " 1/8"},
    Replacement{0x215c, " 3/8"}, Replacement{0x215d, " 5/8"}, Replacement{0x215e, " 7/8"},
    Replacement{0x2212, "-"},    Replacement{0x2215, "/"},    Replacement{0x2217, "*"},
    Replacement{0x22c5, "*"},    Replacement{0x3000, " "},    Replacement{0xfe62, "+"},
    Replacement{0xfe63, "-"},    Replacement{0xfe6a, "%"},
};

constexpr char32_t kFullWidthFirst = 0xff01;  // '!'
constexpr char32_t kFullWidthLast = 0xff5e;   // '~'

bool in(char32_t c, char32_t first, char32_t last) {
  return c >= first && c <= last;
}

bool is_refused(char32_t c) {
  const bool control = (c < 0x20 && c != U'\t' && c != U'\n' && c != U'\r') || in(c, 0x7f, 0x9f);
  const bool reorders_text = in(c, 0x202a, 0x202e) || in(c, 0x2066, 0x2069);
  return control || reorders_text;
}

bool is_invisible(char32_t c) {
  return c == 0xad || c == 0x61c || in(c, 0x200b, 0x200f) || in(c, 0x2060, 0x2064) ||
         in(c, 0xfe00, 0xfe0f) || c == 0xfeff;
}

/// The ASCII character that a superscript stands for, or 0.
char plain_superscript(char32_t c) {
  if (c == 0xb9) return '1';
  if (c == 0xb2) return '2';
  if (c == 0xb3) return '3';
  if (c == 0x207a) return '+';
  if (c == 0x207b) return '-';
  if (c == 0x2070 || in(c, 0x2074, 0x2079)) return static_cast<char>('0' + (c - 0x2070));
  return 0;
}

/// Appends one visible character that is not a superscript.
void append_folded(std::string& text, char32_t c) {
  if (const int digit = decimal_digit(c); digit >= 0) {
    text += static_cast<char>('0' + digit);
    return;
  }
  if (in(c, kFullWidthFirst, kFullWidthLast)) {
    text += static_cast<char>('!' + (c - kFullWidthFirst));
    return;
  }
  if (in(c, 0x2000, 0x200a)) {
    text += ' ';
    return;
  }
  const auto row = std::ranges::lower_bound(kReplacements, c, {}, &Replacement::from);
  if (row != kReplacements.end() && row->from == c) {
    text += row->to;
  } else {
    append_utf8(text, c);
  }
}

/// Bytes of the sequence that `lead` starts, or 0 for a byte that starts none.
std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  return 0;
}

/// Whether the second byte may follow the lead byte (RFC 3629, section 4): it may not make an
/// overlong form, a surrogate or a code point above U+10FFFF.
bool second_byte_fits(unsigned char lead, unsigned char second) {
  if (lead == 0xe0) return second >= 0xa0 && second <= 0xbf;
  if (lead == 0xed) return second >= 0x80 && second <= 0x9f;
  if (lead == 0xf0) return second >= 0x90 && second <= 0xbf;
  if (lead == 0xf4) return second >= 0x80 && second <= 0x8f;
  return second >= 0x80 && second <= 0xbf;
}

unsigned char byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

Error text_error(std::string code, std::size_t character, std::string message) {
  return {std::move(code), "character " + std::to_string(character), std::move(message)};
}

}  // namespace

std::optional<std::size_t> first_bad_utf8(std::string_view text) {
  std::size_t start = 0;
  while (start < text.size()) {
    const unsigned char lead = byte_at(text, start);
    const std::size_t length = sequence_length(lead);
    if (length == 0) return start;
    for (std::size_t i = 1; i < length; ++i) {
      if (start + i >= text.size()) return start;
      const unsigned char next = byte_at(text, start + i);
      if (i == 1 ? !second_byte_fits(lead, next) : (next & 0xc0) != 0x80) return start;
    }
    start += length;
  }
  return std::nullopt;
}

char32_t next_code_point(std::string_view text, std::size_t& position) {
  const unsigned char lead = byte_at(text, position);
  const std::size_t length = sequence_length(lead);
  constexpr std::array<unsigned char, 5> kLeadBits = {0, 0x7f, 0x1f, 0x0f, 0x07};
  auto code_point = static_cast<char32_t>(lead & kLeadBits[length]);
  for (std::size_t i = 1; i < length; ++i) {
    code_point = code_point << 6 | (byte_at(text, position + i) & 0x3f);
  }
  position += length;
  return code_point;
}

void append_utf8(std::string& text, char32_t c) {
  const auto tail = [c](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += {static_cast<char>(0xc0 | c >> 6), tail(0)};
  } else if (c < 0x10000) {
    text += {static_cast<char>(0xe0 | c >> 12), tail(6), tail(0)};
  } else {
    text += {static_cast<char>(0xf0 | c >> 18), tail(12), tail(6), tail(0)};
  }
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

int decimal_digit(char32_t code_point) {
  const auto after = std::ranges::upper_bound(kDigitZeros, code_point);
  if (after == kDigitZeros.begin()) return -1;
  const char32_t distance = code_point - *(after - 1);
  return distance < 10 ? static_cast<int>(distance) : -1;
}

Result<std::string> fold_typed(std::string_view text) {
  if (const auto bad = first_bad_utf8(text)) {
    return text_error("bad_utf8", character_count(text.substr(0, *bad)) + 1,
                      "This is not readable text (malformed UTF-8).");
  }
  if (character_count(text) > kTypedCharactersMax) {
    return text_error(
        "too_long", kTypedCharactersMax + 1,
        "An answer has at most " + std::to_string(kTypedCharactersMax) + " characters.");
  }
  std::string folded;
  folded.reserve(text.size());
  bool in_superscript = false;
  std::size_t character = 0;
  for (std::size_t position = 0; position < text.size();) {
    const char32_t c = next_code_point(text, position);
    ++character;
    if (is_refused(c)) {
      return text_error("bad_character", character,
                        "There is an invisible control character in the answer: type it afresh.");
    }
    if (is_invisible(c)) continue;
    if (const char plain = plain_superscript(c)) {
      if (!in_superscript) folded += '^';
      folded += plain;
      in_superscript = true;
      continue;
    }
    in_superscript = false;
    append_folded(folded, c);
  }
  return folded;
}

}  // namespace lockstep
