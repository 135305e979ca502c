// What an instruction needs and what it feeds, in words.
#pragma once

#include <string>

#include "program/program.h"

namespace lockstep {

/// The story of instruction `index` of device `rank`: two or three sentences, from the program
/// alone. `program` should have no faults.
std::string story(const Program& program, int rank, int index);

}  // namespace lockstep
