// A single exact number as a person or a page writes it.
#pragma once

#include <string_view>

#include "core/rational.h"
#include "core/result.h"

namespace lockstep {

/// The exact value of "0.5", "3/2", "6e14" or "2^30". Errors: those of parse_formula and of
/// Formula::evaluate, their `where` being `where`.
Result<Rational> read_exact(std::string_view where, std::string_view text);

}  // namespace lockstep
