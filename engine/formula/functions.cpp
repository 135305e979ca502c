#include "formula/functions.h"

#include <algorithm>
#include <array>
#include <vector>

#include "cost/compute.h"

namespace lockstep {
namespace {

using Arguments = std::span<const Rational>;

Rational whole_part(Arguments x) {
  return floor(x[0]);
}
Rational next_whole(Arguments x) {
  return ceil(x[0]);
}
Rational size(Arguments x) {
  return absolute(x[0]);
}
Rational nearest_whole(Arguments x) {
  return round_at(x[0], 0, Rounding::half_away);
}
Rational smaller(Arguments x) {
  return minimum(x[0], x[1]);
}
Rational larger(Arguments x) {
  return maximum(x[0], x[1]);
}
Rational remainder(Arguments x) {
  return x[0] - x[1] * floor(x[0] / x[1]);
}

constexpr std::array kFunctions = {
    Function{"min", 2, smaller, "min(a, b): the smaller of two values"},
    Function{"max", 2, larger, "max(a, b): the larger of two values"},
    Function{"ceil", 1, next_whole, "ceil(x): the smallest whole number that is not below x"},
    Function{"floor", 1, whole_part, "floor(x): the largest whole number that is not above x"},
    Function{"abs", 1, size, "abs(x): x without its sign"},
    Function{"round", 1, nearest_whole, "round(x): the nearest whole number, ties away from zero"},
    Function{"mod", 2, remainder, "mod(a, b): a - b * floor(a / b); 0 when b divides a"},
};

}  // namespace

std::span<const Function> standard_functions() {
  return kFunctions;
}

std::span<const Function> exercise_functions() {
  static const std::vector<Function> kAll = [] {
    std::vector<Function> all(kFunctions.begin(), kFunctions.end());
    for (const auto table : {training_forms(), collective_forms(), pipeline_forms(), memory_forms(),
                             compute_forms()}) {
      for (const ClosedForm& form : table) {
        std::size_t needed = form.parameters.size();
        while (needed > 0 && form.parameters[needed - 1].fallback) --needed;
        all.push_back(
            {form.name, static_cast<int>(needed), form.evaluate, form.description, &form});
      }
    }
    return all;
  }();
  return kAll;
}

Rational call(const Function& function, std::span<const Rational> arguments) {
  return function.form ? evaluate_form(*function.form, arguments) : function.evaluate(arguments);
}

}  // namespace lockstep
