// The closed forms of the subject by name: a table with units and sources, evaluated exactly.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/rational.h"
#include "core/result.h"
#include "cost/closed_form.h"

namespace lockstep {

/// Every closed form, by topic. To add one: a function and a row in the forms_*.cpp of its topic.
std::vector<ClosedForm> closed_forms();

/// The closed form called `name`. Error: unknown_formula (with the nearest name).
Result<ClosedForm> find_closed_form(std::string_view name);

/// The value of a closed form for values in the order of its parameters; those that have a default
/// may be left out at the end. The fault outside_domain where a value is missing, is not what its
/// parameter may be, or breaks the form's condition.
Rational evaluate_form(const ClosedForm& form, std::span<const Rational> values);

/// A value with the name of the parameter that it is for.
struct NamedValue {
  std::string name;
  Rational value;
};

/// The value of a closed form; parameters that have a default may be left out.
/// Errors: unknown_formula, unknown_parameter (both with the nearest name), doubled_parameter,
/// missing_parameter, out_of_range (names what the parameter may be), no_value (a condition among
/// the values is broken, or a division by zero). `where` is the parameter, or the formula.
Result<Rational> compute(std::string_view name, const std::vector<NamedValue>& values);

}  // namespace lockstep
