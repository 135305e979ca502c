#include "schedule/token.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/nearest.h"

namespace lockstep {
namespace {

struct TokenRow {
  CommunicationKind kind;
  std::string_view word;
  std::string_view old_word;

  std::string_view in(Dialect dialect) const { return dialect == Dialect::old ? old_word : word; }
};

constexpr std::array<TokenRow, 11> kTokens = {{
    {CommunicationKind::forward, "F", "F"},
    {CommunicationKind::backward, "B", "BW"},
    {CommunicationKind::backward_input, "I", "B"},
    {CommunicationKind::backward_weight, "W", "W"},
    {CommunicationKind::send_forward, "SEND_F", "SEND_F"},
    {CommunicationKind::receive_forward, "RECV_F", "RECV_F"},
    {CommunicationKind::send_backward, "SEND_B", "SEND_B"},
    {CommunicationKind::receive_backward, "RECV_B", "RECV_B"},
    {CommunicationKind::unshard, "UNSHARD", "UNSHARD"},
    {CommunicationKind::reshard, "RESHARD", "RESHARD"},
    {CommunicationKind::reduce_gradient, "REDUCE_GRAD", "REDUCE_GRAD"},
}};

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

const TokenRow* row_called(std::string_view letters, Dialect dialect) {
  const auto row = std::ranges::find(
      kTokens, letters, [dialect](const TokenRow& known) { return known.in(dialect); });
  return row == kTokens.end() ? nullptr : row;
}

/// The known word that is near to `letters`, if one is.
const TokenRow* row_near(std::string_view letters, Dialect dialect) {
  std::array<std::string_view, kTokens.size()> words;
  std::ranges::transform(kTokens, words.begin(),
                         [dialect](const TokenRow& row) { return row.in(dialect); });
  return row_called(nearest(letters, words), dialect);
}

std::string general_hint(const TokenRules& rules) {
  std::string words;
  for (const TokenRow& row : kTokens) {
    if (is_work(row.kind))
      words += (words.empty() ? "" : ", ") + std::string(row.in(rules.dialect));
  }
  return "An action is a stage, one of " + words + ", and a microbatch, such as 2F0" +
         (rules.communication ? ", or communication, such as 2SEND_F0 or 2UNSHARD." : ".");
}

/// What to say of a word that is no action of ours.
std::string hint(const Parts& parts, const TokenRules& rules) {
  const std::string stage(parts.stage.empty() ? "2" : parts.stage);
  const std::string microbatch(parts.microbatch.empty() ? "0" : parts.microbatch);
  if (parts.letters == "BW" && rules.dialect == Dialect::current) {
    return "BW is PyTorch's older word for a full backward: write " + stage + "B" + microbatch +
           ".";
  }
  if (parts.letters == "I" && rules.dialect == Dialect::old) {
    return "In PyTorch's older dialect an input gradient is " + stage + "B" + microbatch + ".";
  }
  const TokenRow* const near = row_near(parts.letters, rules.dialect);
  if (near == nullptr) return general_hint(rules);
  if (!is_work(near->kind) && !rules.communication) {
    return "Give the compute actions alone: sends and receives follow from them.";
  }
  return "Did you mean " + stage + std::string(near->in(rules.dialect)) +
         (is_of_weights(near->kind) ? "" : microbatch) + "?";
}

Error out_of_range(const Word& word, std::string_view what, int end) {
  return {"out_of_range", place(word),
          quoted(word.text) + ": a " + std::string(what) + " is at most " +
              std::to_string(end - 1) + "."};
}

Result<CommunicationAction> read_action(const Word& word, const TokenRules& rules) {
  const Parts parts = split(word.text);
  const TokenRow* const row = row_called(parts.letters, rules.dialect);
  const bool is_known = row != nullptr && (rules.communication || is_work(row->kind)) &&
                        !parts.stage.empty() &&
                        parts.microbatch.empty() == is_of_weights(row->kind);
  if (!is_known) {
    return Error{"unknown_action", place(word),
                 quoted(word.text) + " is not an action. " + hint(parts, rules)};
  }
  constexpr int kStagesMax = kMaxRanks * kMaxChunks;
  const std::optional<int> stage = to_int(parts.stage);
  if (!stage || *stage >= kStagesMax) return out_of_range(word, "stage", kStagesMax);
  CommunicationAction action = {.kind = row->kind,
                                .stage = *stage,
                                .microbatch = 0,
                                .overlaps_next = false,
                                .line = word.line,
                                .column = word.column};
  if (is_of_weights(row->kind)) return action;
  const std::optional<int> microbatch = to_int(parts.microbatch);
  if (!microbatch || *microbatch >= kMaxMicrobatches) {
    return out_of_range(word, "microbatch", kMaxMicrobatches);
  }
  action.microbatch = *microbatch;
  return action;
}

Result<std::vector<CommunicationAction>> read_pair(const Word& word, Dialect dialect) {
  const std::string_view text = word.text;
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
                        .column = word.column + static_cast<int>(begin)},
                       {.dialect = dialect, .communication = false});
  };
  const Result<CommunicationAction> first = part(1, middle);
  if (!first.ok()) return first.error();
  const Result<CommunicationAction> second = part(middle + 1, text.size() - kPairEnd.size());
  if (!second.ok()) return second.error();
  std::vector<CommunicationAction> pair = {first.value(), second.value()};
  pair.front().overlaps_next = true;
  return pair;
}

}  // namespace

std::string_view token_word(CommunicationKind kind, Dialect dialect) {
  return std::ranges::find(kTokens, kind, &TokenRow::kind)->in(dialect);
}

std::string to_text(const CommunicationAction& action, Dialect dialect) {
  std::string text = std::to_string(action.stage) + std::string(token_word(action.kind, dialect));
  if (!is_of_weights(action.kind)) text += std::to_string(action.microbatch);
  return text;
}

std::vector<std::string> token_texts(const std::vector<CommunicationAction>& actions,
                                     Dialect dialect) {
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const bool is_pair = actions[i].overlaps_next && i + 1 < actions.size();
    const std::string text = to_text(actions[i], dialect);
    cells.push_back(is_pair ? "(" + text + ";" + to_text(actions[i + 1], dialect) +
                                  std::string(kPairEnd)
                            : text);
    if (is_pair) ++i;
  }
  return cells;
}

Result<std::vector<CommunicationAction>> read_token(const Word& word, const TokenRules& rules) {
  if (word.text.empty()) return std::vector<CommunicationAction>{};
  if (word.text.starts_with('(')) return read_pair(word, rules.dialect);
  const Result<CommunicationAction> action = read_action(word, rules);
  if (!action.ok()) return action.error();
  return std::vector{action.value()};
}

}  // namespace lockstep
