#include "cost/compute.h"

#include <algorithm>
#include <string>

#include "core/nearest.h"

namespace lockstep {
namespace {

bool is_within(Domain domain, const Rational& value) {
  switch (domain) {
    case Domain::count:
      return value.is_whole() && value >= Rational(1);
    case Domain::whole:
      return value.is_whole() && value >= Rational(0);
    case Domain::positive:
      return value > Rational(0);
    case Domain::not_negative:
      return value >= Rational(0);
    case Domain::share:
      return value >= Rational(0) && value <= Rational(1);
    case Domain::flag:
      return value == Rational(0) || value == Rational(1);
  }
  return false;
}

std::string_view domain_text(Domain domain) {
  switch (domain) {
    case Domain::count:
      return "a whole number of at least 1";
    case Domain::whole:
      return "a whole number of at least 0";
    case Domain::positive:
      return "a number above 0";
    case Domain::not_negative:
      return "a number of at least 0";
    case Domain::share:
      return "a share from 0 to 1";
    case Domain::flag:
      return "0 for no or 1 for yes";
  }
  return "";
}

/// Every value must be for a parameter, and for each only one.
Status check_names(const ClosedForm& form, const std::vector<NamedValue>& values) {
  std::vector<std::string_view> names;
  for (const Parameter& parameter : form.parameters) names.push_back(parameter.name);
  for (const NamedValue& value : values) {
    if (std::ranges::count(names, value.name) == 0) {
      return Error{"unknown_parameter", value.name,
                   std::string(form.name) + " has no parameter \"" + value.name + "\"" +
                       did_you_mean(value.name, names) + "."};
    }
    if (std::ranges::count(values, value.name, &NamedValue::name) > 1) {
      return Error{"doubled_parameter", value.name, value.name + " is given more than once."};
    }
  }
  return fine();
}

Result<Rational> value_of(const Parameter& parameter, const std::vector<NamedValue>& values) {
  const std::string name(parameter.name);
  const auto given = std::ranges::find(values, name, &NamedValue::name);
  if (given == values.end()) {
    if (parameter.fallback) return Rational(*parameter.fallback);
    return Error{"missing_parameter", name,
                 "Give " + name + ": " + std::string(parameter.description) + "."};
  }
  if (is_within(parameter.domain, given->value)) return given->value;
  return Error{"out_of_range", name,
               name + " is " + std::string(domain_text(parameter.domain)) + "."};
}

Error no_value(const ClosedForm& form, Fault fault) {
  const std::string name(form.name);
  if (fault == Fault::outside_domain) {
    return {"no_value", name,
            name + " has no value here: " + std::string(form.condition) + " is needed."};
  }
  return {"no_value", name,
          name + " has no value here: it comes to " + std::string(fault_text(fault)) + "."};
}

}  // namespace

std::vector<ClosedForm> closed_forms() {
  std::vector<ClosedForm> forms;
  for (const auto table : {training_forms(), collective_forms(), pipeline_forms(), memory_forms(),
                           transformer_forms(), compute_forms(), scaling_forms()}) {
    forms.insert(forms.end(), table.begin(), table.end());
  }
  return forms;
}

Result<ClosedForm> find_closed_form(std::string_view name) {
  const std::vector<ClosedForm> forms = closed_forms();
  const auto form = std::ranges::find(forms, name, &ClosedForm::name);
  if (form != forms.end()) return *form;
  std::vector<std::string_view> names;
  for (const ClosedForm& known : forms) names.push_back(known.name);
  return Error{
      "unknown_formula", std::string(name),
      "There is no formula called \"" + std::string(name) + "\"" + did_you_mean(name, names) + "."};
}

Rational evaluate_form(const ClosedForm& form, std::span<const Rational> values) {
  if (values.size() > form.parameters.size()) return undefined();
  std::vector<Rational> all(values.begin(), values.end());
  for (const Parameter& parameter : form.parameters.subspan(values.size())) {
    if (!parameter.fallback) return undefined();
    all.emplace_back(*parameter.fallback);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_within(form.parameters[i].domain, all[i])) return undefined();
  }
  return form.evaluate(all);
}

Result<Rational> compute(std::string_view name, const std::vector<NamedValue>& values) {
  const Result<ClosedForm> found = find_closed_form(name);
  if (!found.ok()) return found.error();
  const ClosedForm& form = found.value();
  const Status named = check_names(form, values);
  if (!named.ok()) return named.error();
  std::vector<Rational> arguments;
  for (const Parameter& parameter : form.parameters) {
    const Result<Rational> value = value_of(parameter, values);
    if (!value.ok()) return value.error();
    arguments.push_back(value.value());
  }
  const Rational result = form.evaluate(arguments);
  if (!result.ok()) return no_value(form, result.fault());
  return result;
}

}  // namespace lockstep
