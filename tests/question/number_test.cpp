#include "question/number.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/random.h"
#include "question/number_support.h"

namespace lockstep {
namespace {

const Rational kBubble(3, 11);  // 4 stages, 8 microbatches: 0.272727…

NumberKey bubble() {
  NumberKey key = decimals_key(kBubble, 3);
  key.mistakes = {{"over-ideal", Rational(3, 8), "That compares with the useful work."},
                  {"efficiency", Rational(8, 11), "That is the busy share."}};
  return key;
}

TEST_CASE("Every form of the right number is right") {
  for (const char* typed :
       {"0.273",   ".273",     "3/11",       "6/22",           "3 / 11",    "27.3%",       "27.3 %",
        "2.73e-1", "2.73E-01", "2.73×10^-1", "2.73 x 10^(-1)", "2.73·10⁻¹", "2.73*10**-1", "0,273",
        " 0.273 ", "0.2727",   "0.27272727", "０.２７３",      "+0.273",    "0.273000"}) {
    CAPTURE(typed);
    CHECK(outcome(typed, bubble()) == "correct");
  }
}

TEST_CASE("Every wrong number is told what it is") {
  const NumberKey key = bubble();
  CHECK(outcome("0.375", key) == "incorrect:mistake:over-ideal");
  CHECK(outcome("3/8", key) == "incorrect:mistake:over-ideal");
  CHECK(outcome("37.5 %", key) == "incorrect:mistake:over-ideal");
  CHECK(outcome("0.727", key) == "incorrect:mistake:efficiency");
  CHECK(grade_number("0.727", key).message == "That is the busy share.");
  CHECK(outcome("0.272", key) == "incorrect:rounded_not_cut");
  CHECK(outcome("0.2", key) == "incorrect:rounded_not_cut");
  CHECK(outcome("27.3", key) == "incorrect:factor_of_100");
  CHECK(outcome("0.00273", key) == "incorrect:factor_of_100");
  CHECK(outcome("0.273 %", key) == "incorrect:factor_of_100");
  CHECK(outcome("273", key) == "incorrect:point_shifted");
  CHECK(outcome("-0.273", key) == "incorrect:wrong_sign");
  CHECK(outcome("0.5", key) == "incorrect");
  CHECK(outcome("0.274", key) == "incorrect");
}

TEST_CASE("Too few digits cost nothing as long as they are right") {
  CHECK(outcome("0.27", bubble()) == "needs_precision:fewer_digits");
  CHECK(outcome("0.3", bubble()) == "needs_precision:fewer_digits");
  CHECK(outcome("27 %", bubble()) == "needs_precision:fewer_digits");
  CHECK(outcome("0.28", bubble()) == "incorrect");
  const NumberKey speedup = decimals_key(Rational(20, 3), 3);
  CHECK(outcome("6.67", speedup) == "needs_precision:fewer_digits");
  CHECK(outcome("7", speedup) == "needs_precision:fewer_digits");
  CHECK(outcome("6.66", speedup) == "incorrect:rounded_not_cut");
  CHECK(outcome("1e1", speedup) == "needs_precision:fewer_digits");
  // 0.25 lies half way between 0.2 and 0.3: both are roundings of it, and none of them is cut.
  CHECK(outcome("0.2", decimals_key(Rational(1, 4), 3)) == "needs_precision:fewer_digits");
  CHECK(outcome("0.3", decimals_key(Rational(1, 4), 3)) == "needs_precision:fewer_digits");
  // 0.5 is not 0.4 with something cut off.
  CHECK(outcome("0.4", decimals_key(Rational(1, 2), 3)) == "incorrect");
  CHECK(grade_number("6.67", speedup).message ==
        "More digits are asked for (3 decimals), and this has 2.");
}

TEST_CASE("A foreseen mistake wins over precision only at the asked precision") {
  NumberKey key = decimals_key(Rational(20, 3), 3);
  key.mistakes = {{"no-communication", 8, "That is the ideal."},
                  {"near", exact_value("6.7"), "Near."},
                  {"cut", exact_value("6.666"), "Cut by hand."}};
  CHECK(outcome("8", key) == "incorrect:mistake:no-communication");
  CHECK(outcome("8.000", key) == "incorrect:mistake:no-communication");
  CHECK(outcome("6.7", key) == "incorrect:mistake:near");
  CHECK(outcome("6.666", key) == "incorrect:mistake:cut");
  CHECK(outcome("6.67", key) == "needs_precision:fewer_digits");
  CHECK(outcome("7", key) == "needs_precision:fewer_digits");
  CHECK(outcome("6.667", key) == "correct");
}

TEST_CASE("Of an exact tie both neighbours are right, and nothing beside them") {
  struct Row {
    Rational key;
    std::array<const char*, 2> right;
    std::array<const char*, 2> wrong;
  };
  // 1/16 = 0.0625, 9/16 = 0.5625, 3/16 = 0.1875 (both ways of rounding agree on 0.188).
  const std::array<Row, 3> rows = {Row{Rational(1, 16), {"0.063", "0.062"}, {"0.061", "0.064"}},
                                   Row{Rational(9, 16), {"0.563", "0.562"}, {"0.561", "0.564"}},
                                   Row{Rational(3, 16), {"0.188", "0.1875"}, {"0.187", "0.189"}}};
  for (const Row& row : rows) {
    for (const int sign : {1, -1}) {
      const NumberKey key = decimals_key(row.key * sign, 3);
      for (std::size_t i = 0; i < 2; ++i) {
        CAPTURE(sign, row.right[i], row.wrong[i]);
        const std::string minus = sign < 0 ? "-" : "";
        CHECK(outcome(minus + row.right[i], key) == "correct");
        CHECK(outcome(minus + row.wrong[i], key).starts_with("incorrect"));
      }
    }
  }
}

TEST_CASE("Every multiple of half a place is judged by rounding alone") {
  // Oracle in integers. Key k/2000, typed t/1000: right when 2t = k or, at a tie (odd k), when t is
  // what rounding away from zero or to even makes of it.
  for (std::int64_t k = 1; k < 400; ++k) {
    const NumberKey key = decimals_key(Rational(k, 2000), 3);
    for (std::int64_t t = (k - 3) / 2; t <= (k + 5) / 2; ++t) {
      if (t < 0) continue;
      std::string digits = std::to_string(1000 + t);
      const bool tie = k % 2 != 0;
      const std::int64_t up = (k + 1) / 2;
      const std::int64_t even = up % 2 == 0 ? up : up - 1;
      const bool right = tie ? t == up || t == even : 2 * t == k;
      CAPTURE(k, t);
      CHECK((outcome("0." + digits.substr(1), key) == "correct") == right);
    }
  }
}

TEST_CASE("An exactly equal value never needs padding zeros") {
  const NumberKey key = decimals_key(Rational(32, 5), 3);
  CHECK(outcome("6.4", key) == "correct");
  CHECK(outcome("6.40", key) == "correct");
  CHECK(outcome("32/5", key) == "correct");
  CHECK(outcome("6 2/5", key) == "correct");
  CHECK(outcome("6", key) == "needs_precision:fewer_digits");
}

TEST_CASE("Strict digits are counted in the text, percent and exponent applied") {
  NumberKey key = decimals_key(kBubble, 3);
  key.rule.shape.places_min = key.rule.shape.places_max = 3;
  CHECK(outcome("0.273", key) == "correct");
  CHECK(outcome("27.3 %", key) == "correct");
  CHECK(outcome("2.73e-1", key) == "correct");
  CHECK(outcome("3/11", key) == "correct");
  CHECK(outcome("0.2727", key) == "needs_precision:digit_count");
  CHECK(outcome("0.27", key) == "needs_precision:fewer_digits");
  CHECK(outcome("0.2747", key) == "incorrect");
}

TEST_CASE("Significant figures are compared after rounding both, ties away from zero") {
  CHECK(outcome("1170", figures_key(exact_value("1174.34"), 3)) == "correct");
  CHECK(outcome("1.17e3", figures_key(exact_value("1174.34"), 3)) == "correct");
  CHECK(outcome("1174", figures_key(exact_value("1174.34"), 3)) == "correct");
  CHECK(outcome("1180", figures_key(exact_value("1174.34"), 3)) == "incorrect");
  CHECK(outcome("61300", figures_key(61250, 3)) == "correct");
  CHECK(outcome("61200", figures_key(61250, 3)) != "correct");
  CHECK(outcome("1200", figures_key(exact_value("1174.34"), 3)) == "needs_precision:fewer_digits");
  CHECK(outcome("1100", figures_key(exact_value("1174.34"), 3)) == "incorrect");
}

TEST_CASE("Numbers beyond the doubles are told apart") {
  const NumberKey key = integer_key(9'007'199'254'740'993);
  CHECK(outcome("9007199254740993", key) == "correct");
  CHECK(outcome("9007199254740992", key) == "incorrect");
  CHECK(outcome("1e-400", decimals_key(0, 3)) == "invalid:out_of_range");
  CHECK(outcome("1e400", key) == "invalid:out_of_range");
  CHECK(outcome(std::string(41, '1'), key) == "invalid:too_many_digits");
}

TEST_CASE("Zero is met by zero alone") {
  const NumberKey key = decimals_key(0, 3);
  for (const char* typed : {"0", "-0", "0.000", "0/5", "0 %", "0e9", "−0.0"}) {
    CAPTURE(typed);
    CHECK(outcome(typed, key) == "correct");
  }
  CHECK(outcome("0.0004", key) == "incorrect");
  CHECK(grade_number("-0", key).understood == "−0");
}

TEST_CASE("A whole number is asked for as one") {
  const NumberKey key = integer_key(256);
  CHECK(outcome("256", key) == "correct");
  CHECK(outcome("0256", key) == "correct");
  CHECK(outcome("256.0", key) == "correct");
  CHECK(outcome("2.56e2", key) == "correct");
  CHECK(outcome("255.5", key) == "incorrect:not_whole");
  CHECK(outcome("2^8", key) == "invalid:expression_not_allowed");
}

TEST_CASE("Calculations are worked out where the question allows them") {
  NumberKey key = bubble();
  CHECK(outcome("(4-1)/(8+4-1)", key) == "invalid:expression_not_allowed");
  key.rule.forms |= form_bit(NumberForm::expression);
  CHECK(outcome("(4-1)/(8+4-1)", key) == "correct");
  CHECK(outcome("3/11", key) == "correct");
  CHECK(outcome("1 - 8/11", key) == "correct");
  CHECK(outcome("(4-1)/8", key) == "incorrect:mistake:over-ideal");
  CHECK(outcome("(4-1)/(8+4-", key) == "invalid:bad_expression");
  CHECK(outcome("1/(4-4)", key) == "invalid:division_by_zero");
  CHECK(outcome("9^9^9", key) == "invalid:bad_expression");
  CHECK(outcome("0,5+1", key) == "invalid:ambiguous_comma");
  CHECK(outcome("0,3-0,3/11", key, find_locale("de")) == "correct");
  CHECK(grade_number("(4-1)/(8+4-1)", key).understood == "(4 − 1) / (8 + 4 − 1) = 0.273");
}

TEST_CASE("A tolerance holds the key and its edges, but not a wrong value typed as foreseen") {
  NumberKey key = tolerance_key(10, 10);
  key.mistakes = {{"four", 4, "Four is a known slip."}};
  CHECK(outcome("4", key) == "incorrect:mistake:four");
  CHECK(outcome("4.1", key) == "correct");
  CHECK(outcome("20", key) == "correct");
  CHECK(outcome("20.001", key) == "incorrect");
  key.mistakes[0].value = 10;
  CHECK(outcome("10", key) == "correct");
}

TEST_CASE("A relative tolerance is one of the key") {
  NumberKey key = tolerance_key(exact_value("1e33"), 0);
  key.rule.relative = Rational(1, 20);
  CHECK(outcome("1.05e33", key) == "correct");
  CHECK(outcome("0.95e33", key) == "correct");
  CHECK(outcome("1.0500001e33", key) == "incorrect");
}

TEST_CASE("An interval has its ends inside, and mistakes outside it have their message") {
  NumberKey key = exact_key(5);
  key.rule.comparison = Comparison::interval;
  key.rule.low = exact_value("4e-7");
  key.rule.high = exact_value("4.1e-7");
  key.value = key.rule.low;
  key.mistakes = {{"mega", exact_value("4e-1"), "Micro, not deci."}};
  CHECK(outcome("4e-7", key) == "correct");
  CHECK(outcome("0.00000041", key) == "correct");
  CHECK(outcome("4.11e-7", key) == "incorrect");
  CHECK(outcome("0.4", key) == "incorrect:mistake:mega");
  CHECK(outcome("0.41", key) != "incorrect:mistake:mega");
}

TEST_CASE("A value that cannot be is told so") {
  NumberKey key = decimals_key(kBubble, 3);
  key.rule.minimum = 0;
  key.rule.maximum = 1;
  CHECK(outcome("1.5", key) == "incorrect:above_maximum");
  CHECK(outcome("-2", key) == "incorrect:below_minimum");
  CHECK(outcome("0.9", key) == "incorrect");
}

TEST_CASE("A form that is not asked for is refused by name, before it is judged") {
  NumberKey key = exact_key(Rational(20, 3));
  key.rule.forms = form_bit(NumberForm::improper_fraction);
  CHECK(outcome("20/3", key) == "correct");
  CHECK(outcome("40/6", key) == "correct");
  CHECK(outcome("6 2/3", key) == "invalid:other_form");
  CHECK(outcome("5 1/3", key) == "invalid:other_form");
  key.rule.unreduced = VerdictKind::invalid;
  CHECK(outcome("40/6", key) == "invalid:not_reduced");
  CHECK(outcome("41/6", key) == "incorrect");
}

TEST_CASE("Units may be left out, are converted where listed, and a wrong one costs nothing") {
  NumberKey tokens = integer_key(256);
  tokens.rule.unit.accepted = {"tokens"};
  CHECK(outcome("256", tokens) == "correct");
  CHECK(outcome("256 tokens", tokens) == "correct");
  CHECK(outcome("256 Token", tokens) == "invalid:wrong_unit");
  CHECK(outcome("256 token", tokens) == "correct");
  CHECK(outcome("256 s", tokens) == "invalid:wrong_unit");
  CHECK(outcome("256 %", tokens) == "invalid:wrong_unit");
  CHECK(outcome("64 tokens", tokens) == "incorrect");

  NumberKey memory = exact_key(16);
  memory.rule.unit.accepted = {"GB", "GiB", "MB"};
  CHECK(outcome("16 GB", memory) == "correct");
  CHECK(outcome("16gb", memory) == "correct");
  CHECK(outcome("16000 MB", memory) == "correct");
  CHECK(outcome("16000 mb", memory) == "correct");
  CHECK(outcome("16 GiB", memory) == "incorrect");
  CHECK(outcome("15625/1048.576 GiB", memory) == "invalid:trailing_text");
  CHECK(outcome("16 Gb", memory) == "incorrect:bits_not_bytes");
  CHECK(outcome("128 Gb", memory) == "correct");
  CHECK(outcome("16", memory) == "needs_precision:unit_missing");
  CHECK(outcome("16 s", memory) == "invalid:wrong_unit");
  memory.rule.unit.accepted = {"GB", "Gb"};
  CHECK(outcome("16 gb", memory) == "invalid:wrong_unit");  // which of the two is not said
  memory.rule.unit.accepted = {"GB", "GiB"};
  CHECK(grade_number("16 GiB", memory).understood == "16 GiB = 17.1799 GB");

  NumberKey speedup = decimals_key(Rational(20, 3), 3);
  CHECK(outcome("6.667x", speedup) == "invalid:wrong_unit");
  speedup.rule.unit.accepted = {"x"};
  CHECK(outcome("6.667x", speedup) == "correct");
  CHECK(outcome("6.667×", speedup) == "correct");
  CHECK(outcome("6.667 s", speedup) == "invalid:wrong_unit");
  CHECK(outcome("66.7%", speedup) == "incorrect:point_shifted");
  CHECK(outcome("666.7 %", speedup) == "correct");
}

TEST_CASE("A percentage that is asked for in percent may have its sign or not") {
  NumberKey key = decimals_key(Rational(300, 11), 1);
  key.rule.unit.accepted = {"%"};
  CHECK(outcome("27.3", key) == "correct");
  CHECK(outcome("27.3 %", key) == "correct");
  CHECK(outcome("0.273", key) == "incorrect:factor_of_100");
  CHECK(outcome("27 %", key) == "needs_precision:fewer_digits");
  key.rule.shape.places_min = key.rule.shape.places_max = 1;
  CHECK(outcome("27.3 %", key) == "correct");
  CHECK(outcome("27.27 %", key) == "needs_precision:digit_count");
}

TEST_CASE("A unit that is asked for can be a wrong answer, with credit for the number") {
  NumberKey key = tolerance_key(1, Rational(1, 100));
  key.rule.unit.accepted = {"m"};
  key.rule.unit.missing = VerdictKind::invalid;
  key.rule.unit.other = VerdictKind::incorrect;
  key.rule.unit.other_credit = Rational(42, 100);
  CHECK(outcome("1 foot", key) == "partial:wrong_unit");
  CHECK(grade_number("1 foot", key).credit == Rational(21, 50));
  CHECK(outcome("2 foot", key) == "incorrect:wrong_unit");
  CHECK(outcome("1", key) == "invalid:unit_missing");
  key.rule.unit.converts_any = true;
  CHECK(outcome("3.28 feet", key) == "correct");
  CHECK(outcome("1 m/s", key) == "partial:wrong_unit");
}

TEST_CASE("What cannot be read is invalid, and its message does not depend on the key") {
  for (const char* typed :
       {"",       "?",     "abc",      "NaN",  "-inf",      "∞",     "6,667", "1,2,3",
        "0.273.", "0·273", "0.273x",   "3/0",  "1 234/567", "5 4/3", "two",   "0x10",
        "--5",    "1_000", "3.14*x^2", "600T", "(3)/(11)",  "1e400", "\x01",  "\xff"}) {
    CAPTURE(typed);
    const Verdict one = grade_number(typed, bubble());
    const Verdict other = grade_number(typed, decimals_key(Rational(20, 3), 3));
    CHECK(one.kind == VerdictKind::invalid);
    CHECK_FALSE(one.message.empty());
    CHECK(one.message == other.message);
    CHECK(one.code == other.code);
    CHECK(one.credit == 0);
  }
}

TEST_CASE("How an answer was understood is said in plain signs") {
  const NumberKey key = decimals_key(Rational(20, 3), 3);
  const Locale* de = find_locale("de");
  CHECK(grade_number("6 2/3", key).understood == "6 2/3 = 6.667");
  CHECK(grade_number("666.7 %", key).understood == "666.7 % = 6.667");
  CHECK(grade_number("3/8", key).understood == "3/8 = 0.375");
  CHECK(grade_number(".500", key).understood == "0.500");
  CHECK(grade_number("−1 000,5", key, de).understood == "−1000,5");
  CHECK(grade_number("1e3", key).understood == "1×10³ = 1000");
  CHECK(grade_number("20/3", key, de).understood == "20/3 = 6,667");
  CHECK(grade_number("abc", key).understood.empty());
}

TEST_CASE("A right answer has credit 1, and only a right answer") {
  const NumberKey key = bubble();
  for (const char* typed : {"0.273", "0.27", "0.272", "0.375", "abc", "5"}) {
    CAPTURE(typed);
    const Verdict verdict = grade_number(typed, key);
    CHECK((verdict.credit == 1) == (verdict.kind == VerdictKind::correct));
  }
}

TEST_CASE("Mistakes that cannot be told from the key or each other are found") {
  NumberKey key = decimals_key(kBubble, 3);
  CHECK_FALSE(indistinct(key).has_value());
  key.mistakes = {{"a", Rational(3, 8), ""}, {"b", Rational(1, 2), ""}};
  CHECK_FALSE(indistinct(key).has_value());
  key.mistakes.push_back({"c", exact_value("0.3751"), ""});
  CHECK(indistinct(key) == std::pair<std::string, std::string>("a", "c"));
  key.mistakes = {{"d", exact_value("0.2729"), ""}};
  CHECK(indistinct(key) == std::pair<std::string, std::string>("d", "key"));
  // 0.0625 may be typed as 0.062, which is also this mistake.
  key = decimals_key(Rational(1, 16), 3);
  key.mistakes = {{"e", exact_value("0.0618"), ""}};
  CHECK(indistinct(key) == std::pair<std::string, std::string>("e", "key"));
}

TEST_CASE("A shifted decimal point is found by digits, cut and not rounded") {
  CHECK(point_shift(exact_value("0.1234"), 1234, 4) == -4);
  CHECK(point_shift(12340, 1234, 4) == 1);
  CHECK_FALSE(point_shift(exact_value("0.1235"), 1234, 4).has_value());
  CHECK_FALSE(point_shift(exact_value("0.1240"), 1239, 3).has_value());
  CHECK_FALSE(point_shift(1230, 1239, 3).has_value());  // the same size: no shift
  CHECK_FALSE(point_shift(-12340, 1234, 4).has_value());
  CHECK_FALSE(point_shift(0, 1234, 4).has_value());
}

TEST_CASE("Random text is graded without a crash, the same every time") {
  constexpr std::string_view kAlphabet = "0123456789.,/ eE+-*^%()x'GBi\xc2\xa0\xe2\x88\x92";
  NumberKey key = bubble();
  key.rule.forms |= form_bit(NumberForm::expression);
  key.rule.unit.accepted = {"GB", "GiB"};
  for (std::uint64_t seed = 0; seed < 50'000; ++seed) {
    std::string typed;
    const auto length = random_below(seed, 0, 100, 14);
    for (std::uint64_t i = 0; i < length; ++i) {
      typed += kAlphabet[random_below(seed, 0, i, kAlphabet.size())];
    }
    const Locale* locale = seed % 6 == 0 ? nullptr : &locales()[seed % 6 - 1];
    const Verdict first = grade_number(typed, key, locale);
    const Verdict second = grade_number(typed, key, locale);
    const bool fine = code_text(first) == code_text(second) && first.credit.ok() &&
                      (first.kind == VerdictKind::correct || !first.message.empty());
    if (!fine) {
      CAPTURE(seed, typed);
      FAIL("not a sound verdict");
    }
  }
}

TEST_CASE("Verdict codes stand in the order of their enum, each once") {
  for (std::size_t i = 0; i < kVerdictCodes.size(); ++i) {
    CAPTURE(kVerdictCodes[i].name);
    CHECK(kVerdictCodes[i].code == static_cast<VerdictCode>(i));
    CHECK(std::ranges::count(kVerdictCodes, kVerdictCodes[i].name, &VerdictCodeRow::name) == 1);
    CHECK_FALSE(kVerdictCodes[i].meaning.empty());
  }
}

}  // namespace
}  // namespace lockstep
