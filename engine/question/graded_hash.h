// What grading a question depends on, as one number: a kept answer whose question has another one
// now was graded by other rules.
#pragma once

#include <cstdint>

#include "document/value.h"

namespace lockstep {

/// The 64-bit FNV-1a of everything in a question of a file but its words: prompt, hints, solution,
/// what is said of mistakes and options, and the author's examples. Neither blanks nor the order
/// of keys in the file matter.
std::uint64_t graded_hash(const FileValue& question);

}  // namespace lockstep
