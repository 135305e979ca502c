// What a page asks of the engine, as JSON text.
#pragma once

#include <string_view>

#include "core/result.h"
#include "document/key_table.h"
#include "document/value.h"
#include "json/parse.h"

namespace lockstep {

/// The tree of a JSON text that keeps to `table`. Error: the first fault that parse_json or
/// check_keys finds; `where` is the JSON Pointer of the value, or line and column where no value
/// has it.
Result<FileValue> read_request(std::string_view json, const KeyTable& table,
                               const JsonLimits& limits = {});

}  // namespace lockstep
