// What a wrong number tells by itself: too few digits, cut instead of rounded, a lost sign or a
// shifted decimal point.
#include "question/number_attempt.h"

namespace lockstep {
namespace {

/// The value of the last significant digit typed: trailing zeros of an integer do not count here.
Rational last_figure(const Attempt& attempt) {
  if (attempt.typed.exact || attempt.value.is_zero()) return attempt.last_place;
  const int hidden_zeros = attempt.typed.figures_max - attempt.typed.figures_min;
  return attempt.last_place * ten_to(hidden_zeros);
}

/// Whether the value is the key rounded, to fewer digits than asked for. A zero has no figures, so
/// it is a rounding only where decimals are asked for.
bool is_coarse(const Attempt& attempt, const NumberRule& rule, const Rational& key) {
  if (!rule.asks_for_more_digits || attempt.typed.exact) return false;
  if (key.is_zero() && rule.zero_exact) return false;
  Rational unit = attempt.last_place;
  switch (rule.comparison) {
    case Comparison::decimals:
      if (attempt.last_place <= ten_to(-rule.digits)) return false;
      break;
    case Comparison::figures:
      if (attempt.value.is_zero() || attempt.typed.figures_min >= rule.digits) return false;
      unit = last_figure(attempt);
      break;
    case Comparison::exact:
      if (attempt.value.is_zero()) return false;
      break;
    default:
      return false;
  }
  return absolute(attempt.value - key) * 2 <= unit;
}

/// Whether the value is the key cut off at the last place typed.
bool is_cut(const Attempt& attempt, const NumberRule& rule, const Rational& key) {
  const bool rounds =
      rule.comparison == Comparison::decimals || rule.comparison == Comparison::figures;
  if (!rounds || attempt.typed.exact || attempt.value.is_zero()) return false;
  const Rational cut = absolute(key) - absolute(attempt.value);
  return attempt.value.sign() == key.sign() && cut > 0 && cut < attempt.last_place;
}

/// By how many powers of ten a value misses the key whose digits it has; 0 for any other value.
int shift_from(const Attempt& attempt, const NumberRule& rule, const Rational& key) {
  constexpr int kFiguresMin = 2;  // one digit says nothing: 5 and 50 may be any two numbers
  constexpr int kShiftMax = 6;
  if (key.sign() == 0 || attempt.value.sign() == 0) return 0;
  if (!attempt.typed.exact && attempt.typed.figures_min < kFiguresMin) return 0;
  const int shift = leading_exponent(attempt.value) - leading_exponent(key);
  if (shift == 0 || shift > kShiftMax || shift < -kShiftMax) return 0;
  const Rational back = ten_to(-shift);
  const bool rounds =
      rule.comparison == Comparison::decimals || rule.comparison == Comparison::figures;
  const Rational slack = rounds ? last_figure(attempt) * back : Rational();
  return absolute(attempt.value * back - key) * 2 <= slack ? shift : 0;
}

Verdict coarse_verdict(const Attempt& attempt, const NumberRule& rule, const Locale* locale) {
  if (rule.comparison == Comparison::exact) {
    return verdict_of(VerdictKind::needs_precision, VerdictCode::fewer_digits,
                      "This is rounded. Type the exact value, as a fraction where its digits do "
                      "not end.");
  }
  const bool figures = rule.comparison == Comparison::figures;
  const int typed = figures ? attempt.typed.figures_min : std::max(0, attempt.typed.places);
  return verdict_of(VerdictKind::needs_precision, VerdictCode::fewer_digits,
                    "More digits are asked for (" + rule_phrase(rule, locale) + "), and this has " +
                        std::to_string(typed) + '.');
}

Verdict shifted_verdict(int shift, const TypedNumber& typed) {
  constexpr int kPercentShift = 2;
  const bool percent = typed.form == NumberForm::percent;
  if (shift == kPercentShift && !percent) {
    return verdict_of(VerdictKind::incorrect, VerdictCode::factor_of_100,
                      "That is a hundred times too large: a percentage needs its sign, %, or the "
                      "decimal point two places further left.");
  }
  if (shift == -kPercentShift) {
    return verdict_of(VerdictKind::incorrect, VerdictCode::factor_of_100,
                      percent ? "That is a hundred times too small: with the sign % the number is "
                                "divided by 100, so it is written a hundred times larger."
                              : "That is a hundred times too small.");
  }
  return verdict_of(VerdictKind::incorrect, VerdictCode::point_shifted,
                    "The digits are right, the decimal point is not: check the power of ten.");
}

std::optional<Verdict> outside_bounds(const Attempt& attempt, const NumberRule& rule,
                                      const Locale* locale) {
  const NumberStyle style{.locale = locale};
  if (rule.minimum && attempt.value < *rule.minimum) {
    return verdict_of(VerdictKind::incorrect, VerdictCode::below_minimum,
                      "This value cannot be below " + shortest_text(*rule.minimum, style) + '.');
  }
  if (rule.maximum && attempt.value > *rule.maximum) {
    return verdict_of(VerdictKind::incorrect, VerdictCode::above_maximum,
                      "This value cannot be above " + shortest_text(*rule.maximum, style) + '.');
  }
  return std::nullopt;
}

}  // namespace

Verdict unforeseen(const Attempt& attempt, const NumberKey& key, const Locale* locale) {
  const NumberRule& rule = key.rule;
  const auto any = [&](auto test) { return any_key(key, test); };
  if (any([&](const Rational& one) { return is_coarse(attempt, rule, one); })) {
    return coarse_verdict(attempt, rule, locale);
  }
  if (attempt.from_bits) {
    return verdict_of(VerdictKind::incorrect, VerdictCode::bits_not_bytes,
                      in_quotes(attempt.typed.unit) +
                          " counts bits, and a byte has eight of them: check the b and the B.");
  }
  if (rule.comparison == Comparison::integer && !attempt.value.is_whole()) {
    return verdict_of(VerdictKind::incorrect, VerdictCode::not_whole,
                      "The answer is a whole number.");
  }
  if (any([&](const Rational& one) { return is_cut(attempt, rule, one); })) {
    return verdict_of(VerdictKind::incorrect, VerdictCode::rounded_not_cut,
                      "Round, do not cut: the first digit left out decides the last one kept.");
  }
  if (any([&](const Rational& one) {
        return !one.is_zero() && same_under(rule, -attempt.value, one);
      })) {
    return verdict_of(VerdictKind::incorrect, VerdictCode::wrong_sign, "Check the sign.");
  }
  if (std::optional<Verdict> verdict = outside_bounds(attempt, rule, locale)) return *verdict;
  int shift = 0;
  any([&](const Rational& one) { return (shift = shift_from(attempt, rule, one)) != 0; });
  if (shift != 0) return shifted_verdict(shift, attempt.typed);
  return verdict_of(VerdictKind::incorrect, VerdictCode::incorrect, "That is not it.");
}

}  // namespace lockstep
