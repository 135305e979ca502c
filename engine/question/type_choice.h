// Single-choice questions: one option is right, every other one says what is wrong with it.
#pragma once

#include "question/table.h"

namespace lockstep {

/// The row of the table.
extern const QuestionType kChoiceType;

}  // namespace lockstep
