// JSON text into the tree of document/value.h, within its limits.
#pragma once

#include <optional>

#include "document/file_fault.h"
#include "document/value.h"

namespace lockstep {

/// The tree of a whole JSON text. What is wrong goes to `faults`; null when there is no tree to go
/// on with (no valid JSON or UTF-8, a limit passed). Refused besides: a key given twice (both
/// places are named), keys that JavaScript reserves, control characters and marks that reorder or
/// hide text.
std::optional<FileValue> parse_json(FileFaults& faults);

}  // namespace lockstep
