#include "question/table.h"

#include <algorithm>
#include <array>

#include "question/type_choice.h"
#include "question/type_number.h"

namespace lockstep {

std::span<const QuestionType> question_types() {
  static const std::array kTypes = {kNumberType, kChoiceType};
  return kTypes;
}

const QuestionType* find_question_type(std::string_view name) {
  const std::span<const QuestionType> types = question_types();
  const auto found = std::find_if(types.begin(), types.end(),
                                  [name](const QuestionType& type) { return type.name == name; });
  return found == types.end() ? nullptr : &*found;
}

bool meets(const Verdict& verdict, std::string_view expected) {
  return verdict_kind_name(verdict.kind) == expected || code_text(verdict) == expected;
}

}  // namespace lockstep
