// The unit of a typed number: which one was meant, and what happens where it is not the key's.
#include "question/number_attempt.h"
#include "question/number_unit.h"

namespace lockstep {
namespace {

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

/// The accepted unit that was meant: the same one, or the only one that an answer typed in lower
/// case throughout can mean; nullptr for none.
const std::string* meant_unit(const std::string& typed, const UnitRule& rule) {
  for (const std::string& unit : rule.accepted) {
    if (same_unit(typed, unit)) return &unit;
  }
  const std::string* meant = nullptr;
  if (typed != lower_case(typed)) return nullptr;
  for (const std::string& unit : rule.accepted) {
    if (!same_unit(typed, lower_case(unit))) continue;
    if (meant) return nullptr;
    meant = &unit;
  }
  return meant;
}

void convert(Attempt& attempt, const Rational& factor) {
  attempt.value *= factor;
  attempt.last_place *= factor;
  attempt.converted = attempt.converted || factor != Rational(1);
}

std::string listed(const std::vector<std::string>& units) {
  std::string text = units[0];
  for (std::size_t i = 1; i < units.size(); ++i) {
    text += (i + 1 == units.size() ? " or " : ", ") + units[i];
  }
  return text;
}

Verdict missing_unit(VerdictKind kind, const UnitRule& rule) {
  return verdict_of(kind, VerdictCode::unit_missing,
                    "Type the unit behind the number: " + listed(rule.accepted) + '.');
}

Verdict unit_where_none_belongs(const std::string& unit) {
  if (read_unit(unit)) {
    return invalid_verdict(VerdictCode::wrong_unit,
                           "This number has no unit: leave out " + in_quotes(unit) + '.');
  }
  return invalid_verdict(
      VerdictCode::trailing_text,
      in_quotes(unit) + " behind the number is not understood: type the number alone.");
}

Verdict other_unit(const Attempt& attempt, const NumberKey& key) {
  const UnitRule& rule = key.rule.unit;
  const std::string& typed = attempt.typed.unit;
  const std::optional<Unit> unit = read_unit(typed);
  std::string message = unit && unit->in_bits
                            ? in_quotes(typed) + " counts bits. The unit here is "
                            : in_quotes(typed) + " is not the unit here: that is ";
  Verdict verdict =
      verdict_of(rule.other, VerdictCode::wrong_unit, message + listed(rule.accepted) + '.');
  const bool right_number = same_under(key.rule, attempt.value, key.value);
  if (rule.other == VerdictKind::incorrect && right_number && rule.other_credit.sign() > 0) {
    verdict.kind = VerdictKind::partial;
    verdict.credit = rule.other_credit;
  }
  return verdict;
}

}  // namespace

std::optional<Verdict> settle_unit(Attempt& attempt, const NumberKey& key) {
  const UnitRule& rule = key.rule.unit;
  const bool is_percent = attempt.typed.form == NumberForm::percent;
  std::string& typed = attempt.typed.unit;
  if (rule.accepted.empty()) {
    if (typed.empty()) return std::nullopt;
    return unit_where_none_belongs(typed);
  }
  const std::string& own = rule.accepted[0];
  if (typed.empty() && is_percent) {
    // The sign has made hundredths already: a plain number, which may have to be percent again.
    const auto factor = conversion_factor("x", own);
    if (factor) {
      convert(attempt, *factor);
      attempt.converted = false;
      if (own == "%") attempt.typed.places -= 2;
      return std::nullopt;
    }
    Attempt with_sign = attempt;
    with_sign.typed.unit = "%";
    return other_unit(with_sign, key);
  }
  if (typed.empty()) {
    const VerdictKind missing = rule.missing.value_or(
        rule.accepted.size() == 1 ? VerdictKind::correct : VerdictKind::needs_precision);
    if (missing == VerdictKind::correct) return std::nullopt;
    return missing_unit(missing, rule);
  }
  if (const std::string* meant = meant_unit(typed, rule)) {
    typed = *meant;
    if (meant != &own) convert(attempt, conversion_factor(*meant, own).value_or(1));
    return std::nullopt;
  }
  const auto factor = conversion_factor(typed, own);
  attempt.from_bits = factor && read_unit(typed)->in_bits && !read_unit(own)->in_bits;
  if (factor && (rule.converts_any || (attempt.from_bits && rule.accepted.size() > 1))) {
    convert(attempt, *factor);
    return std::nullopt;
  }
  return other_unit(attempt, key);
}

}  // namespace lockstep
