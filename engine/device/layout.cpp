#include "device/layout.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "program/instruction.h"
#include "program/validate.h"

namespace lockstep {

BlockRange stage_blocks(const ModelSpec& spec, int stages, int stage) {
  const ElementRange range = chunk_range(block_count(spec), stage, stages);
  return {static_cast<int>(range.first), static_cast<int>(range.first + range.count)};
}

std::vector<StagePart> stage_parts(const Program& program, const ModelSpec& spec,
                                   const DeviceProgram& device) {
  std::vector<StagePart> parts;
  std::size_t next = 0;
  for (const int stage : device.stages) {
    const BlockRange blocks = stage_blocks(spec, program.stages, stage);
    const std::size_t count =
        parameter_count(spec, blocks.first, blocks.last, shard_of(program, device));
    parts.push_back({stage, next, count});
    next += count;
  }
  return parts;
}

Shard shard_of(const Program& program, const DeviceProgram& device) {
  return {device.shard, program.shards};
}

namespace {

/// How many numbers the tensor has that `part` is a part of.
std::size_t element_count(const Program& program, const TrainingSet& data,
                          const DeviceProgram& device, const TensorName& part) {
  if (is_of_microbatch(part.kind)) {
    const TensorShape shape = tensor_shape(program, data, device, whole_of(part));
    return static_cast<std::size_t>(shape.rows) * static_cast<std::size_t>(shape.columns);
  }
  if (part.kind == TensorKind::shared_gradient) {
    const BlockRange blocks = stage_blocks(data.model, program.stages, part.stage);
    return shared_count(data.model, blocks.first, shard_of(program, device));
  }
  std::size_t count = 0;
  for (const StagePart& stage : stage_parts(program, data.model, device)) {
    if (part.stage == kAllStages || part.stage == stage.stage) count += stage.count;
  }
  return count;
}

}  // namespace

TensorShape tensor_shape(const Program& program, const TrainingSet& data,
                         const DeviceProgram& device, const TensorName& tensor) {
  if (tensor != whole_of(tensor) || !is_of_microbatch(tensor.kind)) {
    const auto size = static_cast<std::int64_t>(element_count(program, data, device, tensor));
    return {1, static_cast<int>(element_range(size, tensor).count)};
  }
  const BlockRange blocks = stage_blocks(data.model, program.stages, tensor.stage);
  return {data.rows(device.replica, tensor.microbatch).count * positions_per_row(data.model),
          output_columns(data.model, blocks.last - 1)};
}

namespace {

/// Refuses messages of what no device of a training step has.
Status check_carried(const Program& program) {
  for (std::size_t rank = 0; rank < program.devices.size(); ++rank) {
    for (const Instruction& instruction : program.devices[rank].instructions) {
      const TensorKind kind = instruction.tensor.kind;
      if (!is_message(instruction.op) ||
          (kind != TensorKind::parameters && kind != TensorKind::block))
        continue;
      return Error{"not_of_a_step", "device " + std::to_string(rank),
                   "\"" + to_text(instruction) + "\" carries what a device has no place for in a " +
                       "step of training"};
    }
  }
  return fine();
}

}  // namespace

Status check_run(const Program& program, const TrainingSet& data) {
  if (const std::vector<Error> faults = validate(program); !faults.empty()) return faults.front();
  if (Status status = check_training_set(data); !status.ok()) return status;
  const int blocks = block_count(data.model);
  if (program.stages > blocks) {
    return Error{"too_many_stages", "program",
                 "the program has " + std::to_string(program.stages) +
                     " stages and the model only " + std::to_string(blocks) +
                     " layers: each stage needs one"};
  }
  if (Status status = check_shards(data.model, program.shards); !status.ok()) return status;
  if (program.shards > 1 && program.stages != blocks) {
    return Error{"stage_not_a_block", "program",
                 "between tensor-parallel blocks the parts are added up, so that each of the " +
                     std::to_string(blocks) + " blocks is a stage of its own; there are " +
                     std::to_string(program.stages)};
  }
  int replicas = 0;
  for (const DeviceProgram& device : program.devices) {
    replicas = std::max(replicas, device.replica + 1);
  }
  if (program.microbatches != data.microbatches || replicas != data.replica_count()) {
    return Error{
        "wrong_rows", "rows",
        "the program has " + std::to_string(replicas) + " replicas of " +
            std::to_string(program.microbatches) + " microbatches, but rows are given for " +
            std::to_string(data.replica_count()) + " of " + std::to_string(data.microbatches)};
  }
  return check_carried(program);
}

}  // namespace lockstep
