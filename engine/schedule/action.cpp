#include "schedule/action.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

#include "schedule/token.h"

namespace lockstep {
namespace {

struct ActionRow {
  ActionKind kind;
  char letter;
  Op op;
};

constexpr std::array<ActionRow, 4> kActions = {{
    {ActionKind::forward, 'F', Op::forward},
    {ActionKind::backward, 'B', Op::backward},
    {ActionKind::backward_input, 'I', Op::backward_input},
    {ActionKind::backward_weight, 'W', Op::backward_weight},
}};

const ActionRow& row_of(ActionKind kind) {
  const auto row = std::ranges::find(kActions, kind, &ActionRow::kind);
  assert(row != kActions.end());
  return *row;
}

}  // namespace

char action_letter(ActionKind kind) {
  return row_of(kind).letter;
}

Op action_op(ActionKind kind) {
  return row_of(kind).op;
}

Action action_of(const Instruction& work) {
  const auto row = std::ranges::find(kActions, work.op, &ActionRow::op);
  assert(row != kActions.end());
  return {row->kind, work.stage, work.microbatch};
}

std::string to_text(const Action& action) {
  return std::to_string(action.stage) + action_letter(action.kind) +
         std::to_string(action.microbatch);
}

std::vector<std::string> cell_texts(const std::vector<Action>& actions) {
  std::vector<CommunicationAction> works;
  works.reserve(actions.size());
  for (const Action& action : actions) works.push_back(to_communication(action));
  return token_texts(works);
}

}  // namespace lockstep
