#include "question/number_rule.h"

#include <algorithm>
#include <utility>

#include "question/number_unit.h"

namespace lockstep {
namespace {

constexpr int kExtraCheckedMax = 10;
constexpr std::size_t kUnitNameMax = 32;

Error rule_error(std::string code, std::string where, std::string message) {
  return {std::move(code), std::move(where), std::move(message)};
}

Status check_comparison(const NumberRule& rule) {
  switch (rule.comparison) {
    case Comparison::exact:
    case Comparison::integer:
      return fine();
    case Comparison::decimals:
      if (rule.digits >= 0 && rule.digits <= kPlacesMax) return fine();
      return rule_error("bad_digits", "digits",
                        "Between 0 and " + std::to_string(kPlacesMax) + " decimals can be asked.");
    case Comparison::figures:
      if (rule.digits >= 1 && rule.digits <= kFiguresMax) return fine();
      return rule_error(
          "bad_digits", "digits",
          "Between 1 and " + std::to_string(kFiguresMax) + " significant figures can be asked.");
    case Comparison::tolerance:
      if (!rule.absolute.ok() || rule.absolute < 0) {
        return rule_error("bad_tolerance", "absolute", "A tolerance is zero or more.");
      }
      if (!rule.relative.ok() || rule.relative < 0 || rule.relative >= 1) {
        return rule_error("bad_tolerance", "relative",
                          "A relative tolerance is at least 0 and below 1: 0.05 is 5 %.");
      }
      if (rule.absolute.is_zero() && rule.relative.is_zero()) {
        return rule_error("bad_tolerance", "absolute",
                          "A tolerance of zero accepts no rounding: ask for the exact value.");
      }
      return fine();
    case Comparison::interval:
      if (rule.low <= rule.high) return fine();
      return rule_error("bad_interval", "low", "The interval's low end is above its high end.");
  }
  return fine();
}

Status check_range(const std::optional<int>& least, const std::optional<int>& most, int smallest,
                   std::string where) {
  const int low = least.value_or(smallest);
  const int high = most.value_or(kDigitsMax);
  if (low >= smallest && high <= kDigitsMax && low <= high) return fine();
  return rule_error("bad_shape", std::move(where), "These numbers of digits exclude each other.");
}

/// The digits compared have to be digits that may be typed.
Status check_shape(const NumberRule& rule) {
  const DigitShape& shape = rule.shape;
  const Status places = check_range(shape.places_min, shape.places_max, 0, "places");
  if (!places.ok()) return places;
  const Status figures = check_range(shape.figures_min, shape.figures_max, 1, "figures");
  if (!figures.ok()) return figures;
  const bool too_few_places = rule.comparison == Comparison::decimals &&
                              shape.places_max.value_or(kDigitsMax) < rule.digits;
  const bool too_few_figures = rule.comparison == Comparison::figures &&
                               shape.figures_max.value_or(kDigitsMax) < rule.digits;
  if (too_few_places || too_few_figures) {
    return rule_error("bad_shape", "digits", "More digits are compared than may be typed.");
  }
  if (rule.extra_checked < 0 || rule.extra_checked > kExtraCheckedMax) {
    return rule_error(
        "bad_digits", "extra_checked",
        "Between 0 and " + std::to_string(kExtraCheckedMax) + " further digits can be checked.");
  }
  return fine();
}

bool is_unit_name(const std::string& name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ' || c == '-' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  return !name.empty() && name.size() <= kUnitNameMax && name.front() != ' ' &&
         name.front() != '-' && name.back() != ' ' && std::ranges::all_of(name, plain);
}

Status check_units(const UnitRule& unit) {
  for (std::size_t i = 0; i < unit.accepted.size(); ++i) {
    const std::string& name = unit.accepted[i];
    const std::string where = "unit " + std::to_string(i + 1);
    if (!read_unit(name) && !is_unit_name(name)) {
      return rule_error("bad_unit", where,
                        '"' + name + "\" is neither a known unit nor a plain word.");
    }
    if (i > 0 && !conversion_factor(name, unit.accepted[0])) {
      return rule_error("bad_unit", where,
                        '"' + name + "\" does not convert into \"" + unit.accepted[0] + "\".");
    }
  }
  return fine();
}

bool rounds_alike(const Rational& value, const Rational& key, int places, bool cut_allowed) {
  // Of a tie both neighbours count: away from zero, and to the even digit.
  constexpr Rounding kWays[] = {Rounding::half_away, Rounding::half_even};
  for (const Rounding of_value : kWays) {
    const Rational rounded = round_at(value, places, of_value);
    for (const Rounding of_key : kWays) {
      if (rounded == round_at(key, places, of_key)) return true;
    }
    if (cut_allowed && rounded == round_at(key, places, Rounding::toward_zero)) return true;
  }
  return false;
}

bool same_figures(const Rational& value, const Rational& key, int figures, bool cut_allowed) {
  const Rational rounded = round_figures(value, figures, Rounding::half_away);
  return rounded == round_figures(key, figures, Rounding::half_away) ||
         (cut_allowed && rounded == round_figures(key, figures, Rounding::toward_zero));
}

}  // namespace

Status check_rule(const NumberRule& rule) {
  for (const Status& status : {check_comparison(rule), check_shape(rule), check_units(rule.unit)}) {
    if (!status.ok()) return status;
  }
  if (rule.forms == 0) {
    return rule_error("bad_forms", "forms", "At least one form of number has to be allowed.");
  }
  if (rule.minimum && rule.maximum && !(*rule.minimum <= *rule.maximum)) {
    return rule_error("bad_bounds", "minimum", "The least value is above the largest.");
  }
  return fine();
}

Status check_key(const Rational& key, const NumberRule& rule) {
  if (!key.ok()) {
    return rule_error(key.fault() == Fault::division_by_zero ? "division_by_zero"
                      : key.fault() == Fault::too_large      ? "too_large"
                                                             : "outside_domain",
                      "key", "The key is " + std::string(fault_text(key.fault())) + '.');
  }
  if (rule.comparison == Comparison::integer && !key.is_whole()) {
    return rule_error("key_not_whole", "key", "The rule asks for a whole number, the key is none.");
  }
  const bool outside = (rule.comparison == Comparison::interval && !same_under(rule, key, key)) ||
                       (rule.minimum && key < *rule.minimum) ||
                       (rule.maximum && key > *rule.maximum);
  if (outside) {
    return rule_error("key_outside", "key", "The key lies outside what its rule accepts.");
  }
  if (!is_typeable(key, rule)) {
    return rule_error("key_not_typeable", "key",
                      "The key cannot be typed in the forms that its rule allows.");
  }
  return fine();
}

bool same_under(const NumberRule& rule, const Rational& value, const Rational& key,
                int extra_digits) {
  if (!value.ok() || !key.ok()) return false;
  switch (rule.comparison) {
    case Comparison::exact:
    case Comparison::integer:
      return value == key;
    case Comparison::decimals:
      if (key.is_zero() && rule.zero_exact) return value.is_zero();
      return value == key || rounds_alike(value, key, rule.digits + extra_digits, rule.cut_allowed);
    case Comparison::figures:
      return value == key || same_figures(value, key, rule.digits + extra_digits, rule.cut_allowed);
    case Comparison::tolerance:
      return absolute(value - key) <= rule.absolute + rule.relative * absolute(key);
    case Comparison::interval:
      return rule.low <= value && value <= rule.high;
  }
  return false;
}

bool same_mistake(const NumberRule& rule, const Rational& value, const Rational& mistake) {
  if (rule.comparison == Comparison::interval) return value == mistake;
  return same_under(rule, value, mistake);
}

}  // namespace lockstep
