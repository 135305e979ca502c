// Faults that other products had with typed numbers, each named by its id in the list of faults.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "question/number.h"
#include "question/number_support.h"

namespace lockstep {
namespace {

const Rational kBubble(3, 11);

TEST_CASE("B01: binary noise cannot decide, since the key is an exact fraction") {
  CHECK(outcome("80.000", decimals_key(Rational(80, 12) * 12, 3)) == "correct");
  CHECK(outcome("403.208", decimals_key(exact_value("403.2079999999"), 3)) == "correct");
}

TEST_CASE("B02: a rule that asks for no or negative digits is refused, naming the field") {
  NumberRule rule;
  rule.comparison = Comparison::figures;
  rule.digits = 0;
  REQUIRE_FALSE(check_rule(rule).ok());
  CHECK(check_rule(rule).error().where == "digits");
  rule.comparison = Comparison::decimals;
  rule.digits = -1;
  REQUIRE_FALSE(check_rule(rule).ok());
  CHECK(check_rule(rule).error().where == "digits");
}

TEST_CASE("B03: the key is rounded to the asked places before it is compared") {
  CHECK(outcome("0.273", decimals_key(kBubble, 3)) == "correct");
  CHECK(outcome("4.000", decimals_key(exact_value("3.99999"), 3)) == "correct");
}

TEST_CASE("B04: the sign is no digit") {
  NumberKey key = figures_key(exact_value("-1.1"), 3);
  key.rule.shape.figures_min = key.rule.shape.figures_max = 3;
  CHECK(outcome("-1.10", key) == "correct");
  CHECK(outcome("−1.10", key) == "correct");
}

TEST_CASE("B05: the right number in the wrong precision is never plainly wrong") {
  CHECK(outcome("0.27", decimals_key(kBubble, 3)) == "needs_precision:fewer_digits");
  CHECK(outcome("0.2727", decimals_key(kBubble, 3)) == "correct");
}

TEST_CASE("B09: the edges of a tolerance are inside, in exact decimals") {
  const NumberKey key = tolerance_key(exact_value("0.3"), exact_value("0.01"));
  CHECK(outcome("0.29", key) == "correct");
  CHECK(outcome("0.31", key) == "correct");
  CHECK(outcome("0.2899999999", key) == "incorrect");
  CHECK(outcome("0.3100000001", key) == "incorrect");
}

TEST_CASE("B10: a number may start with its decimal mark, with a sign behind it or not") {
  CHECK(outcome(".273", decimals_key(kBubble, 3)) == "correct");
  CHECK(outcome(".273 %", decimals_key(exact_value("0.00273"), 5)) == "correct");
  CHECK(outcome("-.5", exact_key(Rational(-1, 2))) == "correct");
}

TEST_CASE("B12: zeros inside the decimals count as digits") {
  NumberKey key = figures_key(exact_value("1.0001"), 5);
  key.rule.shape.figures_min = key.rule.shape.figures_max = 5;
  CHECK(outcome("1.0001", key) == "correct");
  key.value = 1;
  CHECK(outcome("1.0000", key) == "correct");
  CHECK(outcome("1.000", key) == "needs_precision:digit_count");
}

TEST_CASE("B13: too few digits are said before an attempt is spent") {
  const Verdict verdict = grade_number("6.67", decimals_key(Rational(20, 3), 3));
  CHECK(verdict.kind == VerdictKind::needs_precision);
  CHECK(verdict.message.find("3 decimals") != std::string::npos);
}

TEST_CASE("B14: the minus of a calculator is a minus") {
  const NumberKey key = exact_key(Rational(-1, 2));
  for (const char* typed : {"\u22120.5", "\u20130.5", "\uff0d0.5", "\ufe630.5", "-0.5"}) {
    CHECK(outcome(typed, key) == "correct");
  }
}

TEST_CASE("B17: 1 %, 1.0 % and 0.01 are one number") {
  const NumberKey key = exact_key(Rational(1, 100));
  for (const char* typed : {"1%", "1.0%", "1 %", "0.01"}) CHECK(outcome(typed, key) == "correct");
}

TEST_CASE("B20: a tolerance holds around each of several keys, in any order") {
  NumberKey key = tolerance_key(2, exact_value("0.1"));
  key.also = {5};
  CHECK(outcome("5.1", key) == "correct");
  CHECK(outcome("1.9", key) == "correct");
  std::swap(key.value, key.also[0]);
  CHECK(outcome("5.1", key) == "correct");
  CHECK(outcome("1.9", key) == "correct");
  CHECK(outcome("3.5", key) == "incorrect");
}

TEST_CASE("B22: a number that begins like the key is not the key") {
  for (const NumberKey& key : {integer_key(256), exact_key(256)}) {
    CHECK(outcome("2560", key).starts_with("incorrect"));
    CHECK(outcome("25", key).starts_with("incorrect"));
    CHECK(outcome("256", key) == "correct");
  }
}

TEST_CASE("B25: close to zero is not zero, and asking takes no logarithm of it") {
  for (const NumberKey& key : {decimals_key(0, 3), figures_key(0, 3), exact_key(0)}) {
    CHECK(outcome("1e-14", key) == "incorrect");
    CHECK(outcome("0.0004", key) == "incorrect");
    CHECK(outcome("0", key) == "correct");
  }
  CHECK(outcome("0", figures_key(exact_value("0.0004"), 3)) == "incorrect");
}

TEST_CASE("B26: a key in powers of ten does not drift") {
  const NumberKey key = exact_key(exact_value("6.306e-7"));
  CHECK(outcome("6.306*10^(-7)", key) == "correct");
  CHECK(outcome("6.306×10⁻⁷", key) == "correct");
  CHECK(outcome("0.0000006306", key) == "correct");
}

TEST_CASE("B27: the wrong sign is wrong, and said") {
  CHECK(outcome("-3.14", figures_key(exact_value("3.14159"), 3)) == "incorrect:wrong_sign");
  CHECK(outcome("3.14", figures_key(exact_value("-3.14159"), 3)) == "incorrect:wrong_sign");
}

TEST_CASE("B30: a shifted decimal point has its own message") {
  const NumberKey key = decimals_key(exact_value("0.273"), 3);
  CHECK(outcome("2.73", key) == "incorrect:point_shifted");
  CHECK(outcome("27.3", key) == "incorrect:factor_of_100");
  CHECK(grade_number("2.73", key).message != grade_number("27.3", key).message);
}

TEST_CASE("B31: 45.8 ± 0.2 takes 46") {
  CHECK(outcome("46", tolerance_key(exact_value("45.8"), exact_value("0.2"))) == "correct");
  CHECK(outcome("46.0", tolerance_key(exact_value("45.8"), exact_value("0.2"))) == "correct");
}

TEST_CASE("B32: the revealed answer is one number in the learner's own marks") {
  CHECK(reveal_number(Rational(1, 2), decimals_key(0, 1).rule, find_locale("de"))[0] == "0,5");
  CHECK(reveal_number(Rational(1, 2), decimals_key(0, 1).rule, find_locale("en"))[0] == "0.5");
}

TEST_CASE("B34: digits in groups are one number, never a product") {
  CHECK(outcome("12 345", integer_key(12345)) == "correct");
  CHECK(outcome("12\u202f345", integer_key(12345)) == "correct");
  CHECK(outcome("12 345", integer_key(12 * 345)) == "incorrect");
  CHECK(outcome("12 34", integer_key(1234)) == "invalid:wrong_grouping");
}

TEST_CASE("B35: the answer is shown with the digits that were asked for") {
  const std::vector<std::string> shown =
      reveal_number(Rational(80, 12), decimals_key(0, 3).rule, nullptr);
  CHECK(shown[0] == "6.667");
  CHECK(std::ranges::find(shown, "20/3") != shown.end());
}

TEST_CASE("B36: no tolerance works unseen, and one that works is in the hint") {
  const NumberKey key = exact_key(exact_value("0.1") + exact_value("0.2"));
  CHECK(outcome("0.3", key) == "correct");
  CHECK(outcome("0.3000000001", key) == "incorrect");
  CHECK(prompt_suffix(key.rule) == "(the exact value)");
  const NumberRule rule = tolerance_key(0, exact_value("0.05")).rule;
  CHECK(prompt_suffix(rule) == "(within 0.05)");
  CHECK(rule_hint(rule).find("0.05") != std::string::npos);
}

TEST_CASE("B37: the right fraction counts where a decimal is asked for") {
  CHECK(outcome("3/11", decimals_key(kBubble, 3)) == "correct");
  NumberKey key = decimals_key(kBubble, 3);
  key.rule.forms = form_bit(NumberForm::decimal);
  const Verdict verdict = grade_number("3/11", key);
  CHECK(verdict.kind == VerdictKind::invalid);
  CHECK(verdict.message.find("a decimal number") != std::string::npos);
}

TEST_CASE("B39: the form asked for is stated for every rule before the first attempt") {
  for (const Comparison comparison :
       {Comparison::exact, Comparison::integer, Comparison::decimals, Comparison::figures,
        Comparison::tolerance, Comparison::interval}) {
    NumberRule rule;
    rule.comparison = comparison;
    rule.digits = 2;
    CHECK(prompt_suffix(rule).size() > 4);
    CHECK(rule_hint(rule).size() > 10);
  }
  // 0.5869: .58 is cut, .59 is a rounding with too few digits.
  CHECK(outcome(".58", decimals_key(exact_value("0.5869"), 4)) == "incorrect:rounded_not_cut");
  CHECK(outcome(".59", decimals_key(exact_value("0.5869"), 4)) == "needs_precision:fewer_digits");
}

TEST_CASE("B41: a decimal comma is read alike under every rule") {
  const Rational key = exact_value("6.4");
  for (const NumberKey& one : {exact_key(key), decimals_key(key, 1), figures_key(key, 2),
                               tolerance_key(key, exact_value("0.1"))}) {
    CHECK(outcome("6,4", one, find_locale("de")) == "correct");
    CHECK(outcome("6,4", one, find_locale("fr")) == "correct");
    CHECK(outcome("6,4", one) == "correct");
    CHECK(outcome("6,4", one, find_locale("en")) == "invalid:wrong_grouping");
  }
}

}  // namespace
}  // namespace lockstep
