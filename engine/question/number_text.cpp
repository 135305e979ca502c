// What a rule says about itself (prompt, hint) and how a value is written under it (reveal).
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "question/number.h"
#include "question/number_rule.h"

namespace lockstep {
namespace {

constexpr NumberForms kFractions = static_cast<NumberForms>(
    form_bit(NumberForm::proper_fraction) | form_bit(NumberForm::improper_fraction));

std::string counted(int count, std::string_view one) {
  return std::to_string(count) + ' ' + std::string(one) + (count == 1 ? "" : "s");
}

/// "exactly 3 decimals", "at least 2 significant figures"; empty where nothing is asked.
std::string range_phrase(const std::optional<int>& least, const std::optional<int>& most,
                         std::string_view what) {
  if (least && most && *least == *most) return "exactly " + counted(*least, what);
  if (least && most) return std::to_string(*least) + " to " + counted(*most, what);
  if (least) return "at least " + counted(*least, what);
  return most ? "at most " + counted(*most, what) : "";
}

constexpr std::string_view kDecimal = "decimal";
constexpr std::string_view kFigure = "significant figure";

std::string tolerance_phrase(const NumberRule& rule, const Locale* locale) {
  const NumberStyle style{.locale = locale};
  const std::string percent = shortest_text(rule.relative * 100, style) + "\u00a0%";
  if (rule.absolute.is_zero()) return percent;
  const std::string absolute = shortest_text(rule.absolute, style);
  return rule.relative.is_zero() ? absolute : absolute + " plus " + percent;
}

std::string comparison_phrase(const NumberRule& rule, const Locale* locale) {
  switch (rule.comparison) {
    case Comparison::exact:
      return "the exact value";
    case Comparison::integer:
      return "a whole number";
    case Comparison::decimals:
      return rule.digits == 0 ? "rounded to a whole number" : counted(rule.digits, kDecimal);
    case Comparison::figures:
      return counted(rule.digits, kFigure);
    case Comparison::tolerance:
      return "within " + tolerance_phrase(rule, locale);
    case Comparison::interval:
      return "an estimate";
  }
  return "";
}

/// The digits to type, where that is more than the comparison says: "typed with 2 to 4 decimals".
std::string shape_phrase(const DigitShape& shape) {
  const std::string places = range_phrase(shape.places_min, shape.places_max, kDecimal);
  const std::string figures = range_phrase(shape.figures_min, shape.figures_max, kFigure);
  if (places.empty()) return figures;
  return figures.empty() ? places : places + " and " + figures;
}

/// Whether exactly the digits compared are to be typed.
bool is_strict(const NumberRule& rule) {
  const DigitShape& shape = rule.shape;
  return (rule.comparison == Comparison::decimals && shape.places_min == rule.digits &&
          shape.places_max == rule.digits && !shape.figures_min && !shape.figures_max) ||
         (rule.comparison == Comparison::figures && shape.figures_min == rule.digits &&
          shape.figures_max == rule.digits && !shape.places_min && !shape.places_max);
}

std::string join_or(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

/// The forms asked for, where not all numbers are: "a fraction or a mixed number".
std::string forms_phrase(NumberForms forms) {
  constexpr std::array<std::string_view, 8> kNames = {"a whole number",
                                                      "a decimal number",
                                                      "a fraction below 1",
                                                      "an improper fraction",
                                                      "a mixed number",
                                                      "a percentage",
                                                      "a number times a power of ten",
                                                      "a calculation"};
  if ((forms & kAllNumbers) == kAllNumbers) return "";
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const bool both = (forms & kFractions) == kFractions;
    const auto form = static_cast<NumberForm>(i);
    if ((forms & form_bit(form)) == 0 || (both && form == NumberForm::improper_fraction)) continue;
    const bool fraction = both && form == NumberForm::proper_fraction;
    names.emplace_back(fraction ? "a fraction" : kNames[i]);
  }
  return "as " + join_or(names);
}

bool unit_may_be_left_out(const UnitRule& unit) {
  return unit.missing.value_or(unit.accepted.size() == 1
                                   ? VerdictKind::correct
                                   : VerdictKind::needs_precision) == VerdictKind::correct;
}

std::string unit_phrase(const UnitRule& unit) {
  if (unit.accepted.empty() || unit.accepted[0] == "x") return "";
  if (unit_may_be_left_out(unit)) return "in " + unit.accepted[0];
  return "with its unit, " + join_or(unit.accepted);
}

std::string comparison_hint(const NumberRule& rule, const Locale* locale) {
  switch (rule.comparison) {
    case Comparison::exact:
      return "Type the exact value: a fraction, such as 2/7, where its digits do not end.";
    case Comparison::integer:
      return "Type a whole number.";
    case Comparison::decimals:
    case Comparison::figures:
      if (is_strict(rule)) return "Round and type " + rule_phrase(rule, locale) + '.';
      if (rule.digits == 0) return "Round to a whole number.";
      return "Round to " + comparison_phrase(rule, locale) + "; more digits do no harm.";
    case Comparison::tolerance:
      return "Every value within " + tolerance_phrase(rule, locale) + " of the right one counts.";
    case Comparison::interval:
      return "An estimate is enough.";
  }
  return "";
}

std::string unit_hint(const UnitRule& unit) {
  if (unit.accepted.empty() || unit.accepted[0] == "x") return "";
  if (unit_may_be_left_out(unit)) return "The unit, " + unit.accepted[0] + ", may be left out.";
  return "Type the unit too: " + join_or(unit.accepted) + '.';
}

void add_sentence(std::string& text, const std::string& sentence) {
  if (sentence.empty()) return;
  if (!text.empty()) text += ' ';
  text += sentence;
}

/// Writes one value in every form that might be typed.
class Writer {
 public:
  Writer(const Rational& value, const NumberRule& rule, const Locale* locale)
      : value_(value), style_{.locale = locale}, key_{value, {}, rule, {}} {}

  /// The forms that are accepted as the value itself.
  std::vector<std::string> accepted() {
    // A value outside the interval may round into it: that is another value.
    if (!same_under(key_.rule, value_, value_)) return {};
    decimals();
    const bool in_percent = !key_.rule.unit.accepted.empty() && key_.rule.unit.accepted[0] == "%";
    if (!in_percent && !value_.is_whole()) {
      offer(fraction_text(value_, style_));
      offer(mixed_text(value_, style_));
    }
    if (key_.rule.unit.accepted.empty() && absolute(value_) < 1 && !value_.is_zero()) {
      const int places = key_.rule.comparison == Comparison::decimals ? key_.rule.digits - 2 : 1;
      if (places >= 0) offer(percent_text(value_, places, style_));
    }
    return std::move(list_);
  }

 private:
  /// Numbers of so few digits are shown whole even where a rounding would do.
  static constexpr int kShortFigures = 6;
  static constexpr int kReadableFigures = 3;

  void decimals() {
    const NumberRule& rule = key_.rule;
    const std::optional<std::string> all = exact_text(value_, style_);
    if (rule.comparison == Comparison::decimals) {
      const int places = std::max(rule.digits, rule.shape.places_min.value_or(0));
      // 6.4 needs no zeros where three decimals are asked.
      if (round_at(value_, places, Rounding::toward_zero) == value_ && all) offer(*all);
      offer(fixed_text(value_, places, style_));
    } else if (rule.comparison == Comparison::figures) {
      const int figures = std::max(rule.digits, rule.shape.figures_min.value_or(1));
      offer(figures_text(value_, figures, style_));
      offer(scientific_text(value_, figures, style_));
    } else if (rule.comparison == Comparison::tolerance ||
               rule.comparison == Comparison::interval) {
      rounded();
    }
    if (all) offer(shortest_text(value_, style_));
    if (all) offer(*all);
    scientific();
  }

  /// The shortest rounding that still counts.
  void rounded() {
    for (int figures = kReadableFigures; figures <= kFiguresMax && list_.empty(); ++figures) {
      const bool whole_value = round_figures(value_, figures, Rounding::toward_zero) == value_;
      if (whole_value && figures <= kShortFigures) offer(shortest_text(value_, style_));
      offer(figures_text(value_, figures, style_));
    }
  }

  /// Exact values of few figures far from one, whose zeros are hard to count.
  void scientific() {
    constexpr int kFarAbove = 6;
    constexpr int kFarBelow = -4;
    if (value_.is_zero()) return;
    const int exponent = leading_exponent(value_);
    if (exponent < kFarAbove && exponent > kFarBelow) return;
    for (int figures = 1; figures <= kShortFigures; ++figures) {
      if (round_figures(value_, figures, Rounding::toward_zero) != value_) continue;
      offer(scientific_text(value_, figures, style_));
      return;
    }
  }

  /// Adds a text with its unit, if it is new and the grader takes it: what is shown is right.
  void offer(std::string text) {
    if (!key_.rule.unit.accepted.empty()) text += "\u00a0" + key_.rule.unit.accepted[0];
    if (std::ranges::find(list_, text) != list_.end()) return;
    if (grade_number(text, key_, style_.locale).kind != VerdictKind::correct) return;
    list_.push_back(std::move(text));
  }

  const Rational& value_;
  NumberStyle style_;
  NumberKey key_;
  std::vector<std::string> list_;
};

}  // namespace

std::string rule_phrase(const NumberRule& rule, const Locale* locale) {
  const std::string shape = shape_phrase(rule.shape);
  std::string text = is_strict(rule) ? shape : comparison_phrase(rule, locale);
  if (!is_strict(rule) && !shape.empty()) text += ", typed with " + shape;
  const std::string forms = forms_phrase(rule.forms);
  if (!forms.empty()) text += ", " + forms;
  if (rule.unreduced != VerdictKind::correct) text += ", in lowest terms";
  const std::string unit = unit_phrase(rule.unit);
  return unit.empty() ? text : text + ", " + unit;
}

std::string prompt_suffix(const NumberRule& rule, const Locale* locale) {
  return '(' + rule_phrase(rule, locale) + ')';
}

std::string rule_hint(const NumberRule& rule, const Locale* locale) {
  std::string text;
  add_sentence(text, comparison_hint(rule, locale));
  const std::string shape = is_strict(rule) ? "" : shape_phrase(rule.shape);
  if (!shape.empty()) add_sentence(text, "Type " + shape + '.');
  const std::string forms = forms_phrase(rule.forms);
  if (!forms.empty()) add_sentence(text, "Type it " + forms + '.');
  const bool rounds =
      rule.comparison == Comparison::decimals || rule.comparison == Comparison::figures;
  if (rounds && (rule.forms & kFractions) == kFractions) {
    add_sentence(text, "An exact fraction, such as 2/7, counts too.");
  }
  if ((rule.forms & form_bit(NumberForm::expression)) != 0) {
    add_sentence(text, "A calculation, such as (8 - 1)/4, is worked out for you.");
  }
  add_sentence(text, unit_hint(rule.unit));
  return text;
}

std::vector<std::string> reveal_number(const Rational& value, const NumberRule& rule,
                                       const Locale* locale) {
  if (!value.ok()) return {shortest_text(value)};
  std::vector<std::string> forms = Writer(value, rule, locale).accepted();
  if (forms.empty()) forms.push_back(shortest_text(value, {.locale = locale}));
  return forms;
}

bool is_typeable(const Rational& value, const NumberRule& rule) {
  return value.ok() && !Writer(value, rule, nullptr).accepted().empty();
}

}  // namespace lockstep
