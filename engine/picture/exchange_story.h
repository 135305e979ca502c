// The stories of what devices tell each other.
#pragma once

#include <string>

#include "program/messages.h"
#include "program/program.h"

namespace lockstep {

/// The story of a send or receive; see story.
std::string message_story(const Program& program, const MessageEnds& ends, InstructionPlace place);

/// The story of the scale at `index` of a device's list.
std::string scale_story(const DeviceProgram& device, int index);

}  // namespace lockstep
