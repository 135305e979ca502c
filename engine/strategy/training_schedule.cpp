#include "strategy/training_schedule.h"

#include <map>
#include <string>
#include <utility>

namespace lockstep {

Result<Schedule> training_schedule(const RunConfig& config) {
  const Result<ScheduleRow> row = find_schedule(config.schedule);
  if (!row.ok()) return row.error();
  if (!row.value().not_trainable.empty()) {
    return Error{"not_trainable", "schedule",
                 "devices cannot train by " + std::string(row.value().name) + ": " +
                     std::string(row.value().not_trainable)};
  }
  return make_schedule(config.schedule, {config.stages, config.chunks, config.microbatches});
}

std::vector<std::vector<int>> holders_of_the_same(const Program& program) {
  std::vector<std::vector<int>> groups;
  std::map<std::pair<std::vector<int>, int>, std::size_t> group_of;  // by stages and shard
  for (std::size_t rank = 0; rank < program.devices.size(); ++rank) {
    const DeviceProgram& device = program.devices[rank];
    const auto [found, is_new] = group_of.try_emplace({device.stages, device.shard}, groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(static_cast<int>(rank));
  }
  std::erase_if(groups, [](const std::vector<int>& group) { return group.size() < 2; });
  return groups;
}

}  // namespace lockstep
