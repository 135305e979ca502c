// numeric-cases FILE: typed answers and the verdicts they must get, one JSON object a line. Each
// rule of the file is put into the words of NumberRule; parsing and grading are the engine's.
// Prints a line for each failing and each declined case (its id, else its line number), last "N
// passed, N failed".
#include <array>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "formula/formula.h"
#include "question/number.h"
#include "question/number_unit.h"

namespace lockstep {
namespace {

using Json = nlohmann::json;

/// What a case came to; `detail` is printed where that is not what the case expects.
struct Outcome {
  std::string verdict;
  std::string detail;
  Rational credit;
};

Outcome yes_or_no(bool yes, std::string detail) {
  return {yes ? "correct" : "incorrect", std::move(detail), {}};
}

Outcome unreadable(const Error& error) {
  return {"invalid", error.code + ": " + error.message, {}};
}

/// What the engine does not offer, with the reason. A line that the file itself marks as a quirk
/// contradicts our rules and is declined too.
struct DeclinedRule {
  const char* option;
  const char* reason;
};
constexpr std::array kDeclined = {
    DeclinedRule{"window", "a window of 0.51 around the key is not rounding"},
    DeclinedRule{"listedFirst", "a wrong range listed first would hide the right answer"},
};

std::string text_of(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// A key or an option: a number in any form, with a unit or not, or a formula with pi.
struct Amount {
  Rational value;
  std::string unit;
};

Amount amount_of(const Json& value) {
  const std::string text = text_of(value);
  const Result<TypedNumber> number = parse_number(text, {.expressions = true});
  if (number.ok()) return {number.value().value, number.value().unit};
  constexpr std::array<std::string_view, 1> kNames = {"pi"};
  const Result<Formula> formula = parse_formula(text, {kNames, {}});
  if (!formula.ok()) return {Rational::faulty(Fault::outside_domain), ""};
  Environment environment;
  environment.set("pi", rational_from_decimal("3.14159265358979323846264338327950288").value());
  const Result<Rational> result = formula.value().evaluate(environment);
  return {result.ok() ? result.value() : Rational::faulty(Fault::outside_domain), ""};
}

Rational value_of(const Json& value) {
  return amount_of(value).value;
}

int integer_at(const Json& rule, const char* name, int otherwise = 0) {
  return rule.contains(name) ? rule[name].get<int>() : otherwise;
}

bool flag_at(const Json& rule, const char* name) {
  return rule.value(name, false);
}

const Locale* locale_of(const Json& rule) {
  return find_locale(rule.value("locale", ""));
}

DigitShape exactly_figures(int digits) {
  DigitShape shape;
  shape.figures_min = shape.figures_max = digits;
  return shape;
}

// ---- Rules of comparison: each fills in a key.

void decimals(const Json& rule, NumberKey& key) {
  const int places = integer_at(rule, "places");
  key.rule.comparison = Comparison::decimals;
  key.rule.digits = places;
  key.rule.zero_exact = flag_at(rule, "exactKey");
  if (rule.value("appliesTo", "") == "significand") {
    key.rule.comparison = Comparison::figures;
    key.rule.digits = places + 1;
  }
  if (flag_at(rule, "strict")) key.rule.shape.places_min = key.rule.shape.places_max = places;
}

void figures(const Json& rule, NumberKey& key) {
  const int digits = integer_at(rule, "digits");
  key.rule.comparison = Comparison::figures;
  key.rule.digits = integer_at(rule, "accurateTo", digits);
  key.rule.asks_for_more_digits = false;
  key.rule.shape = exactly_figures(digits);
  if (rule.value("extraDigits", "") == "allowed") key.rule.shape.figures_max.reset();
  key.rule.shape.trailing_zeros_count = rule.value("count", "") != "strict-zeros";
}

void digits(const Json& rule, NumberKey& key) {
  key.rule.comparison = Comparison::figures;
  key.rule.digits = integer_at(rule, "digits");
  key.rule.asks_for_more_digits = false;
  key.rule.extra_checked = integer_at(rule, "extraChecked", 1);
  key.rule.cut_allowed = flag_at(rule, "truncationOk");
}

void exact(const Json&, NumberKey& key) {
  key.rule.asks_for_more_digits = false;
}

void integer(const Json&, NumberKey& key) {
  key.rule.comparison = Comparison::integer;
}

void absolute_tolerance(const Json& rule, NumberKey& key) {
  key.rule.comparison = Comparison::tolerance;
  key.rule.absolute = value_of(rule["tolerance"]);
}

void relative_tolerance(const Json& rule, NumberKey& key) {
  key.rule.comparison = Comparison::tolerance;
  key.rule.relative = value_of(rule["tolerance"]);
}

void range(const Json&, NumberKey& key) {
  key.rule.comparison = Comparison::interval;
}

void number_with_unit(const Json& rule, NumberKey& key) {
  const std::string own = key.rule.unit.accepted.empty() ? "" : key.rule.unit.accepted[0];
  key.rule.asks_for_more_digits = false;
  key.rule.unit.missing = VerdictKind::invalid;
  key.rule.unit.other = VerdictKind::incorrect;
  key.rule.unit.converts_any = !flag_at(rule, "strict") && rule.value("mode", "") != "exact-unit";
  key.rule.unit.other_credit = value_of(rule.value("magnitudeCredit", Json(0)));
  if (rule.contains("digits")) {
    key.rule.comparison = Comparison::figures;
    key.rule.shape = exactly_figures(rule["digits"][0].get<int>());
    key.rule.digits = rule["digits"][1].get<int>();
  }
  if (rule.contains("rtol") || rule.contains("atol")) {
    const Amount atol = amount_of(rule.value("atol", Json(0)));
    key.rule.comparison = Comparison::tolerance;
    key.rule.relative = value_of(rule.value("rtol", Json(0)));
    key.rule.absolute = atol.unit.empty()
                            ? atol.value
                            : atol.value * conversion_factor(atol.unit, own).value_or(Rational());
  }
}

/// Only the form is judged: the typed value is its own key.
void form_alone(const Json& rule, NumberKey& key) {
  key.rule.shape = exactly_figures(integer_at(rule, "digits"));
  key.rule.shape.trailing_zeros_count = rule.value("count", "") != "strict-zeros";
}

void validation(const Json& rule, NumberKey& key) {
  std::istringstream options(rule.value("option", ""));
  DigitShape& shape = key.rule.shape;
  const std::map<std::string, std::optional<int>*> limits = {{"mindp", &shape.places_min},
                                                             {"maxdp", &shape.places_max},
                                                             {"minsf", &shape.figures_min},
                                                             {"maxsf", &shape.figures_max}};
  for (std::string option; std::getline(options, option, ',');) {
    const std::size_t colon = option.find(':');
    const auto limit = limits.find(option.substr(0, colon));
    if (limit != limits.end()) *limit->second = std::stoi(option.substr(colon + 1));
    if (option == "floatnum") {
      key.rule.forms = form_bit(NumberForm::decimal) | form_bit(NumberForm::scientific);
    }
    if (option == "intnum") key.rule.forms = form_bit(NumberForm::integer);
    if (option == "lowestTerms") key.rule.unreduced = VerdictKind::invalid;
  }
}

using FillKey = void (*)(const Json& rule, NumberKey& key);
const std::map<std::string, FillKey> kComparisons = {
    {"decimals", decimals},
    {"sigfigs", figures},
    {"digits", digits},
    {"exact", exact},
    {"integer", integer},
    {"absolute", absolute_tolerance},
    {"relative", relative_tolerance},
    {"range", range},
    {"number-with-unit", number_with_unit},
    {"sigfigs-count-only", form_alone},
    {"input-validation", validation},
};

// ---- What any rule may add.

void add_units(const Json& rule, const std::string& unit_of_key, NumberKey& key) {
  UnitRule& unit = key.rule.unit;
  if (!unit_of_key.empty()) unit.accepted = {unit_of_key};
  if (rule.contains("unit")) unit.accepted = {rule["unit"].get<std::string>()};
  for (const Json& other : rule.value("units", Json::array())) {
    if (unit.accepted.empty() || other != unit.accepted[0])
      unit.accepted.push_back(other.get<std::string>());
  }
}

void add_forms(const Json& rule, NumberKey& key) {
  constexpr auto kAnyFraction = static_cast<NumberForms>(form_bit(NumberForm::proper_fraction) |
                                                         form_bit(NumberForm::improper_fraction));
  const std::map<std::string, NumberForms> names = {
      {"integer", form_bit(NumberForm::integer)},
      {"decimal", form_bit(NumberForm::decimal)},
      {"proper", form_bit(NumberForm::proper_fraction)},
      {"improper", form_bit(NumberForm::improper_fraction)},
      {"mixed", form_bit(NumberForm::mixed)},
      {"percent", form_bit(NumberForm::percent)}};
  const Json forms = rule.value("forms", Json());
  if (forms.is_array()) {
    key.rule.forms = 0;
    key.rule.other_form = VerdictKind::incorrect;
    for (const Json& form : forms) {
      const auto name = names.find(form.get<std::string>());
      if (name != names.end()) key.rule.forms |= name->second;
    }
  }
  if (!rule.value("fractions", true)) key.rule.forms &= static_cast<NumberForms>(~kAnyFraction);
  const std::string simplify = rule.value("simplify", "optional");
  if (simplify == "required") key.rule.unreduced = VerdictKind::invalid;
  if (simplify == "enforced") key.rule.unreduced = VerdictKind::incorrect;
  if (flag_at(rule, "mustBeReduced")) key.rule.unreduced = VerdictKind::needs_precision;
  key.rule.coefficient = flag_at(rule, "coefficient");
}

void add_options(const Json& rule, NumberKey& key) {
  for (const char* name : {"wrongPrecisionCredit", "unreducedCredit"}) {
    if (rule.contains(name)) key.rule.shape_credit = value_of(rule[name]);
  }
  if (rule.contains("min")) key.rule.minimum = value_of(rule["min"]);
  if (rule.contains("max")) key.rule.maximum = value_of(rule["max"]);
  for (const Json& wrong : rule.value("wrongValues", Json::array())) {
    key.mistakes.push_back({text_of(wrong), value_of(wrong), "foreseen"});
  }
}

void set_value(const Json& sample, NumberKey& key) {
  const std::string expected = text_of(sample["expected"]);
  if (expected.starts_with('[')) {
    const std::size_t comma = expected.find(',');
    key.rule.low = value_of(expected.substr(1, comma - 1));
    key.rule.high = value_of(expected.substr(comma + 1, expected.size() - comma - 2));
    key.value = key.rule.low;
    return;
  }
  key.value = value_of(sample["expected"].is_null() ? sample["input"] : sample["expected"]);
}

Outcome graded(const Json& sample, FillKey fill) {
  const Json& rule = sample["rule"];
  NumberKey key;
  set_value(sample, key);
  const bool has_key = !sample["expected"].is_null();
  add_units(rule, has_key ? amount_of(sample["expected"]).unit : "", key);
  fill(rule, key);
  add_forms(rule, key);
  add_options(rule, key);
  const Verdict verdict = grade_number(text_of(sample["input"]), key, locale_of(rule));
  constexpr std::array<const char*, 5> kWords = {"correct", "incorrect", "incorrect", "invalid",
                                                 "needs-precision"};
  return {kWords[static_cast<std::size_t>(verdict.kind)],
          code_text(verdict) + ": " + verdict.message, verdict.credit};
}

// ---- Rules about one number alone.

ParseOptions style_options(const Json& rule) {
  ParseOptions options{.locale = locale_of(rule)};
  const std::map<std::string, const char*> styles = {
      {"en", "en"},       {"plain-en", "en"}, {"si-en", "en"}, {"eu", "de"},
      {"plain-eu", "de"}, {"si-fr", "fr"},    {"ch", "ch"},    {"in", "in"}};
  const auto style = styles.find(rule.value("style", ""));
  if (style == styles.end()) return options;
  options.locale = find_locale(style->second);
  options.ask_when_ambiguous = false;
  return options;
}

Outcome parsed(const Json& sample) {
  const Json& rule = sample["rule"];
  const Result<TypedNumber> number = parse_number(text_of(sample["input"]), style_options(rule));
  if (!number.ok()) return unreadable(number.error());
  if (!number.value().unit.empty()) return {"invalid", "unit " + number.value().unit, {}};
  const bool scientific = number.value().form == NumberForm::scientific;
  if (scientific && !rule.value("scientific", true)) return {"invalid", "scientific", {}};
  if (sample["expected"].is_null()) return {"correct", number.value().normal, {}};
  return yes_or_no(number.value().value == value_of(sample["expected"]), number.value().normal);
}

Outcome counted(const Json& sample) {
  const Json& expected = sample["expected"];
  const Result<TypedNumber> number = parse_number(text_of(sample["input"]));
  if (!number.ok()) return unreadable(number.error());
  const TypedNumber& typed = number.value();
  const std::string kind = sample["rule"].value("kind", "");
  if (kind == "sigfigs") {
    return yes_or_no(value_of(expected) == typed.figures_min, std::to_string(typed.figures_min));
  }
  if (kind == "last-place-value") {
    return yes_or_no(value_of(expected) == last_place(typed), shortest_text(last_place(typed)));
  }
  if (!expected.is_object()) return {"unknown kind", kind, {}};
  const Json counts = {
      {"min", typed.figures_min}, {"max", typed.figures_max}, {"decimals", typed.mantissa_places}};
  return yes_or_no(counts == expected, counts.dump());
}

Outcome rounded(const Json& sample) {
  const Json& rule = sample["rule"];
  const std::map<std::string, Rounding> modes = {
      {"half-even", Rounding::half_even},
      {"half-up-toward-plus-infinity", Rounding::half_up},
      {"half-away", Rounding::half_away},
      {"", Rounding::half_away}};
  const auto mode = modes.find(rule.value("mode", ""));
  if (mode == modes.end()) return {"unknown mode", rule.value("mode", ""), {}};
  const Rational value = value_of(sample["input"]);
  const Rational result = rule.contains("sigfigs")
                              ? round_figures(value, rule["sigfigs"].get<int>(), mode->second)
                              : round_at(value, integer_at(rule, "places"), mode->second);
  return yes_or_no(result == value_of(sample["expected"]), shortest_text(result));
}

Outcome misconception(const Json& sample) {
  const Json& rule = sample["rule"];
  const std::string name = rule.value("name", "");
  if (name != "decimal-point-shifted") return {"unknown misconception", name, {}};
  const std::optional<int> shift = point_shift(
      value_of(sample["input"]), value_of(sample["expected"]), integer_at(rule, "digits"));
  return yes_or_no(shift.has_value(), shift ? std::to_string(*shift) : "no shift");
}

using Examine = Outcome (*)(const Json& sample);
const std::map<std::string, Examine> kExaminations = {{"parse", parsed},
                                                      {"count-digits", counted},
                                                      {"round", rounded},
                                                      {"misconception", misconception}};

Outcome outcome_of(const Json& sample) {
  const std::string type = sample["rule"].value("type", "");
  if (const auto fill = kComparisons.find(type); fill != kComparisons.end()) {
    return graded(sample, fill->second);
  }
  if (const auto look = kExaminations.find(type); look != kExaminations.end()) {
    return look->second(sample);
  }
  return {"unknown rule type", type, {}};
}

std::optional<std::string> declined(const Json& sample) {
  if (sample.contains("quirk")) return "quirk: " + text_of(sample["quirk"]);
  for (const DeclinedRule& rule : kDeclined) {
    if (sample["rule"].contains(rule.option)) return rule.reason;
  }
  return std::nullopt;
}

struct Counts {
  int passed = 0;
  int failed = 0;
  int declined = 0;
};

void run_case(const Json& sample, const std::string& id, Counts& counts) {
  if (const auto reason = declined(sample)) {
    std::printf("%s: declined: %s\n", id.c_str(), reason->c_str());
    ++counts.declined;
    return;
  }
  Outcome outcome;
  try {
    outcome = outcome_of(sample);
  } catch (const std::exception& error) {  // an option of another type than this driver knows
    outcome = {"unknown option", error.what(), {}};
  }
  const std::string expected = text_of(sample["verdict"]) == "needs_precision"
                                   ? "needs-precision"
                                   : text_of(sample["verdict"]);
  const bool credit_fits =
      !sample.contains("credit") || outcome.credit == value_of(sample["credit"]);
  if (outcome.verdict == expected && credit_fits) {
    ++counts.passed;
    return;
  }
  ++counts.failed;
  std::printf("%s: %s where %s is expected (%s)\n", id.c_str(), outcome.verdict.c_str(),
              expected.c_str(), outcome.detail.c_str());
}

int run_file(const char* path) {
  std::ifstream file(path);
  if (!file) {
    std::fprintf(stderr, "numeric-cases: cannot read %s\n", path);
    return 2;
  }
  Counts counts;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty()) continue;
    const Json sample = Json::parse(line, nullptr, false);
    if (!sample.is_object() || !sample.contains("rule") || !sample.contains("verdict")) {
      std::printf("%d: not a case\n", number);
      ++counts.failed;
      continue;
    }
    const Json complete = [&] {
      Json copy = sample;
      for (const char* name : {"input", "expected"}) copy.emplace(name, nullptr);
      return copy;
    }();
    const std::string id = sample.contains("id") ? text_of(sample["id"]) : std::to_string(number);
    run_case(complete, id, counts);
  }
  std::printf("%d declined\n%d passed, %d failed\n", counts.declined, counts.passed, counts.failed);
  return counts.failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lockstep

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: numeric-cases FILE\n");
    return 2;
  }
  return lockstep::run_file(arguments[1]);
}
