#include "formula/exact_value.h"

#include <string>

#include "formula/formula.h"

namespace lockstep {

Result<Rational> read_exact(std::string_view where, std::string_view text) {
  const Result<Formula> formula = parse_formula(text, Vocabulary{});
  const Result<Rational> value =
      formula.ok() ? formula.value().evaluate(Environment{}) : Result<Rational>(formula.error());
  if (value.ok()) return value;
  return Error{value.error().code, std::string(where),
               "a number is needed, not \"" + std::string(text) + "\": " + value.error().message +
                   " (" + value.error().where + ")"};
}

}  // namespace lockstep
