// A question out of its file.
#pragma once

#include <vector>

#include "core/rational.h"
#include "document/key_table.h"
#include "document/value.h"
#include "question/question.h"
#include "question/reading.h"

namespace lockstep {

/// The keys of a question; `type` picks those of its type.
const KeyTable& question_keys();

/// The keys of a set of numbers to choose from: {"choose": [...]} or {"range": [first, last],
/// "step": ...}.
extern const KeyTable kValuesKeys;

/// The values of such a set, all different, in the order given. Faults: missing_key, clashing_keys,
/// bad_range, too_many_values, duplicate_value.
std::vector<Rational> read_values(const FileNode& node, FileFaults& faults);

/// The question at `node`, whose keys check_keys has checked. Every fault of meaning is noted; a
/// question with faults is not to be used.
Question read_question(const FileNode& node, const Reading& reading);

}  // namespace lockstep
