// Schedules as text, in the forms that people write them. They say the order of work (and of
// communication) only; which rank holds a stage and how many microbatches there are follows from
// the actions.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "program/program.h"
#include "schedule/communication.h"
#include "schedule/schedule.h"
#include "schedule/token.h"

namespace lockstep {

/// Texts longer than this are refused: the largest schedule within the limits takes half of it,
inline constexpr std::size_t kMaxScheduleTextBytes = std::size_t{1} << 26;
/// and with its communication three quarters of this.
inline constexpr std::size_t kMaxCommunicationTextBytes = std::size_t{1} << 27;

/// Actions of one text, at most: the largest schedule within the limits has seven for each stage
/// and microbatch (F, I, W and four ends of messages), and a few that concern weights.
inline constexpr std::size_t kMaxTextActions =
    std::size_t{8} * kMaxRanks * kMaxChunks * kMaxMicrobatches;

/// Our grid: one rank a row, "rank 0: 0F0 0F1 0B0 0B1". A rank without work is "rank 0:".
std::string write_grid(const Schedule& schedule);

/// PyTorch's compute-only CSV (pipelining/schedules.py, _dump_csv): one rank a row, "0F0,0F1,0B0";
/// a rank without work is ",".
std::string write_csv(const Schedule& schedule, Dialect dialect = Dialect::current);

/// PyTorch's CSV with communication, the same way: "0F0,0SEND_F0,0RECV_B0,0B0".
std::string write_csv(const CommunicationSchedule& schedule, Dialect dialect = Dialect::current);

/// The schedule that `text` spells in either form: it is CSV if it has a comma outside comments,
/// and else a grid, whose "rank R:" may be left out. Blank lines, everything after '#' and empty
/// CSV cells are left out. The name is "own". A stage is held by the rank that has most of its
/// actions. What the schedule says may still be wrong: ask validate_schedule. Errors, at "line L,
/// column C": unknown_action (says what was probably meant), out_of_range, unexpected (a rank out
/// of turn), too_large, empty.
Result<Schedule> read_schedule(std::string_view text, Dialect dialect = Dialect::current);

/// The same for a text that may have communication as well; each action knows its place. What it
/// says may still be wrong: ask validate_communication.
Result<CommunicationSchedule> read_communication(std::string_view text,
                                                 Dialect dialect = Dialect::current);

}  // namespace lockstep
