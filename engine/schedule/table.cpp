#include <algorithm>
#include <array>
#include <string>

#include "core/nearest.h"
#include "program/program.h"
#include "schedule/interleaved.h"
#include "schedule/make.h"
#include "schedule/schedule.h"

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 1> kForwardOnlyAliases = {"Forward only"};
constexpr std::array<std::string_view, 1> kNaiveAliases = {"Naive"};
constexpr std::array<std::string_view, 1> kGpipeAliases = {"GPipe"};
constexpr std::array<std::string_view, 1> kGpipeLifoAliases = {"GPipe-LIFO"};
constexpr std::array<std::string_view, 1> kOneFOneBAliases = {"1F1B"};
constexpr std::array<std::string_view, 1> kInterleavedAliases = {"Interleaved1F1B"};
constexpr std::array<std::string_view, 1> kLoopedBfsAliases = {"LoopedBFS"};
constexpr std::array<std::string_view, 1> kZbH1Aliases = {"ZB-H1"};
constexpr std::array<std::string_view, 2> kZbH2Aliases = {"ZB-H2", "ZB2P"};
constexpr std::array<std::string_view, 2> kZb1pAliases = {"ZB1P", "InterleavedZeroBubble"};
constexpr std::array<std::string_view, 2> kZbvAliases = {"ZBV", "ZBVZeroBubble"};
constexpr std::array<std::string_view, 1> kVHalfAliases = {"V-Half"};
constexpr std::array<std::string_view, 1> kVMinAliases = {"V-Min"};
constexpr std::array<std::string_view, 1> kDualPipeVAliases = {"DualPipeV"};
constexpr std::array<std::string_view, 1> kDualPipeAliases = {"DualPipe"};

constexpr std::array kSchedules = {
    ScheduleRow{"forward_only", kForwardOnlyAliases,
                "forward passes alone, as for inference; keeps nothing", 1, make_forward_only,
                "it has no backward, so that there is no gradient to train by"},
    ScheduleRow{"naive", kNaiveAliases,
                "one microbatch after the other, forward and back again: one rank works at a time",
                1, make_naive},
    ScheduleRow{"gpipe", kGpipeAliases,
                "all forwards, then all backwards; keeps every microbatch's activations", 1,
                make_gpipe},
    ScheduleRow{"gpipe_lifo", kGpipeLifoAliases,
                "GPipe with the backwards in reverse: the newest activations are freed first", 1,
                make_gpipe_lifo},
    ScheduleRow{"one_f_one_b", kOneFOneBAliases,
                "one forward, one backward in turn; keeps at most p − r activations on rank r", 1,
                make_one_f_one_b},
    ScheduleRow{"interleaved_one_f_one_b", kInterleavedAliases,
                "1F1B over v chunks a rank: the bubble divided by v, for more messages", 2,
                make_interleaved_one_f_one_b, "", remark_of_megatron},
    ScheduleRow{"looped_bfs", kLoopedBfsAliases,
                "GPipe over v chunks a rank, chunk by chunk; keeps every activation", 2,
                make_looped_bfs},
    ScheduleRow{"zb_h1", kZbH1Aliases,
                "weight gradients fill part of the bubble; keeps as much as 1F1B on rank 0", 1,
                make_zb_h1},
    ScheduleRow{"zb_h2", kZbH2Aliases,
                "no bubble inside of a rank's span, for 2p − 1 activations on rank 0", 1,
                make_zb_h2},
    ScheduleRow{"interleaved_zero_bubble", kZb1pAliases, "ZB-H1 over v chunks a rank", 2,
                make_interleaved_zero_bubble, "", remark_of_megatron},
    ScheduleRow{"zbv", kZbvAliases,
                "two chunks a rank in a V, no bubble inside of a rank's span, memory of 1F1B", 2,
                make_zbv},
    ScheduleRow{"v_half", kVHalfAliases,
                "two chunks a rank in a V: about half the memory and half the bubble of 1F1B", 2,
                make_v_half},
    ScheduleRow{"v_min", kVMinAliases,
                "two chunks a rank in a V: about a third of the memory of 1F1B, 2/3 of its bubble",
                2, make_v_min},
    ScheduleRow{"dualpipe_v", kDualPipeVAliases,
                "two chunks a rank in a V; a forward and a backward overlap", 2, make_dualpipe_v},
    ScheduleRow{"dualpipe", kDualPipeAliases,
                "microbatches enter at both ends, each stage is on two ranks; work overlaps", 1,
                make_dualpipe},
};

bool is_called(const ScheduleRow& row, std::string_view name) {
  return row.name == name || std::ranges::count(row.aliases, name) > 0;
}

Status check_size(std::string_view what, int value, int most) {
  if (value >= 1 && value <= most) return fine();
  return Error{"out_of_range", std::string(what),
               "The number of " + std::string(what) + " is " + std::to_string(value) +
                   "; it may be 1 to " + std::to_string(most) + "."};
}

}  // namespace

std::span<const ScheduleRow> schedule_table() {
  return kSchedules;
}

Result<ScheduleRow> find_schedule(std::string_view name) {
  const auto row = std::ranges::find_if(
      kSchedules, [name](const ScheduleRow& known) { return is_called(known, name); });
  if (row != kSchedules.end()) return *row;
  std::vector<std::string_view> names;
  for (const ScheduleRow& known : kSchedules) {
    names.push_back(known.name);
    names.insert(names.end(), known.aliases.begin(), known.aliases.end());
  }
  return Error{"unknown_schedule", "schedule",
               "There is no schedule called \"" + std::string(name) + "\"" +
                   did_you_mean(name, names) + "."};
}

Result<Schedule> make_schedule(std::string_view name, const ScheduleShape& shape) {
  const Result<ScheduleRow> row = find_schedule(name);
  if (!row.ok()) return row.error();
  for (const Status& checked :
       {check_size("ranks", shape.ranks, kMaxRanks), check_size("chunks", shape.chunks, kMaxChunks),
        check_size("microbatches", shape.microbatches, kMaxMicrobatches)}) {
    if (!checked.ok()) return checked.error();
  }
  return row.value().make(shape);
}

}  // namespace lockstep
