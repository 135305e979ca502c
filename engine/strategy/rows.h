// Sharing the rows of a batch.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "model/training_set.h"

namespace lockstep {

/// Ranges of these sizes, one after the other from row 0.
std::vector<RowRange> consecutive_ranges(std::span<const int> sizes);

/// Sizes that differ by at most one, larger ones first; `parts` is 1 … rows.
std::vector<int> even_sizes(int rows, int parts);

/// Refuses a value outside lowest … highest (`out_of_range`), naming the field.
Status check_range(std::string_view field, int value, int lowest, int highest);

/// "63 or 66": the multiples of `divisor` next to `value`, for a message.
std::string neighbouring_multiples(int value, int divisor);

}  // namespace lockstep
