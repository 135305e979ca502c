// Number questions as a question type: the file's formulas become an exact key and mistakes.
#pragma once

#include "question/table.h"

namespace lockstep {

/// The row of the table.
extern const QuestionType kNumberType;

}  // namespace lockstep
