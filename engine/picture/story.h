// What an instruction needs and what it feeds, in words.
#pragma once

#include <string>

#include "program/messages.h"
#include "program/program.h"

namespace lockstep {

/// The story of the instruction at `place`: what it does, what it needs and what it feeds, from the
/// program alone, in a few sentences. `program` should have no faults; `ends` are its
/// match_messages, which the stories of one program share.
std::string story(const Program& program, const MessageEnds& ends, InstructionPlace place);

}  // namespace lockstep
