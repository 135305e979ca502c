#include "question/number_parse.h"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <string>
#include <string_view>

#include "core/random.h"
#include "question/number_support.h"

namespace lockstep {
namespace {

/// The value read, as plain text, or the error's code.
std::string reading(std::string_view typed, std::string_view locale = "") {
  const Result<TypedNumber> number = parse_number(typed, {.locale = find_locale(locale)});
  if (!number.ok()) return number.error().code;
  const std::string unit = number.value().unit.empty() ? "" : " [" + number.value().unit + "]";
  return shortest_text(number.value().value, {.ascii = true}) + unit;
}

TypedNumber typed_number(std::string_view typed) {
  const Result<TypedNumber> number = parse_number(typed);
  REQUIRE(number.ok());
  return number.value();
}

TEST_CASE("Marks are read as the declared locale uses them") {
  struct Row {
    const char* typed;
    const char* none;
    const char* en;
    const char* de;
    const char* ch;
    const char* in;
  };
  constexpr const char* kComma = "ambiguous_comma";
  constexpr const char* kDot = "ambiguous_dot";
  constexpr const char* kWrong = "wrong_grouping";
  constexpr std::array kRows = {
      Row{"6.667", "6.667", "6.667", kDot, "6.667", "6.667"},
      Row{"6,667", kComma, "6667", "6.667", kComma, "6667"},
      Row{"0,273", "0.273", kWrong, "0.273", "0.273", kWrong},
      Row{"0.273", "0.273", "0.273", kDot, "0.273", "0.273"},
      Row{"6,4", "6.4", kWrong, "6.4", "6.4", kWrong},
      Row{"6.4", "6.4", "6.4", "6.4", "6.4", "6.4"},
      Row{"1,234,567", "1234567", "1234567", kWrong, "1234567", "1234567"},
      Row{"1.234.567", kWrong, kWrong, "1234567", kWrong, kWrong},
      Row{"12,34,567", kWrong, kWrong, kWrong, kWrong, "1234567"},
      Row{"1,234.5", "1234.5", "1234.5", kWrong, "1234.5", "1234.5"},
      Row{"1.234,5", kWrong, kWrong, "1234.5", kWrong, kWrong},
      Row{"1234,567", "1234.567", kWrong, "1234.567", "1234.567", kWrong},
      Row{"1 234", "1234", "1234", "1234", "1234", "1234"},
      Row{"1 234,5", "1234.5", kWrong, "1234.5", "1234.5", kWrong},
      Row{"1\u2019234.5", "1234.5", "1234.5", "1234.5", "1234.5", "1234.5"},
      Row{"1'234", "1234", "1234", "1234", "1234", "1234"},
      Row{"12 345.678 901 2", "12345.6789012", "12345.6789012", "12345.6789012", "12345.6789012",
          "12345.6789012"},
      Row{"1,2,3", kWrong, kWrong, kWrong, kWrong, kWrong},
      Row{"1 2 3", kWrong, kWrong, kWrong, kWrong, kWrong},
      Row{"0 273", kWrong, kWrong, kWrong, kWrong, kWrong},
      Row{"1'234 567", kWrong, kWrong, kWrong, kWrong, kWrong},
      Row{"0.1 234", kWrong, kWrong, kWrong, kWrong, kWrong},
      Row{"1,234 567", "1.234567", kWrong, "1.234567", "1.234567", kWrong},
      Row{"0.273.", kWrong, kWrong, kWrong, kWrong, kWrong},
      Row{"5.", "5", "5", "5", "5", "5"},
      Row{".5", "0.5", "0.5", "0.5", "0.5", "0.5"},
      Row{",5", "0.5", kWrong, "0.5", "0.5", kWrong},
      Row{"123456", "123456", "123456", "123456", "123456", "123456"},
      Row{"2,73e-1", "0.273", kWrong, "0.273", "0.273", kWrong},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.typed);
    CHECK(reading(row.typed) == row.none);
    CHECK(reading(row.typed, "en") == row.en);
    CHECK(reading(row.typed, "de") == row.de);
    CHECK(reading(row.typed, "fr") == row.de);
    CHECK(reading(row.typed, "ch") == row.ch);
    CHECK(reading(row.typed, "in") == row.in);
  }
}

TEST_CASE("A text with two readings is answered with both, in the page's marks") {
  CHECK(parse_number("6,667").error().message ==
        "\"6,667\" can be misread: type 6.667 or 6667, whichever you mean.");
  CHECK(parse_number("6.667", {.locale = find_locale("de")}).error().message ==
        "\"6.667\" can be misread: type 6,667 or 6667, whichever you mean.");
  CHECK(parse_number("0.273", {.locale = find_locale("de")}).error().message ==
        "\"0.273\" can be misread: type 0,273.");
  const ParseOptions taken{.locale = find_locale("de"), .ask_when_ambiguous = false};
  CHECK(parse_number("1.234", taken).value().value == 1234);
}

TEST_CASE("Every form is read, with its signs") {
  struct Row {
    const char* typed;
    const char* value;
    NumberForm form;
    const char* normal;
  };
  constexpr std::array kRows = {
      Row{"256", "256", NumberForm::integer, "256"},
      Row{" - 0256 ", "-256", NumberForm::integer, "−256"},
      Row{".273", "0.273", NumberForm::decimal, "0.273"},
      Row{"3/11", "3/11", NumberForm::proper_fraction, "3/11"},
      Row{"-20 / 3", "-20/3", NumberForm::improper_fraction, "−20/3"},
      Row{"1\u22152", "0.5", NumberForm::proper_fraction, "1/2"},
      Row{"6 2/3", "20/3", NumberForm::mixed, "6 2/3"},
      Row{"-6 2/3", "-20/3", NumberForm::mixed, "−6 2/3"},
      Row{"6\u2154", "20/3", NumberForm::mixed, "6 2/3"},
      Row{"27.3%", "0.273", NumberForm::percent, "27.3 %"},
      Row{"1/2 %", "0.005", NumberForm::percent, "1/2 %"},
      Row{"2.73e-1", "0.273", NumberForm::scientific, "2.73×10⁻¹"},
      Row{"6E+14", "600000000000000", NumberForm::scientific, "6×10¹⁴"},
      Row{"6 x 10^14", "600000000000000", NumberForm::scientific, "6×10¹⁴"},
      Row{"6.306*10^(-7)", "6.306e-7", NumberForm::scientific, "6.306×10⁻⁷"},
      Row{"10^3", "1000", NumberForm::scientific, "10³"},
      Row{"-10\u00b3", "-1000", NumberForm::scientific, "−10³"},
      Row{"0e+0", "0", NumberForm::scientific, "0×10⁰"},
      Row{"0.00102e4", "10.2", NumberForm::scientific, "0.00102×10⁴"},
      Row{"\u0662\u0665\u0666", "256", NumberForm::integer, "256"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.typed);
    const TypedNumber number = typed_number(row.typed);
    CHECK(shortest_text(number.value, {.ascii = true}) == row.value);
    CHECK(number.form == row.form);
    CHECK(number.normal == row.normal);
  }
}

TEST_CASE("The digits of a text are counted as typed") {
  struct Row {
    const char* typed;
    int places;
    int mantissa_places;
    int figures_min;
    int figures_max;
  };
  constexpr std::array kRows = {
      Row{"0.273", 3, 3, 3, 3},   Row{"0.00", 2, 2, 2, 2},    Row{"0", 0, 0, 1, 1},
      Row{"0.0", 1, 1, 1, 1},     Row{"2000", 0, 0, 1, 4},    Row{"+334.3", 1, 1, 4, 4},
      Row{"1.00E3", -1, 2, 3, 3}, Row{"1.5e-3", 4, 1, 2, 2},  Row{"100.", 0, 0, 3, 3},
      Row{"27.3 %", 3, 1, 3, 3},  Row{".001030", 6, 6, 4, 4}, Row{"25.00e1", 1, 2, 4, 4},
      Row{"1e2", -2, 0, 1, 1},    Row{"30e1", -1, 0, 1, 2},   Row{"-1.10", 2, 2, 3, 3},
      Row{"04", 0, 0, 1, 1},      Row{"420.690", 3, 3, 6, 6}, Row{"1 000.0", 1, 1, 5, 5},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.typed);
    const TypedNumber number = typed_number(row.typed);
    CHECK(number.places == row.places);
    CHECK(number.mantissa_places == row.mantissa_places);
    CHECK(number.figures_min == row.figures_min);
    CHECK(number.figures_max == row.figures_max);
    CHECK(last_place(number) == ten_to(-row.places));
  }
  CHECK(last_place(typed_number("3/11")) == 0);
  CHECK_FALSE(typed_number("2/4").reduced);
  CHECK(typed_number("1/2").reduced);
  CHECK_FALSE(typed_number("6 2/4").reduced);
}

TEST_CASE("A word behind the number is handed back as its unit") {
  CHECK(reading("16 GB") == "16 [GB]");
  CHECK(reading("16GB") == "16 [GB]");
  CHECK(reading("20/3 s") == "20/3 [s]");
  CHECK(reading("3e8 m/s^2") == "300000000 [m/s^2]");
  CHECK(reading("5 \u00b5s") == "5 [\u00b5s]");
  CHECK(reading("6.667x") == "6.667 [x]");
  CHECK(reading("6.667\u00d7") == "6.667 [x]");
  CHECK(reading("2 x 4") == "2 [x 4]");
  CHECK(reading("16 EB") == "16 [EB]");
}

TEST_CASE("What is no number is refused for its own reason, at its place") {
  struct Row {
    std::string_view typed;
    const char* code;
    const char* where;
  };
  const std::string too_long(201, '1');
  const std::string too_many(41, '9');
  const std::array rows = {
      Row{"", "blank", "character 1"},
      Row{" \u00a0\u200b", "blank", "character 1"},
      Row{"?", "not_a_number", "character 1"},
      Row{"-", "not_a_number", "character 2"},
      Row{".", "not_a_number", "character 1"},
      Row{"zwei", "not_a_number", "character 1"},
      Row{"NaN", "not_finite", "character 1"},
      Row{"-Infinity", "not_finite", "character 1"},
      Row{"\u221e", "not_finite", "character 1"},
      Row{"3/0", "division_by_zero", "character 3"},
      Row{"0\u00b7273", "trailing_text", "character 2"},
      Row{"1_000", "trailing_text", "character 2"},
      Row{"27 % x", "trailing_text", "character 6"},
      Row{"3.14*x^2", "trailing_text", "character 5"},
      Row{"2+3", "expression_not_allowed", "character 1"},
      Row{"(3)/(11)", "expression_not_allowed", "character 1"},
      Row{"1.5/2", "expression_not_allowed", "character 1"},
      Row{"3/4/5", "expression_not_allowed", "character 1"},
      Row{"--5", "expression_not_allowed", "character 1"},
      Row{"1 234/567", "ambiguous_space", "character 1"},
      Row{"5 4/3", "other_form", "character 1"},
      Row{"1e400", "out_of_range", "character 1"},
      Row{"1e-400", "out_of_range", "character 1"},
      Row{"1e999999999999999999999", "out_of_range", "character 1"},
      Row{too_many, "too_many_digits", "character 1"},
      Row{too_long, "too_long", "character 201"},
      Row{"1\x02", "bad_character", "character 2"},
      Row{"1\u202e2", "bad_character", "character 2"},
      Row{"1\xc0\xaf", "bad_utf8", "character 2"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.typed);
    const Result<TypedNumber> number = parse_number(row.typed);
    REQUIRE_FALSE(number.ok());
    CHECK(number.error().code == row.code);
    CHECK(number.error().where == row.where);
    CHECK(number.error().message.ends_with('.'));
  }
}

TEST_CASE("A blank coefficient is one, where a coefficient is asked for") {
  const ParseOptions options{.coefficient = true};
  CHECK(parse_number("", options).value().value == 1);
  CHECK(parse_number("+", options).value().value == 1);
  CHECK(parse_number(" - ", options).value().value == -1);
  CHECK(parse_number("2", options).value().value == 2);
}

TEST_CASE("A long mixed text of marks is read or refused in bounded work") {
  for (const std::string_view part : {"1,", "1 ", "1.", "(", "-", "1/", "1e", "9", "%", "x10^"}) {
    std::string text;
    while (text.size() + part.size() <= 200) text += part;
    CAPTURE(text);
    NumberKey key = exact_key(1);
    CHECK(outcome(text, key).starts_with("invalid"));
    key.rule.forms |= form_bit(NumberForm::expression);
    CHECK(outcome(text, key).starts_with("invalid"));
  }
}

TEST_CASE("Digits in groups mean what they mean without") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto drawn = static_cast<std::int64_t>(random_bits(seed, 0, 0) >> (seed % 60));
    const Rational value = Rational(drawn < 0 ? -(drawn + 1) : drawn) / 100;
    for (const Locale& locale : locales()) {
      const std::string grouped = fixed_text(value, 2, {.locale = &locale});
      CAPTURE(seed, locale.id, grouped);
      const Result<TypedNumber> number = parse_number(grouped, {.locale = &locale});
      REQUIRE(number.ok());
      CHECK(number.value().value == value);
    }
  }
}

}  // namespace
}  // namespace lockstep
