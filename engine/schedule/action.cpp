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

constexpr std::string_view kPairEnd = ")OVERLAP_F_B";
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

std::vector<std::string> cell_texts(const std::vector<Action>& actions) {
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const bool is_pair = actions[i].overlaps_next && i + 1 < actions.size();
    cells.push_back(is_pair ? "(" + to_text(actions[i]) + ";" + to_text(actions[i + 1]) +
                                  std::string(kPairEnd)
                            : to_text(actions[i]));
    if (is_pair) ++i;
  }
  return cells;
}

Result<std::vector<Action>> read_cell(const Word& word) {
  const std::string_view text = word.text;
  if (!text.starts_with('(')) {
    const Result<Action> action = read_action(word);
    if (!action.ok()) return action.error();
    return std::vector{action.value()};
  }
  const std::size_t middle = text.find(';');
  if (middle == std::string_view::npos || !text.ends_with(kPairEnd) ||
      text.size() < middle + 1 + kPairEnd.size()) {
    return Error{"unknown_action", place(word),
                 quoted(text) +
                     " is not a pair. A pair that overlaps is spelled as in "
                     "(2F1;5B0)OVERLAP_F_B."};
  }
  const auto part = [&](std::size_t begin, std::size_t end) {
    return read_action({.text = text.substr(begin, end - begin),
                        .line = word.line,
                        .column = word.column + static_cast<int>(begin)});
  };
  const Result<Action> first = part(1, middle);
  if (!first.ok()) return first.error();
  const Result<Action> second = part(middle + 1, text.size() - kPairEnd.size());
  if (!second.ok()) return second.error();
  std::vector<Action> pair = {first.value(), second.value()};
  pair.front().overlaps_next = true;
  return pair;
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
