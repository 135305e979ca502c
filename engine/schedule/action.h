// How a cell of a schedule is spelled: stage, letter, microbatch, as in PyTorch: 2F0.
#pragma once

#include <string>
#include <vector>

#include "program/program.h"
#include "schedule/schedule.h"

namespace lockstep {

/// F forward, B full backward, I input gradient, W weight gradient.
char action_letter(ActionKind kind);

/// The instruction that does an action.
Op action_op(ActionKind kind);

/// The action that an instruction of stage work does.
Action action_of(const Instruction& work);

/// "2F0"
std::string to_text(const Action& action);

/// The cells of a rank's row: one an action, "2F0", or one a pair that overlaps, as PyTorch spells
/// it: "(2F1;5B0)OVERLAP_F_B".
std::vector<std::string> cell_texts(const std::vector<Action>& actions);

}  // namespace lockstep
