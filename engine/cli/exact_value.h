// Lists of numbers on the command line: exact, and written as a person would.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/rational.h"
#include "core/result.h"

namespace lockstep::cli {

/// The numbers of "[1, 2.5, 3/4]"; an error's `where` is `where` with the index: "w[2]".
Result<std::vector<Rational>> read_exact_list(const std::string& where, std::string_view text);

/// The rows of "[[1, 2], [3, 4]]"; rows may differ in length.
Result<std::vector<std::vector<Rational>>> read_exact_rows(const std::string& where,
                                                           std::string_view text);

}  // namespace lockstep::cli
