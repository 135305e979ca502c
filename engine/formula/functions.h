// The callable functions of formulas: a table, so that what can be called is a list one can read.
#pragma once

#include <span>
#include <string_view>

#include "core/rational.h"

namespace lockstep {

/// One callable. `evaluate` gets exactly `parameters` values without faults and may answer with a
/// fault, which the formula reports at the call.
struct Function {
  std::string_view name;
  int parameters;
  Rational (*evaluate)(std::span<const Rational> arguments);
  std::string_view about;  ///< one line: "ceil(x): the smallest whole number that is not below x"
};

/// min, max, ceil, floor, abs, round, mod.
std::span<const Function> standard_functions();

}  // namespace lockstep
