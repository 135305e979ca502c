// PyTorch's words for actions, one cell of a CSV each: 2F0, 2SEND_F0, (2F1;5B0)OVERLAP_F_B.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "program/line_reader.h"
#include "schedule/communication.h"

namespace lockstep {

/// Before version 2.6 PyTorch wrote B for the input gradient alone and BW for a full backward; now
/// they are I and B. All other words are the same.
enum class Dialect { current, old };

/// What a text may hold.
struct TokenRules {
  Dialect dialect = Dialect::current;
  bool communication = true;  ///< else work alone
};

/// "SEND_F"
std::string_view token_word(CommunicationKind kind, Dialect dialect = Dialect::current);

/// "2SEND_F0", "2UNSHARD"
std::string to_text(const CommunicationAction& action, Dialect dialect = Dialect::current);

/// The cells of a rank's row: one an action, or one a pair that overlaps.
std::vector<std::string> token_texts(const std::vector<CommunicationAction>& actions,
                                     Dialect dialect = Dialect::current);

/// The actions of one cell, with their places: none of an empty one, two of a pair that overlaps.
/// Errors: unknown_action (says what was probably meant), out_of_range (a stage or microbatch past
/// the limits); `where` is the place of the part that is wrong.
Result<std::vector<CommunicationAction>> read_token(const Word& word, const TokenRules& rules = {});

}  // namespace lockstep
