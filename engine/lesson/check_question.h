// Trying a question out: the author's examples, then every variant.
#pragma once

#include <cstdint>

#include "document/file_fault.h"
#include "document/value.h"
#include "question/question.h"

namespace lockstep {

/// Up to so many combinations of parameter values all are tried; of more, so many seeds.
inline constexpr std::uint32_t kSweepVariants = 10'000;

/// Of the combinations at least one in this many has to be fit, so that kMaxDraws draws without
/// one are out of the question (0.8^100 is 2e-10).
inline constexpr std::uint64_t kFitShare = 5;

/// Notes every example that gets another verdict than it says, and every variant that has no key,
/// cannot be shown, refuses its own key or does not recognise a mistake: the first of each kind.
/// `node` is the question in its file, which read_question found no fault in.
void check_question(const Question& question, const FileNode& node, FileFaults& faults);

}  // namespace lockstep
