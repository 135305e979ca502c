#include "cost/memory.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "program/instruction.h"
#include "schedule/action.h"

namespace lockstep {
namespace {

Status check(const Program& program, std::span<const StageBytes> stages) {
  const auto stage_count = static_cast<std::size_t>(std::max(program.stages, 0));
  if (stages.size() != 1 && stages.size() != stage_count) {
    return Error{"out_of_range", "bytes",
                 "There are bytes of " + std::to_string(stages.size()) +
                     " stages for a program of " + std::to_string(program.stages) + "."};
  }
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    const StageBytes& bytes = stages[stage];
    for (const std::int64_t part :
         {bytes.weights, bytes.gradients, bytes.optimizer, bytes.activations}) {
      if (part >= 0 && part <= kStageBytesMax) continue;
      return Error{
          "out_of_range", "bytes of stage " + std::to_string(stage),
          std::to_string(part) + " bytes are not 0 to " + std::to_string(kStageBytesMax) + "."};
    }
  }
  return fine();
}

class Walk {
 public:
  explicit Walk(std::span<const StageBytes> stages) : stages_(stages) {}

  DeviceMemory through(const DeviceProgram& device, const std::vector<TimeSpan>& spans) const {
    DeviceMemory memory;
    for (const int stage : device.stages) {
      memory.weight_bytes += of(stage).weights;
      memory.gradient_bytes += of(stage).gradients;
      memory.optimizer_bytes += of(stage).optimizer;
    }
    MemoryPoint now;
    bool any_backward = false;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      if (!is_stage_work(device.instructions[i].op)) continue;
      const Action action = action_of(device.instructions[i]);
      const bool is_forward = action.kind == ActionKind::forward;
      any_backward = any_backward || !is_forward;
      now.time = is_forward ? spans[i].start : spans[i].end;
      change(now.until_weight_gradient, action, Freeing::at_weight_gradient);
      change(now.until_input_gradient, action, Freeing::at_input_gradient);
      memory.points.push_back(now);
    }
    if (!any_backward) memory.points.clear();
    return memory;
  }

 private:
  const StageBytes& of(int stage) const {
    return stages_[stages_.size() == 1 ? 0 : static_cast<std::size_t>(stage)];
  }

  void change(InFlight& in_flight, const Action& action, Freeing freeing) const {
    const bool is_forward = action.kind == ActionKind::forward;
    if (!is_forward && !frees(action.kind, freeing)) return;
    const int sign = is_forward ? 1 : -1;
    in_flight.count += sign;
    in_flight.bytes += sign * of(action.stage).activations;
  }

  std::span<const StageBytes> stages_;
};

}  // namespace

InFlight DeviceMemory::peak(Freeing freeing) const {
  InFlight most;
  for (const MemoryPoint& point : points) {
    most.count = std::max(most.count, point.in_flight(freeing).count);
    most.bytes = std::max(most.bytes, point.in_flight(freeing).bytes);
  }
  return most;
}

std::int64_t DeviceMemory::peak_bytes(Freeing freeing) const {
  return weight_bytes + gradient_bytes + optimizer_bytes + peak(freeing).bytes;
}

Result<std::vector<DeviceMemory>> memory_of(const Program& program, const Timeline& timeline,
                                            std::span<const StageBytes> stages) {
  const Status checked = check(program, stages);
  if (!checked.ok()) return checked.error();
  std::vector<DeviceMemory> memories;
  for (std::size_t rank = 0; rank < program.devices.size(); ++rank) {
    memories.push_back(Walk(stages).through(program.devices[rank], timeline.spans[rank]));
  }
  return memories;
}

}  // namespace lockstep
