#include "question/number_rule.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/random.h"
#include "question/number_support.h"

namespace lockstep {
namespace {

NumberRule strict(NumberRule rule) {
  if (rule.comparison == Comparison::decimals) {
    rule.shape.places_min = rule.shape.places_max = rule.digits;
  } else {
    rule.shape.figures_min = rule.shape.figures_max = rule.digits;
  }
  return rule;
}

NumberRule decimals(int digits) {
  return decimals_key(0, digits).rule;
}
NumberRule figures(int digits) {
  return figures_key(0, digits).rule;
}

NumberRule with_units(NumberRule rule, std::vector<std::string> units) {
  rule.unit.accepted = std::move(units);
  return rule;
}

TEST_CASE("The prompt says what is asked for") {
  CHECK(prompt_suffix(decimals(3)) == "(3 decimals)");
  CHECK(prompt_suffix(decimals(1)) == "(1 decimal)");
  CHECK(prompt_suffix(decimals(0)) == "(rounded to a whole number)");
  CHECK(prompt_suffix(strict(decimals(3))) == "(exactly 3 decimals)");
  CHECK(prompt_suffix(figures(3)) == "(3 significant figures)");
  CHECK(prompt_suffix(strict(figures(2))) == "(exactly 2 significant figures)");
  CHECK(prompt_suffix(integer_key(0).rule) == "(a whole number)");
  CHECK(prompt_suffix(with_units(integer_key(0).rule, {"tokens"})) ==
        "(a whole number, in tokens)");
  CHECK(prompt_suffix(with_units(decimals(1), {"GB", "GiB", "MB"})) ==
        "(1 decimal, with its unit, GB, GiB or MB)");
  CHECK(prompt_suffix(with_units(decimals(3), {"x"})) == "(3 decimals)");
  CHECK(prompt_suffix(tolerance_key(0, Rational(1, 100)).rule) == "(within 0.01)");
  CHECK(prompt_suffix(tolerance_key(0, Rational(1, 100)).rule, find_locale("de")) ==
        "(within 0,01)");
  NumberRule rule = tolerance_key(0, 0).rule;
  rule.relative = Rational(1, 20);
  CHECK(prompt_suffix(rule) == "(within 5\u00a0%)");
  rule.absolute = 2;
  CHECK(prompt_suffix(rule) == "(within 2 plus 5\u00a0%)");
  rule = exact_key(0).rule;
  rule.forms = form_bit(NumberForm::proper_fraction) | form_bit(NumberForm::improper_fraction) |
               form_bit(NumberForm::mixed);
  rule.unreduced = VerdictKind::invalid;
  CHECK(prompt_suffix(rule) ==
        "(the exact value, as a fraction or a mixed number, in lowest terms)");
  rule = decimals(2);
  rule.shape.places_min = 3;
  CHECK(prompt_suffix(rule) == "(2 decimals, typed with at least 3 decimals)");
}

TEST_CASE("The hint says how to type and never what") {
  CHECK(rule_hint(decimals(3)) ==
        "Round to 3 decimals; more digits do no harm. An exact fraction, such as 2/7, counts too.");
  CHECK(
      rule_hint(strict(figures(2))) ==
      "Round and type exactly 2 significant figures. An exact fraction, such as 2/7, counts too.");
  CHECK(rule_hint(with_units(integer_key(0).rule, {"tokens"})) ==
        "Type a whole number. The unit, tokens, may be left out.");
  CHECK(rule_hint(with_units(exact_key(0).rule, {"GB", "GiB"})) ==
        "Type the exact value: a fraction, such as 2/7, where its digits do not end. Type the unit "
        "too: GB or GiB.");
}

TEST_CASE("Rules that make no sense are refused, naming the field") {
  const auto error = [](const NumberRule& rule) -> std::string {
    const Status status = check_rule(rule);
    return status.ok() ? "none" : status.error().code + " at " + status.error().where;
  };
  CHECK(error(decimals(0)) == "none");
  CHECK(error(decimals(12)) == "none");
  CHECK(error(decimals(13)) == "bad_digits at digits");
  CHECK(error(figures(15)) == "none");
  CHECK(error(figures(16)) == "bad_digits at digits");
  CHECK(error(tolerance_key(0, 0).rule) == "bad_tolerance at absolute");
  CHECK(error(tolerance_key(0, -1).rule) == "bad_tolerance at absolute");
  CHECK(error(tolerance_key(0, Rational(1) / 0).rule) == "bad_tolerance at absolute");
  NumberRule rule = tolerance_key(0, 1).rule;
  rule.relative = 1;
  CHECK(error(rule) == "bad_tolerance at relative");
  rule = exact_key(0).rule;
  rule.comparison = Comparison::interval;
  rule.low = 2;
  rule.high = 1;
  CHECK(error(rule) == "bad_interval at low");
  rule = decimals(3);
  rule.shape.places_max = 2;
  CHECK(error(rule) == "bad_shape at digits");
  rule.shape = {};
  rule.shape.places_min = 4;
  rule.shape.places_max = 3;
  CHECK(error(rule) == "bad_shape at places");
  rule.shape = {};
  rule.shape.figures_min = 0;
  CHECK(error(rule) == "bad_shape at figures");
  rule = exact_key(0).rule;
  rule.forms = 0;
  CHECK(error(rule) == "bad_forms at forms");
  rule = exact_key(0).rule;
  rule.minimum = 1;
  rule.maximum = 0;
  CHECK(error(rule) == "bad_bounds at minimum");
  CHECK(error(with_units(exact_key(0).rule, {"optimizer steps"})) == "none");
  CHECK(error(with_units(exact_key(0).rule, {""})) == "bad_unit at unit 1");
  CHECK(error(with_units(exact_key(0).rule, {"3x"})) == "bad_unit at unit 1");
  CHECK(error(with_units(exact_key(0).rule, {"GB", "s"})) == "bad_unit at unit 2");
  CHECK(error(with_units(exact_key(0).rule, {"devices", "workers"})) == "bad_unit at unit 2");
}

TEST_CASE("Keys that cannot be asked for are refused, naming why") {
  const auto error = [](const Rational& key, const NumberRule& rule) -> std::string {
    const Status status = check_key(key, rule);
    return status.ok() ? "none" : status.error().code;
  };
  CHECK(error(Rational(3, 11), decimals(3)) == "none");
  CHECK(error(Rational(1) / 0, decimals(3)) == "division_by_zero");
  CHECK(error(power(2, 3000), decimals(3)) == "too_large");
  CHECK(error(Rational(1, 2), integer_key(0).rule) == "key_not_whole");
  CHECK(error(ten_to(50) + Rational(1, 3), decimals(3)) == "key_not_typeable");
  CHECK(error(ten_to(50) + 1, exact_key(0).rule) == "key_not_typeable");
  CHECK(error(ten_to(50), exact_key(0).rule) == "none");  // 1×10⁵⁰
  NumberRule rule = exact_key(0).rule;
  rule.forms = form_bit(NumberForm::decimal);
  CHECK(error(Rational(1, 3), rule) == "key_not_typeable");
  rule = decimals(3);
  rule.maximum = 1;
  CHECK(error(2, rule) == "key_outside");
  rule = exact_key(0).rule;
  rule.comparison = Comparison::interval;
  rule.low = 1;
  rule.high = 2;
  CHECK(error(3, rule) == "key_outside");
}

TEST_CASE("A key is revealed in the forms that its rule takes, the asked one first") {
  using Forms = std::vector<std::string>;
  CHECK(reveal_number(Rational(20, 3), decimals(3)) == Forms{"6.667", "20/3", "6\u00a02/3"});
  CHECK(reveal_number(Rational(3, 11), decimals(3)) == Forms{"0.273", "3/11", "27.3\u00a0%"});
  CHECK(reveal_number(Rational(32, 5), decimals(3)) == Forms{"6.4", "6.400", "32/5", "6\u00a02/5"});
  CHECK(reveal_number(Rational(32, 5), strict(decimals(3))) ==
        Forms{"6.400", "32/5", "6\u00a02/5"});
  CHECK(reveal_number(256, integer_key(0).rule) == Forms{"256"});
  CHECK(reveal_number(256, with_units(integer_key(0).rule, {"tokens"})) ==
        Forms{"256\u00a0tokens"});
  CHECK(reveal_number(Rational(300, 11), with_units(decimals(1), {"%"})) == Forms{"27.3\u00a0%"});
  CHECK(reveal_number(6 * ten_to(14), integer_key(0).rule, find_locale("en")) ==
        Forms{"600,000,000,000,000", "6\u00d710\u00b9\u2074"});
  CHECK(reveal_number(0, decimals(3)) == Forms{"0", "0.000"});
  // 1 and 234/567 would be misread as 1234/567: the mixed number is not among the forms.
  CHECK(reveal_number(Rational(1801, 567), exact_key(0).rule) == Forms{"1801/567"});
}

TEST_CASE("A value that its rule does not take is still shown, exactly") {
  CHECK(reveal_number(Rational(1) / 0, decimals(3))[0] == "(a division by zero)");
  NumberRule rule = exact_key(0).rule;
  rule.forms = form_bit(NumberForm::decimal);
  CHECK(reveal_number(Rational(1, 3), rule) == std::vector<std::string>{"1/3"});
}

/// A random key: fractions, exact ties, whole numbers, zeros, huge and tiny ones, of both signs.
Rational random_key(std::uint64_t seed) {
  const auto below = [&](std::uint64_t index, std::uint64_t bound) {
    return static_cast<std::int64_t>(random_below(seed, 1, index, bound));
  };
  const std::int64_t sign = below(0, 2) == 0 ? 1 : -1;
  switch (below(1, 6)) {
    case 0:
      return Rational(sign * below(2, 2000), below(3, 400) + 1);
    case 1:
      return Rational(sign * (2 * below(2, 20'000) + 1), 2 * 1000);  // a tie at 3 decimals
    case 2:
      return sign * below(2, 3'000'000);
    case 3:
      return Rational(sign * below(2, 1000), 1024);
    case 4:
      return Rational(sign * (below(2, 999) + 1)) * ten_to(static_cast<int>(below(3, 40)) - 20);
    default:
      return Rational(sign * below(2, 100'000'000), below(3, 100'000'000) + 1);
  }
}

NumberRule random_rule(std::uint64_t seed, const Rational& key) {
  const auto below = [&](std::uint64_t index, std::uint64_t bound) {
    return random_below(seed, 2, index, bound);
  };
  NumberRule rule;
  rule.comparison = static_cast<Comparison>(below(0, 6));
  if (rule.comparison == Comparison::integer && !key.is_whole()) {
    rule.comparison = Comparison::exact;
  }
  if (rule.comparison == Comparison::decimals) rule.digits = static_cast<int>(below(1, 7));
  if (rule.comparison == Comparison::figures) rule.digits = static_cast<int>(below(1, 8)) + 1;
  if (rule.comparison == Comparison::tolerance) {
    rule.absolute = Rational(static_cast<std::int64_t>(below(1, 100)) + 1, 10'000);
    rule.relative = Rational(static_cast<std::int64_t>(below(2, 10)), 100);
  }
  if (rule.comparison == Comparison::interval) {
    rule.low = key - Rational(1, 1000);
    rule.high = key + Rational(static_cast<std::int64_t>(below(1, 100)), 1000);
  }
  const bool counts_digits =
      rule.comparison == Comparison::decimals || rule.comparison == Comparison::figures;
  if (counts_digits && below(3, 3) == 0) rule = strict(rule);
  rule.shape.trailing_zeros_count = below(4, 4) != 0;
  if (below(5, 5) == 0) rule.unreduced = VerdictKind::invalid;
  const std::array<std::vector<std::string>, 6> units = {
      {{}, {}, {"tokens"}, {"GB", "GiB"}, {"%"}, {"optimizer steps"}}};
  rule.unit.accepted = units[below(6, units.size())];
  return rule;
}

const Locale* random_locale(std::uint64_t seed) {
  const auto choice = random_below(seed, 3, 0, locales().size() + 1);
  return choice == 0 ? nullptr : &locales()[choice - 1];
}

TEST_CASE("Whatever is shown as the answer, in any form and locale, grades correct") {
  int shown = 0;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    NumberKey key = exact_key(random_key(seed));
    key.rule = random_rule(seed, key.value);
    CAPTURE(seed, fraction_text(key.value), rule_phrase(key.rule));
    REQUIRE(check_rule(key.rule).ok());
    if (!check_key(key.value, key.rule).ok()) continue;
    const Locale* locale = random_locale(seed);
    const std::vector<std::string> forms = reveal_number(key.value, key.rule, locale);
    for (const std::string& form : forms) {
      CAPTURE(form, locale ? locale->id : "none");
      CHECK(outcome(form, key, locale) == "correct");
    }
    ++shown;
  }
  CHECK(shown > 9'500);
}

TEST_CASE("The plain texts of a key are right without any choice among them") {
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    const Rational value = random_key(seed);
    if (!value.is_zero() && leading_exponent(value) > 20) continue;
    const int digits = static_cast<int>(seed % 7);
    const Locale* locale = random_locale(seed);
    const NumberStyle style{.locale = locale};
    CAPTURE(seed, fraction_text(value), digits, locale ? locale->id : "none");
    const NumberKey to_places = decimals_key(value, digits);
    CHECK(outcome(fixed_text(value, digits, style), to_places, locale) == "correct");
    CHECK(outcome(fixed_text(value, digits + 4, style), to_places, locale) == "correct");
    CHECK(outcome(percent_text(value, digits, style), decimals_key(value, digits + 2), locale) ==
          "correct");
    const NumberKey to_figures = figures_key(value, digits + 1);
    CHECK(outcome(figures_text(value, digits + 1, style), to_figures, locale) == "correct");
    CHECK(outcome(scientific_text(value, digits + 1, style), to_figures, locale) == "correct");
    CHECK(outcome(fraction_text(value, style), exact_key(value), locale) == "correct");
    CHECK(outcome(shortest_text(value, style), exact_key(value), locale) == "correct");
    CHECK(outcome(fixed_text(value, digits, {.ascii = true}), to_places) == "correct");
  }
}

TEST_CASE("A value more than two places off is never right, and never called right so far") {
  for (std::uint64_t seed = 0; seed < 5'000; ++seed) {
    const Rational value = random_key(seed);
    if (value.is_zero() || leading_exponent(value) > 20) continue;
    const int digits = static_cast<int>(seed % 7);
    CAPTURE(seed, fraction_text(value), digits);
    const Rational off = round_at(value, digits, Rounding::half_away) +
                         (seed % 2 == 0 ? 1 : -1) * ten_to(-digits) * Rational(5, 2);
    const std::string typed = fixed_text(off, digits + 1, {.ascii = true});
    CHECK(outcome(typed, decimals_key(value, digits)).starts_with("incorrect"));
  }
}

TEST_CASE("Every mistake that can be told apart gets its own message, as it is shown") {
  int told = 0;
  for (std::uint64_t seed = 0; seed < 5'000; ++seed) {
    NumberKey key = exact_key(random_key(seed));
    key.rule = random_rule(seed, key.value);
    key.mistakes = {{"double", key.value * 2, "Twice."}, {"next", key.value + 1, "One more."}};
    if (!check_key(key.value, key.rule).ok() || indistinct(key)) continue;
    const Locale* locale = random_locale(seed);
    for (const NumberMistake& mistake : key.mistakes) {
      if (!is_typeable(mistake.value, key.rule)) continue;
      const std::string shown = reveal_number(mistake.value, key.rule, locale)[0];
      CAPTURE(seed, fraction_text(key.value), rule_phrase(key.rule), shown);
      CHECK(outcome(shown, key, locale) == "incorrect:mistake:" + mistake.id);
      ++told;
    }
  }
  CHECK(told > 3'000);
}

}  // namespace
}  // namespace lockstep
