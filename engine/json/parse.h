// JSON text into the tree of document/value.h, within limits.
#pragma once

#include <cstddef>
#include <optional>

#include "document/file_fault.h"
#include "document/limits.h"
#include "document/value.h"

namespace lockstep {

/// How much one text may hold; the other limits of document/limits.h are the same for all.
struct JsonLimits {
  std::size_t bytes = kMaxFileBytes;
  std::size_t values = kMaxFileValues;
  std::size_t items = kMaxItems;  ///< of one list, keys of one object
};

/// The tree of a whole JSON text. What is wrong goes to `faults`; null when there is no tree to go
/// on with (no valid JSON or UTF-8, a limit passed). Refused besides: a key given twice (both
/// places are named), keys that JavaScript reserves, control characters and marks that reorder or
/// hide text.
std::optional<FileValue> parse_json(FileFaults& faults, const JsonLimits& limits = {});

}  // namespace lockstep
