// Decimal marks and grouping: which of the marks in "1.234,5" is which, and whether one can tell.
#pragma once

#include <string>
#include <string_view>

#include "core/decimal.h"
#include "core/result.h"

namespace lockstep {

/// The digits of a written number, sorted out.
struct MarkedDigits {
  std::string whole;      ///< digits before the decimal mark, may be empty
  std::string behind;     ///< digits behind it
  bool has_mark = false;  ///< "5." has one
};

/// Sorts out a run of digits, points, commas, apostrophes and single spaces. Groups have three
/// digits (12,34,567 too where the locale writes so). Errors: not_a_number, wrong_grouping,
/// ambiguous_comma, ambiguous_dot; the message names the readings or what to type.
Result<MarkedDigits> sort_out_marks(std::string_view run, const Locale* locale,
                                    bool ask_when_ambiguous);

}  // namespace lockstep
