#include "core/text.h"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/random.h"

namespace lockstep {
namespace {

std::string folded(std::string_view text) {
  const Result<std::string> result = fold_typed(text);
  REQUIRE(result.ok());
  return result.value();
}

TEST_CASE("Every code point but surrogates goes through UTF-8 unchanged") {
  for (char32_t c = 0; c <= 0x10ffff; c += c < 0x3000 ? 1 : 61) {
    if (c >= 0xd800 && c <= 0xdfff) continue;
    std::string text;
    append_utf8(text, c);
    std::size_t position = 0;
    if (first_bad_utf8(text) || next_code_point(text, position) != c || position != text.size() ||
        character_count(text) != 1) {
      CAPTURE(static_cast<std::uint32_t>(c));
      FAIL("a code point was changed");
    }
  }
}

TEST_CASE("Malformed UTF-8 is found at its first byte") {
  struct Row {
    std::string_view text;
    std::size_t bad;
  };
  constexpr std::array kRows = {
      Row{"ab\x80", 2},                // continuation without a start
      Row{"a\xc0\xaf", 1},             // overlong slash
      Row{"\xc1\xbf", 0},              // overlong, two bytes
      Row{"\xe0\x80\xaf", 0},          // overlong, three bytes
      Row{"\xf0\x80\x80\xaf", 0},      // overlong, four bytes
      Row{"x\xed\xa0\x80", 1},         // lone surrogate
      Row{"\xf4\x90\x80\x80", 0},      // above U+10FFFF
      Row{"\xf8\x88\x80\x80\x80", 0},  // five bytes
      Row{"abc\xe2\x88", 3},           // cut short
      Row{"\xe2\x28\xa1", 0},          // second byte no continuation
      Row{"\xff", 0},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.bad);
    CHECK(first_bad_utf8(row.text) == row.bad);
    const Result<std::string> result = fold_typed(row.text);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().code == "bad_utf8");
    CHECK(result.error().where == "character " + std::to_string(row.bad + 1));
  }
  CHECK_FALSE(first_bad_utf8("−0.273 × 10⁻¹ 😀").has_value());
}

TEST_CASE("Random bytes are judged without a crash, and what passes folds") {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    CAPTURE(seed);
    std::string text;
    for (std::uint64_t i = 0; i < 8; ++i) {
      text += static_cast<char>(random_bits(seed, 0, i) & 0xff);
    }
    CHECK(fold_typed(text).ok() <= !first_bad_utf8(text).has_value());
  }
}

TEST_CASE("Digits of every script count as digits") {
  CHECK(folded("\uff10\uff0e\uff12\uff17\uff13") == "0.273");  // full width
  CHECK(folded("\u0662\u0665\u0666") == "256");                // Arabic-Indic
  CHECK(folded("\u06f2\u06f5\u06f6") == "256");                // Persian
  CHECK(folded("\u0968\u096b\u096c") == "256");                // Devanagari
  CHECK(folded("\U0001d7d0\U0001d7ef") == "23");               // mathematical bold, sans bold
  CHECK(decimal_digit(U'a') == -1);
  CHECK(decimal_digit(0x2160) == -1);  // Roman numeral one is no decimal digit
  CHECK(decimal_digit(0x2f) == -1);
  CHECK(decimal_digit(0x3a) == -1);
}

TEST_CASE("Signs that look alike become one sign, B14 among them") {
  CHECK(folded("\u22120.5") == "-0.5");
  CHECK(folded("\u20130.5") == "-0.5");
  CHECK(folded("1\u22152") == "1/2");
  CHECK(folded("1\u00f72") == "1/2");
  CHECK(folded("2.73\u00d710\u207b\u00b9") == "2.73*10^-1");
  CHECK(folded("10\u00b9\u2074") == "10^14");
  CHECK(folded("6\u00bd") == "6 1/2");
  CHECK(folded("1\u2019234") == "1'234");
  CHECK(folded("\uff11\uff25\uff0b\uff12\uff05") == "1E+2%");
}

TEST_CASE("Spaces of every width are spaces, and marks of no width are nothing") {
  CHECK(folded("1\u00a0000\u202f000\u2009000\t") == "1 000 000 000 ");
  CHECK(folded("\u200b0\u200d.\ufeff2\u2060\u00ad7\u200e3") == "0.273");
}

TEST_CASE("What is not understood stays, so that messages can show it") {
  CHECK(folded("0\u00b7273") == "0\u00b7273");
  CHECK(folded("zwei\u00e4") == "zwei\u00e4");
}

TEST_CASE("Control characters and marks that reorder text are refused with their place") {
  struct Row {
    std::string_view text;
    const char* where;
  };
  using namespace std::string_view_literals;
  constexpr std::array kRows = {
      Row{"ab\0c"sv, "character 3"},    Row{"\x1b[31m"sv, "character 1"},
      Row{"1\u202e2"sv, "character 2"}, Row{"\u2066"sv, "character 1"},
      Row{"é\x7f"sv, "character 2"},    Row{"\u0085"sv, "character 1"},
  };
  for (const Row& row : kRows) {
    const Result<std::string> result = fold_typed(row.text);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().code == "bad_character");
    CHECK(result.error().where == row.where);
  }
}

TEST_CASE("An answer of 200 characters is read and one of 201 is not") {
  CHECK(fold_typed(std::string(200, '1')).ok());
  std::string wide;
  for (int i = 0; i < 200; ++i) wide += "\u0662";
  CHECK(folded(wide).size() == 200);
  const Result<std::string> result = fold_typed(std::string(201, '1'));
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().code == "too_long");
}

}  // namespace
}  // namespace lockstep
