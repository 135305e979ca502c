#include "formula/formula.h"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "core/random.h"
#include "formula/functions.h"

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"devices", "rows", "single_s", "m"};

Vocabulary vocabulary() {
  return {kNames, standard_functions()};
}

Environment environment() {
  Environment result;
  result.set("devices", 8);
  result.set("rows", 64);
  result.set("single_s", 80);
  result.set("m", Rational(-3, 4));
  return result;
}

Formula parsed(std::string_view text) {
  Result<Formula> formula = parse_formula(text, vocabulary());
  INFO(text);
  if (!formula.ok()) FAIL(formula.error().where + ": " + formula.error().message);
  return std::move(formula).value();
}

Rational value(std::string_view text) {
  const Result<Rational> result = parsed(text).evaluate(environment());
  INFO(text);
  if (!result.ok()) FAIL(result.error().where + ": " + result.error().message);
  return result.value();
}

std::string code_at(const Error& error) {
  return error.code + " at " + error.where;
}

std::string parse_error(std::string_view text) {
  const Result<Formula> formula = parse_formula(text, vocabulary());
  return formula.ok() ? "none" : code_at(formula.error());
}

std::string evaluation_error(std::string_view text) {
  const Result<Rational> result = parsed(text).evaluate(environment());
  return result.ok() ? "none" : code_at(result.error());
}

/// A fully parenthesised random expression and its value, computed beside the parser.
struct Sample {
  std::string text;
  Rational value;
};

Sample sample(std::uint64_t seed, std::uint64_t& draw, int depth) {
  const auto choice = random_below(seed, 0, draw++, depth == 0 ? 2 : 9);
  if (choice == 0) return {"rows", 64};
  if (choice == 1) {
    const auto digits = static_cast<std::int64_t>(random_below(seed, 0, draw++, 1000));
    return {std::to_string(digits) + "e-2", Rational(digits, 100)};
  }
  const Sample a = sample(seed, draw, depth - 1);
  if (choice == 2) return {"(-" + a.text + ")", -a.value};
  if (choice == 3) return {"abs(" + a.text + ")", absolute(a.value)};
  if (choice == 4) return {"(" + a.text + "^2)", a.value * a.value};
  const Sample b = sample(seed, draw, depth - 1);
  if (choice == 5) return {"(" + a.text + "+" + b.text + ")", a.value + b.value};
  if (choice == 6) return {"(" + a.text + "-" + b.text + ")", a.value - b.value};
  if (choice == 7) return {"(" + a.text + "*" + b.text + ")", a.value * b.value};
  return {"(" + a.text + "/" + b.text + ")", a.value / b.value};
}

TEST_CASE("A formula has the value of its tree, and its text is the same formula again") {
  int with_value = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    std::uint64_t draw = 0;
    const Sample expected = sample(seed, draw, 4);
    CAPTURE(expected.text);
    const Formula formula = parsed(expected.text);
    const std::string text = formula.text();
    CAPTURE(text);
    const Formula again = parsed(text);
    CHECK(again.text() == text);
    CHECK(text.size() <= expected.text.size() + 2 * formula.nodes().size());
    const Result<Rational> first = formula.evaluate(environment());
    const Result<Rational> second = again.evaluate(environment());
    REQUIRE(first.ok() == second.ok());
    REQUIRE(first.ok() == expected.value.ok());
    if (!first.ok()) continue;
    ++with_value;
    CHECK(first.value() == expected.value);
    CHECK(second.value() == expected.value);
  }
  CHECK(with_value > 2000);
}

TEST_CASE("Operators bind as in mathematics") {
  CHECK(value("2 + 3 * 4") == 14);
  CHECK(value("(2 + 3) * 4") == 20);
  CHECK(value("2 - 3 - 4") == -5);
  CHECK(value("80 / 12 / 2") == Rational(10, 3));
  CHECK(value("2^3^2") == 512);
  CHECK(value("-2^2") == -4);
  CHECK(value("(-2)^2") == 4);
  CHECK(value("2^-1") == Rational(1, 2));
  CHECK(value("2 * -3") == -6);
  CHECK(value("--3") == 3);
  CHECK(value("+3") == 3);
  CHECK(value(" devices\t*\nm ") == -6);
}

TEST_CASE("Numbers in a formula are exact decimals") {
  CHECK(value("0.1 + 0.2") == Rational(3, 10));
  CHECK(value(".5 * 6e14") == 300'000'000'000'000);
  CHECK(value("9007199254740993 - 9007199254740992") == 1);
  CHECK(value("(1 - 0.05) * 7 / 0.05") == 133);
}

TEST_CASE("B01: a key that was divided and multiplied back carries no noise") {
  CHECK(value("80 / 12 * 12") == 80);
  CHECK(value("0.1 * 3 - 0.3") == 0);
}

TEST_CASE("The standard functions do what their line says") {
  CHECK(value("min(3, rows)") == 3);
  CHECK(value("max(3, rows)") == 64);
  CHECK(value("ceil(7 / 2)") == 4);
  CHECK(value("ceil(-7 / 2)") == -3);
  CHECK(value("floor(-7 / 2)") == -4);
  CHECK(value("abs(m)") == Rational(3, 4));
  CHECK(value("round(5 / 2)") == 3);
  CHECK(value("round(-5 / 2)") == -3);
  CHECK(value("mod(rows, 6)") == 4);
  CHECK(value("mod(-1, 6)") == 5);
}

TEST_CASE("A formula is written with the parentheses it needs and no others") {
  struct Row {
    const char* given;
    const char* source;
    const char* display;
  };
  constexpr std::array kRows = {
      Row{"((rows))*(devices)", "rows * devices", "rows × devices"},
      Row{"(rows*devices)/m", "rows * devices / m", "rows × devices / m"},
      Row{"rows/(devices*m)", "rows / (devices * m)", "rows / (devices × m)"},
      Row{"rows-(devices-m)", "rows - (devices - m)", "rows − (devices − m)"},
      Row{"(rows-devices)-m", "rows - devices - m", "rows − devices − m"},
      Row{"(rows+devices)*m", "(rows + devices) * m", "(rows + devices) × m"},
      Row{"-(rows+m)", "-(rows + m)", "−(rows + m)"},
      Row{"-rows*m", "-rows * m", "−rows × m"},
      Row{"rows*(-m)", "rows * (-m)", "rows × (−m)"},
      Row{"(-m)^2", "(-m)^2", "(−m)^2"},
      Row{"-m^2", "-m^2", "−m^2"},
      Row{"2^(3^2)", "2^3^2", "2^3^2"},
      Row{"(2^3)^2", "(2^3)^2", "(2^3)^2"},
      Row{"2^(rows+1)", "2^(rows + 1)", "2^(rows + 1)"},
      Row{"max((rows),devices+1)", "max(rows, devices + 1)", "max(rows, devices + 1)"},
      Row{"6e23*m", "6e23 * m", "6×10²³ × m"},
      Row{"6e23^2", "6e23^2", "(6×10²³)^2"},
      Row{"0.50*m", "0.5 * m", "0.5 × m"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.given);
    CHECK(parsed(row.given).text() == row.source);
    CHECK(parsed(row.given).text(FormulaText::display) == row.display);
    CHECK(parsed(row.source).text() == row.source);
  }
  CHECK(parsed("max(0.5, 2)").text(FormulaText::display, find_locale("de")) == "max(0,5; 2)");
}

TEST_CASE("A formula lists the names it mentions, each once") {
  const Formula formula = parsed("rows * devices + rows");
  REQUIRE(formula.names().size() == 2);
  CHECK(formula.names()[0] == "rows");
  CHECK(formula.names()[1] == "devices");
}

TEST_CASE("Every fault of a formula is reported at its column") {
  struct Row {
    std::string text;
    const char* error;
  };
  const std::array rows = {
      Row{"", "empty_formula at column 1"},
      Row{"   ", "empty_formula at column 1"},
      Row{"2 +", "unexpected_token at column 4"},
      Row{"2 3", "unexpected_token at column 3"},
      Row{"2 rows", "unexpected_token at column 3"},
      Row{"2x", "unexpected_token at column 2"},
      Row{"(2 + 3", "unexpected_token at column 7"},
      Row{"2 + 3)", "unexpected_token at column 6"},
      Row{"2 ** 3", "unexpected_token at column 4"},
      Row{"()", "unexpected_token at column 2"},
      Row{"max(1 2)", "unexpected_token at column 7"},
      Row{"max(1,)", "unexpected_token at column 7"},
      Row{"max(,1)", "unexpected_token at column 5"},
      Row{"rows < 3", "unexpected_token at column 6"},
      Row{"rows, 3", "unexpected_token at column 5"},
      Row{"1.2.3 + rows", "not_a_number at column 1"},
      Row{"rows + 1e400", "out_of_range at column 8"},
      Row{"1 + 12345678901234567890123456789012345678901", "too_many_digits at column 5"},
      Row{"rows + devcies", "unknown_name at column 8"},
      Row{"3 * maxx(1, 2)", "unknown_function at column 5"},
      Row{"rows(3)", "unknown_function at column 1"},
      Row{"max", "unknown_name at column 1"},
      Row{"max(1)", "wrong_argument_count at column 1"},
      Row{"1 + abs()", "wrong_argument_count at column 5"},
      Row{"min(1, 2, 3)", "wrong_argument_count at column 1"},
      Row{"rows.size", "unexpected_character at column 5"},
      Row{"rows[0]", "unexpected_character at column 5"},
      Row{"a = 1; b", "unknown_name at column 1"},
      Row{"\"x\"", "unexpected_character at column 1"},
      Row{"2 × 3", "unexpected_character at column 3"},
      Row{"1 + ä", "unexpected_character at column 5"},
      Row{"\"ä\"", "unexpected_character at column 1"},
      Row{"3 + \xff", "bad_utf8 at column 5"},
      Row{"5!", "unexpected_character at column 2"},
      Row{"__proto__", "unknown_name at column 1"},
      Row{"constructor(1)", "unknown_function at column 1"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(parse_error(row.text) == row.error);
  }
}

TEST_CASE("A mistyped name is answered with the nearest known one") {
  const auto message = [](std::string_view text) {
    const Result<Formula> formula = parse_formula(text, vocabulary());
    return formula.ok() ? "" : formula.error().message;
  };
  CHECK(message("devcies") == "\"devcies\" is not defined here (did you mean \"devices\"?).");
  CHECK(message("flor(2)") == "There is no function \"flor\" (did you mean \"floor\"?).");
  CHECK(message("max(1)") == "max takes 2 values, not 1: max(a, b): the larger of two values.");
  CHECK(message("(2 3)") == "Expected an operator or \")\", but here is \"3\".");
}

TEST_CASE("A value that does not exist is reported at the operation that lacks it") {
  CHECK(evaluation_error("1 + rows / (devices - 8)") == "division_by_zero at column 10");
  CHECK(evaluation_error("mod(rows, 0)") == "division_by_zero at column 1");
  CHECK(evaluation_error("0^-1") == "division_by_zero at column 2");
  CHECK(evaluation_error("2^(1/2)") == "exponent_not_whole at column 2");
  CHECK(evaluation_error("9^9^9^9") == "too_large at column 4");
  CHECK(evaluation_error("(9^9^9)^9") == "too_large at column 3");
  CHECK(evaluation_error("2^(1e300)") == "too_large at column 2");
  CHECK(evaluation_error("1e308^7") == "too_large at column 6");
  CHECK(evaluation_error("1^(6e14)") == "none");
}

TEST_CASE("A name without a value is reported, not taken for zero") {
  const Result<Rational> result = parsed("rows + m").evaluate(Environment());
  REQUIRE_FALSE(result.ok());
  CHECK(code_at(result.error()) == "unknown_name at column 1");
}

TEST_CASE("Size and depth of a formula are bounded, whatever is nested") {
  const auto repeated = [](std::string_view part, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += part;
    return text;
  };
  CHECK(parse_error(repeated("1+", 127) + "1") == "none");  // 255 tokens
  CHECK(parse_error(repeated("1+", 128) + "1") == "too_many_tokens at column 257");
  CHECK(parse_error(repeated("(", 31) + "1" + repeated(")", 31)) == "none");
  CHECK(parse_error(repeated("(", 32) + "1" + repeated(")", 32)) == "too_deep at column 33");
  CHECK(parse_error(repeated("(", 100'000)) == "too_deep at column 33");
  CHECK(parse_error(repeated("-", 100'000) + "1") == "too_deep at column 33");
  CHECK(parse_error(repeated("2^", 100'000) + "1") == "too_deep at column 65");
  CHECK(parse_error(repeated("abs(", 100'000)) == "too_deep at column 129");
  CHECK(parse_error(repeated("1*", 100'000) + "1") == "too_many_tokens at column 257");
  // The heaviest formula there is: every second token a power that just fits.
  CHECK(evaluation_error(repeated("0.5^2047*2^2047+", 31) + "1") == "none");
}

TEST_CASE("Random bytes and random tokens end in a formula or a located error") {
  constexpr std::array<std::string_view, 16> kParts = {
      "1", "2.5", "rows", "max(", "abs(", "(", ")", ",", "+", "-", "*", "/", "^", "<", " ", "m"};
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    CAPTURE(seed);
    std::string text;
    for (std::uint64_t i = 0; i < 12; ++i) {
      if (seed % 2 == 0) {
        text += kParts[random_below(seed, 0, i, kParts.size())];
      } else {
        text += static_cast<char>(random_below(seed, 0, i, 256));
      }
    }
    const Result<Formula> formula = parse_formula(text, vocabulary());
    if (formula.ok()) {
      const Result<Rational> result = formula.value().evaluate(environment());
      CHECK((result.ok() ? result.value().ok() : !result.error().where.empty()));
    } else {
      CHECK(formula.error().where.starts_with("column "));
    }
  }
}

TEST_CASE("Conditions compare two formulas exactly") {
  const auto holds = [](std::string_view text) {
    const Result<Condition> condition = parse_condition(text, vocabulary());
    REQUIRE(condition.ok());
    const Result<bool> result = condition.value().holds(environment());
    REQUIRE(result.ok());
    return result.value();
  };
  CHECK(holds("devices < rows"));
  CHECK_FALSE(holds("rows < rows"));
  CHECK(holds("rows <= rows"));
  CHECK(holds("rows > devices"));
  CHECK(holds("rows >= 64"));
  CHECK(holds("0.1 + 0.2 = 0.3"));
  CHECK(holds("mod(rows, devices) == 0"));
  CHECK(holds("m != 0"));
  const Condition condition = parse_condition("(rows)>=devices*m", vocabulary()).value();
  CHECK(condition.text() == "rows >= devices * m");
  CHECK(condition.text(FormulaText::display) == "rows ≥ devices × m");
}

TEST_CASE("Faults of a condition are located on both sides") {
  const auto error = [](std::string_view text) -> std::string {
    const Result<Condition> condition = parse_condition(text, vocabulary());
    if (!condition.ok()) return code_at(condition.error());
    const Result<bool> result = condition.value().holds(environment());
    return result.ok() ? "none" : code_at(result.error());
  };
  CHECK(error("rows") == "unexpected_token at column 5");
  CHECK(error("rows <") == "unexpected_token at column 7");
  CHECK(error("< rows") == "unexpected_token at column 1");
  CHECK(error("1 < rows < 3") == "unexpected_token at column 10");
  CHECK(error("rows < 1/0") == "division_by_zero at column 9");
  CHECK(error("1/0 < rows") == "division_by_zero at column 2");
  CHECK(error("(1 < 2) < 3") == "unexpected_token at column 4");
}

TEST_CASE("An environment keeps the last value of a name and the order of the first") {
  Environment values;
  values.set("b", 1);
  values.set("a", 2);
  values.set("b", 3);
  REQUIRE(values.find("b") != nullptr);
  CHECK(*values.find("b") == 3);
  CHECK(values.find("c") == nullptr);
  CHECK(values.names() == std::vector<std::string_view>{"b", "a"});
}

TEST_CASE("Functions of another table are called with their values in order") {
  const std::array<Function, 1> table = {
      Function{"pipeline_bubble", 2,
               [](std::span<const Rational> x) { return (x[0] - 1) / (x[1] + x[0] - 1); },
               "pipeline_bubble(stages, microbatches)"}};
  const std::array<std::string_view, 2> names = {"p", "m"};
  const Result<Formula> formula = parse_formula("pipeline_bubble(p, m)", {names, table});
  REQUIRE(formula.ok());
  Environment values;
  values.set("p", 4);
  values.set("m", 8);
  CHECK(formula.value().evaluate(values).value() == Rational(3, 11));
}

}  // namespace

TEST_CASE("formulas of exercises call the closed forms by name, within their domains") {
  Environment environment;
  environment.set("p", 4);
  environment.set("m", 8);
  constexpr std::string_view kSizes[] = {"p", "m"};
  const Vocabulary vocabulary{kSizes, exercise_functions()};
  const auto value = [&](std::string_view text) {
    const Result<Formula> formula = parse_formula(text, vocabulary);
    REQUIRE(formula.ok());
    return formula.value().evaluate(environment);
  };
  CHECK(value("pipeline_bubble(p, m)").value() == Rational(3, 11));
  CHECK(value("speedup(80, 10, 2)").value() == Rational(20, 3));
  CHECK(value("global_tokens(4, 8, 2, 4)").value() == Rational(256));
  CHECK(value("max(1, training_flops(1000000, 100000000))").value() == Rational(600000000000000));
  CHECK(value("pipeline_bubble(p - 4, m)").error().code == "outside_domain");
  CHECK(value("pipeline_bubble(p / 3, m)").error().code == "outside_domain");
  CHECK(parse_formula("speedup(80, 10)", vocabulary).error().code == "wrong_argument_count");
}

TEST_CASE("no two functions of exercises share a name") {
  std::set<std::string_view> names;
  for (const Function& function : exercise_functions()) {
    CAPTURE(function.name);
    CHECK(names.insert(function.name).second);
  }
}

}  // namespace lockstep
