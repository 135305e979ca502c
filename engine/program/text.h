// A program as text, to be read, kept and compared by people:
//
//   program one_f_one_b
//   stages 2
//   microbatches 1
//   device 0 replica 0 stages 0
//     forward stage 0 microbatch 0
//     send activation stage 0 microbatch 0 to 1
//     receive activation_gradient stage 0 microbatch 0 from 1
//     backward stage 0 microbatch 0
//   device 1 replica 0 stages 1
//     …
//
// One instruction a line; blank lines and everything after '#' are left out; indentation is free.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "program/program.h"

namespace lockstep {

/// Texts longer than this are refused: the largest program of a lesson takes a tenth of it.
inline constexpr std::size_t kMaxProgramTextBytes = std::size_t{1} << 28;

/// The text of `program`, whose name must be one word without '#'. read_program gives an equal
/// program back.
std::string write_program(const Program& program);

/// The program that `text` spells. What it says may still be wrong: ask validate.
/// Errors, at "line L, column C": missing, unexpected, not_a_number, unknown_word (with the nearest
/// word), out_of_range (chunks 3 to 2), too_large.
Result<Program> read_program(std::string_view text);

}  // namespace lockstep
