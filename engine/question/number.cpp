#include "question/number.h"

#include <algorithm>
#include <utility>

#include "question/number_attempt.h"

namespace lockstep {
namespace {

VerdictCode code_named(std::string_view name) {
  const auto row = std::ranges::find(kVerdictCodes, name, &VerdictCodeRow::name);
  return row == kVerdictCodes.end() ? VerdictCode::not_a_number : row->code;
}

/// The value as a decimal at the precision asked for.
std::string decimal_of(const Rational& value, const NumberRule& rule, const NumberStyle& style) {
  constexpr int kFiguresShown = 6;
  if (rule.comparison == Comparison::decimals) {
    const bool exact = round_at(value, rule.digits, Rounding::toward_zero) == value;
    return exact ? shortest_text(value, style) : fixed_text(value, rule.digits, style);
  }
  const bool exact = round_figures(value, kFiguresShown, Rounding::toward_zero) == value;
  return exact ? shortest_text(value, style) : figures_text(value, kFiguresShown, style);
}

/// "6 2/3 = 6.667", "16 GiB = 17.1799 GB", "0.273".
std::string understood_as(const Attempt& attempt, const NumberRule& rule, const Locale* locale) {
  const TypedNumber& typed = attempt.typed;
  std::string text = typed.normal;
  if (!typed.unit.empty()) text += ' ' + typed.unit;
  const bool plain = typed.form == NumberForm::integer || typed.form == NumberForm::decimal;
  const bool unit_is_percent = !rule.unit.accepted.empty() && rule.unit.accepted[0] == "%";
  if ((plain || unit_is_percent) && !attempt.converted) return text;
  const NumberStyle style{.locale = locale, .group = false};
  text += " = " + decimal_of(attempt.value, rule, style);
  if (attempt.converted) text += ' ' + rule.unit.accepted[0];
  return text;
}

bool fits(int least_typed, int most_typed, const std::optional<int>& least,
          const std::optional<int>& most) {
  return (!least || most_typed >= *least) && (!most || least_typed <= *most);
}

/// Whether the digits typed are as many as the rule's shape asks.
bool has_shape(const TypedNumber& typed, const DigitShape& shape) {
  if (typed.exact) return true;
  const int figures_max = shape.trailing_zeros_count ? typed.figures_max : typed.figures_min;
  return fits(typed.places, typed.places, shape.places_min, shape.places_max) &&
         fits(typed.figures_min, figures_max, shape.figures_min, shape.figures_max);
}

/// Of the digits that are checked beyond those asked for, as many as were typed.
int extra_digits(const Attempt& attempt, const NumberRule& rule) {
  if (rule.extra_checked == 0) return 0;
  const bool figures = rule.comparison == Comparison::figures;
  const int typed = figures ? attempt.typed.figures_max : attempt.typed.places;
  const int extra = attempt.typed.exact ? rule.extra_checked : typed - rule.digits;
  return std::clamp(extra, 0, rule.extra_checked);
}

/// A tolerance or an interval may hold a foreseen wrong value: typed as it is, it is that mistake.
const NumberMistake* mistake_inside(const Rational& value, const NumberKey& key) {
  const Comparison comparison = key.rule.comparison;
  if (comparison != Comparison::tolerance && comparison != Comparison::interval) return nullptr;
  if (any_key(key, [&](const Rational& one) { return one == value; })) return nullptr;
  for (const NumberMistake& mistake : key.mistakes) {
    if (mistake.value == value) return &mistake;
  }
  return nullptr;
}

Verdict mistake_verdict(const NumberMistake& mistake) {
  Verdict verdict = verdict_of(VerdictKind::incorrect, VerdictCode::mistake, mistake.message);
  verdict.mistake = mistake.id;
  return verdict;
}

Verdict right_value(const Attempt& attempt, const NumberRule& rule, const Locale* locale) {
  if (!has_shape(attempt.typed, rule.shape)) {
    Verdict verdict = verdict_of(
        VerdictKind::needs_precision, VerdictCode::digit_count,
        "The number of digits is not as asked for: type " + rule_phrase(rule, locale) + '.');
    verdict.credit = rule.shape_credit;
    return verdict;
  }
  if (!attempt.typed.reduced && rule.unreduced != VerdictKind::correct) {
    Verdict verdict =
        verdict_of(rule.unreduced, VerdictCode::not_reduced, "Type the fraction in lowest terms.");
    verdict.credit = rule.shape_credit;
    return verdict;
  }
  Verdict verdict = verdict_of(VerdictKind::correct, VerdictCode::correct, {});
  verdict.credit = 1;
  return verdict;
}

Verdict judge(const Attempt& attempt, const NumberKey& key, const Locale* locale) {
  const NumberRule& rule = key.rule;
  if ((rule.forms & form_bit(attempt.typed.form)) == 0) {
    return verdict_of(
        rule.other_form, VerdictCode::other_form,
        "The answer is asked for in another form: type " + rule_phrase(rule, locale) + '.');
  }
  if (const NumberMistake* mistake = mistake_inside(attempt.value, key)) {
    return mistake_verdict(*mistake);
  }
  const int extra = extra_digits(attempt, rule);
  const bool right = any_key(
      key, [&](const Rational& one) { return same_under(rule, attempt.value, one, extra); });
  if (right) return right_value(attempt, rule, locale);
  for (const NumberMistake& mistake : key.mistakes) {
    if (same_mistake(rule, attempt.value, mistake.value)) return mistake_verdict(mistake);
  }
  return unforeseen(attempt, key, locale);
}

}  // namespace

Verdict grade_number(std::string_view typed, const NumberKey& key, const Locale* locale) {
  ParseOptions options{.locale = locale};
  options.expressions = (key.rule.forms & form_bit(NumberForm::expression)) != 0;
  options.coefficient = key.rule.coefficient;
  Result<TypedNumber> number = parse_number(typed, options);
  if (!number.ok()) {
    return invalid_verdict(code_named(number.error().code), number.error().message);
  }
  Attempt attempt;
  attempt.typed = std::move(number).value();
  attempt.value = attempt.typed.value;
  attempt.last_place = last_place(attempt.typed);
  std::optional<Verdict> decided = settle_unit(attempt, key);
  if (!decided && !attempt.value.ok()) {
    decided = invalid_verdict(VerdictCode::out_of_range, "This is too large to compute with.");
  }
  Verdict verdict = decided ? *std::move(decided) : judge(attempt, key, locale);
  verdict.understood = understood_as(attempt, key.rule, locale);
  return verdict;
}

std::optional<std::pair<std::string, std::string>> indistinct(const NumberKey& key) {
  for (std::size_t i = 0; i < key.mistakes.size(); ++i) {
    const NumberMistake& mistake = key.mistakes[i];
    if (any_key(key,
                [&](const Rational& one) { return same_under(key.rule, mistake.value, one); })) {
      return std::pair(mistake.id, std::string("key"));
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (same_mistake(key.rule, mistake.value, key.mistakes[j].value) ||
          same_mistake(key.rule, key.mistakes[j].value, mistake.value)) {
        return std::pair(key.mistakes[j].id, mistake.id);
      }
    }
  }
  return std::nullopt;
}

std::optional<int> point_shift(const Rational& value, const Rational& key, int figures) {
  if (!value.ok() || !key.ok() || value.is_zero() || key.is_zero()) return std::nullopt;
  const int shift = leading_exponent(value) - leading_exponent(key);
  const auto digits = [figures](const Rational& x) {
    return round_figures(x, figures, Rounding::toward_zero) * ten_to(-leading_exponent(x));
  };
  if (shift == 0 || digits(value) != digits(key)) return std::nullopt;
  return shift;
}

}  // namespace lockstep
