// The callable functions of formulas: a table, so that what can be called is a list one can read.
#pragma once

#include <span>
#include <string_view>

#include "core/rational.h"
#include "cost/closed_form.h"

namespace lockstep {

/// One callable. `evaluate` gets exactly `parameters` values without faults and may answer with a
/// fault, which the formula reports at the call.
struct Function {
  std::string_view name;
  int parameters;
  Rational (*evaluate)(std::span<const Rational> arguments);
  std::string_view about;  ///< one line: "ceil(x): the smallest whole number that is not below x"
  const ClosedForm* form = nullptr;  ///< evaluated in its place, where there is one
};

/// min, max, ceil, floor, abs, round, mod.
std::span<const Function> standard_functions();

/// What formulas of exercise files may call: the standard functions and every closed form of
/// engine/cost. A closed form takes its parameters in the order of its table, without those at the
/// end that have a default; a value that one may not have is a fault.
std::span<const Function> exercise_functions();

/// The value of a call.
Rational call(const Function& function, std::span<const Rational> arguments);

}  // namespace lockstep
