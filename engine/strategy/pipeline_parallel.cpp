// Pipeline parallelism: the model is cut into stages on different devices and the batch into
// microbatches, which a schedule takes through them. The weight gradients of all microbatches are
// added up; the loss is divided once, by the elements of the whole batch.
#include "strategy/pipeline_parallel.h"

#include <string>
#include <utility>
#include <vector>

#include "collective/collective.h"
#include "schedule/lower.h"
#include "strategy/rows.h"
#include "strategy/training_schedule.h"

namespace lockstep {
namespace {

Status check_config(const RunConfig& config) {
  if (config.weighted || !config.shares.empty()) {
    return Error{"not_for_strategy", config.weighted ? "weighted" : "shares",
                 "weights and shares are for data_parallel: a pipeline sees the whole batch"};
  }
  Status status = check_range("stages", config.stages, 1, kRunDevicesMax);
  if (status.ok()) status = check_range("chunks", config.chunks, 1, kMaxChunks);
  if (status.ok()) status = check_range("microbatches", config.microbatches, 1, kMaxMicrobatches);
  if (status.ok()) status = check_range("rows", config.rows, 1, kRowsMax);
  if (!status.ok()) return status;
  if (config.rows % config.microbatches != 0) {
    return Error{"rows_not_divisible", "microbatches",
                 std::to_string(config.rows) + " rows cannot be cut into " +
                     std::to_string(config.microbatches) + " microbatches of equal size: use " +
                     neighbouring_multiples(config.rows, config.microbatches) + " rows"};
  }
  return fine();
}

Status check_stages(const ModelSpec& model, const Schedule& schedule) {
  const int layers = block_count(model);
  const int stages = static_cast<int>(schedule.stage_rank.size());
  if (layers % stages == 0) return fine();
  return Error{"layers_not_divisible", "stages",
               "the model has " + std::to_string(layers) + " layers and the pipeline " +
                   std::to_string(stages) + " stages: each stage takes equally many, so use " +
                   neighbouring_multiples(layers, stages) + " layers or other stages"};
}

}  // namespace

RunConfig pipeline_parallel_defaults() {
  RunConfig config;
  config.strategy = "pipeline_parallel";
  config.widths = std::vector<int>(9, 32);  // 8 layers
  return config;
}

Result<Plan> pipeline_parallel(const RunConfig& config) {
  if (Status status = check_config(config); !status.ok()) return status.error();
  Result<ModelSpec> model = model_of(config);
  if (!model.ok()) return model.error();
  const Result<Schedule> schedule = training_schedule(config);
  if (!schedule.ok()) return schedule.error();
  if (Status status = check_stages(model.value(), schedule.value()); !status.ok())
    return status.error();

  TrainingSet data{.model = std::move(model).value(),
                   .seed = config.seed,
                   .precision = config.precision,
                   .row_ranges = consecutive_ranges(even_sizes(config.rows, config.microbatches)),
                   .microbatches = config.microbatches};
  Program program = lower(schedule.value());
  for (const std::vector<int>& copies : holders_of_the_same(program)) {
    // Between two devices no all-reduce sends less.
    find_collective("ring_all_reduce").value().append(program, copies, kDeviceGradient);
  }
  return Plan{std::move(program), std::move(data)};
}

}  // namespace lockstep
