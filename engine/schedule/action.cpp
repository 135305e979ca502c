#include "schedule/action.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

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

constexpr std::string_view kDigits = "0123456789";

/// A word in its three parts, as far as it has them.
struct Parts {
  std::string_view stage;
  std::string_view letters;
  std::string_view microbatch;
};

Parts split(std::string_view text) {
  const std::size_t letters = std::min(text.find_first_not_of(kDigits), text.size());
  const std::size_t microbatch =
      std::max(letters, std::min(text.find_last_not_of(kDigits) + 1, text.size()));
  return {text.substr(0, letters), text.substr(letters, microbatch - letters),
          text.substr(microbatch)};
}

/// What to say of a word whose letters are none of ours.
std::string hint(const Parts& parts) {
  const std::string stage(parts.stage);
  const std::string microbatch(parts.microbatch);
  if (parts.letters == "BW") {
    return "BW is PyTorch's older word for a full backward: write " + stage + "B" + microbatch +
           ".";
  }
  for (const std::string_view word : {"SEND", "RECV", "UNSHARD", "RESHARD", "REDUCE_GRAD"}) {
    if (!parts.letters.starts_with(word)) continue;
    return "Give the compute actions alone: sends and receives follow from them.";
  }
  for (const ActionRow& row : kActions) {
    const char small = static_cast<char>(row.letter - 'A' + 'a');
    if (parts.letters != std::string_view(&small, 1)) continue;
    return "Did you mean " + stage + row.letter + microbatch + "?";
  }
  return "An action is a stage, one of F, B, I, W, and a microbatch, such as 2F0.";
}

Error out_of_range(const Word& word, std::string_view what, int end) {
  return {"out_of_range", place(word),
          quoted(word.text) + ": a " + std::string(what) + " is at most " +
              std::to_string(end - 1) + "."};
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

Result<Action> read_action(const Word& word) {
  const Parts parts = split(word.text);
  const auto row = std::ranges::find_if(kActions, [&](const ActionRow& known) {
    return parts.letters == std::string_view(&known.letter, 1);
  });
  if (row == kActions.end() || parts.stage.empty() || parts.microbatch.empty()) {
    return Error{"unknown_action", place(word),
                 quoted(word.text) + " is not an action. " + hint(parts)};
  }
  constexpr int kStagesMax = kMaxRanks * kMaxChunks;
  const std::optional<int> stage = to_int(parts.stage);
  if (!stage || *stage >= kStagesMax) return out_of_range(word, "stage", kStagesMax);
  const std::optional<int> microbatch = to_int(parts.microbatch);
  if (!microbatch || *microbatch >= kMaxMicrobatches) {
    return out_of_range(word, "microbatch", kMaxMicrobatches);
  }
  return Action{row->kind, *stage, *microbatch};
}

}  // namespace lockstep
