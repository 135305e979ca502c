// Where a program's stages and tensors lie in the model: the one place that both ends of a message
// and the gradient check take their sizes from.
#pragma once

#include <cstddef>
#include <vector>

#include "core/result.h"
#include "model/training_set.h"
#include "program/program.h"

namespace lockstep {

/// Blocks first … last − 1 of the model (model/model_spec.h).
struct BlockRange {
  int first = 0;
  int last = 0;
};

/// The blocks of stage `stage` of `stages`: as even as possible, larger stages first.
BlockRange stage_blocks(const ModelSpec& spec, int stages, int stage);

/// The part of a device's flat gradient (and parameters) that belongs to one of its stages.
struct StagePart {
  int stage = 0;
  std::size_t first = 0;  ///< element of the device's flat gradient
  std::size_t count = 0;
};

/// The parts of `device`, in the order of its stages, which is model order.
std::vector<StagePart> stage_parts(const Program& program, const ModelSpec& spec,
                                   const DeviceProgram& device);

/// Which part of each of its blocks `device` holds.
Shard shard_of(const Program& program, const DeviceProgram& device);

struct TensorShape {
  int rows = 0;
  int columns = 0;

  bool operator==(const TensorShape&) const = default;
};

/// The shape of `tensor` on `device`; chunks of a tensor are one row, and have no columns where
/// there are more chunks than numbers.
TensorShape tensor_shape(const Program& program, const TrainingSet& data,
                         const DeviceProgram& device, const TensorName& tensor);

/// Refuses a program and a training set that do not belong together, and each by itself: what
/// validate finds (its first fault), what check_training_set finds, another number of microbatches
/// or replicas (`wrong_rows`), more stages than the model has blocks (`too_many_stages`), and
/// shards that do not fit the model (check_shards) or hold more than a block in a stage
/// (`stage_not_a_block`), and messages of parameters or blocks (`not_of_a_step`).
Status check_run(const Program& program, const TrainingSet& data);

}  // namespace lockstep
