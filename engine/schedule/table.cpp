#include <algorithm>
#include <array>
#include <string>

#include "core/nearest.h"
#include "program/program.h"
#include "schedule/make.h"
#include "schedule/schedule.h"

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 1> kGpipeAliases = {"GPipe"};
constexpr std::array<std::string_view, 1> kOneFOneBAliases = {"1F1B"};

constexpr std::array kSchedules = {
    ScheduleRow{"gpipe", kGpipeAliases,
                "all forwards, then all backwards; keeps every microbatch's activations",
                make_gpipe},
    ScheduleRow{"one_f_one_b", kOneFOneBAliases,
                "one forward, one backward in turn; keeps at most p − r activations on rank r",
                make_one_f_one_b},
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
