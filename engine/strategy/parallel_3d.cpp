#include "strategy/parallel_3d.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "collective/collective.h"
#include "program/instruction.h"
#include "schedule/lower.h"
#include "strategy/rows.h"
#include "strategy/training_schedule.h"

namespace lockstep {
namespace {

/// Blocks of which each shard makes a part only: attention and MLP.
bool is_split(const ModelSpec& model, int block) {
  const GptSpec* gpt = std::get_if<GptSpec>(&model);
  if (gpt == nullptr) return false;
  const BlockKind kind = block_kind(*gpt, block);
  return kind == BlockKind::attention || kind == BlockKind::mlp;
}

/// Turns the program of a pipeline, whose stages are of several blocks, into that of the product,
/// whose stages are the blocks.
class Product {
 public:
  Product(const RunConfig& config, const ModelSpec& model, const Program& pipeline,
          const CollectiveRow& all_reduce)
      : config_(config), model_(model), pipeline_(pipeline), all_reduce_(all_reduce) {
    program_ = {.name = config.strategy,
                .stages = block_count(model),
                .microbatches = pipeline.microbatches,
                .shards = config.tensor};
    for (int replica = 0; replica < config.data; ++replica) {
      for (const DeviceProgram& device : pipeline.devices) add_devices(replica, device);
    }
  }

  Program build() {
    for (int replica = 0; replica < config_.data; ++replica) {
      for (int rank = 0; rank < config_.stages; ++rank) {
        group_ = shards_of(replica, rank);
        replica_ = replica;
        const DeviceProgram& device = pipeline_.devices[static_cast<std::size_t>(rank)];
        for (const Instruction& instruction : device.instructions) add(instruction);
        add_shared_gradients();
      }
    }
    average_over_replicas();
    return std::move(program_);
  }

 private:
  void add_devices(int replica, const DeviceProgram& device) {
    std::vector<int> blocks;
    for (const int stage : device.stages) {
      for (int block = first_block(stage); block < first_block(stage + 1); ++block) {
        blocks.push_back(block);
      }
    }
    for (int shard = 0; shard < config_.tensor; ++shard) {
      program_.devices.push_back({.replica = replica, .shard = shard, .stages = blocks});
    }
  }

  int first_block(int stage) const {
    if (stage == pipeline_.stages) return program_.stages;
    return static_cast<int>(chunk_range(program_.stages, stage, pipeline_.stages).first);
  }

  int rank_of(int replica, int stage_rank, int shard) const {
    return (replica * config_.stages + stage_rank) * config_.tensor + shard;
  }

  std::vector<int> shards_of(int replica, int stage_rank) const {
    std::vector<int> ranks;
    for (int shard = 0; shard < config_.tensor; ++shard) {
      ranks.push_back(rank_of(replica, stage_rank, shard));
    }
    return ranks;
  }

  void add(const Instruction& instruction) {
    const int first = first_block(instruction.stage);
    const int end = first_block(instruction.stage + 1);
    switch (instruction.op) {
      case Op::forward:
        for (int block = first; block < end; ++block) add_work(instruction, block);
        return;
      case Op::backward:
      case Op::backward_input:
      case Op::backward_weight:
        for (int block = end - 1; block >= first; --block) add_work(instruction, block);
        return;
      case Op::send:
      case Op::receive:
      case Op::receive_add:
        return add_message(instruction);
      case Op::scale:
      case Op::update:
        return add_to_group(instruction);
    }
  }

  /// The work on one block, and the sum over shards of what each made a part of.
  void add_work(Instruction work, int block) {
    work.stage = block;
    add_to_group(work);
    if (!is_split(model_, block) || work.op == Op::backward_weight) return;
    TensorName made = {
        .kind = TensorKind::activation, .stage = block, .microbatch = work.microbatch};
    if (work.op != Op::forward) {
      made.kind = TensorKind::activation_gradient;
      made.stage = block - 1;
    }
    all_reduce_.append(program_, group_, made);
  }

  /// Between stages each shard sends to its like. What passes is named after the block before.
  void add_message(Instruction message) {
    message.tensor.stage = first_block(message.tensor.stage + 1) - 1;
    for (int shard = 0; shard < config_.tensor; ++shard) {
      Instruction own = message;
      own.peer = rank_of(replica_, message.peer, shard);
      list_of(group_[static_cast<std::size_t>(shard)]).push_back(own);
    }
  }

  void add_to_group(const Instruction& instruction) {
    for (const int rank : group_) list_of(rank).push_back(instruction);
  }

  /// Of what all shards hold, each has a part of the gradient: from its own heads and units.
  void add_shared_gradients() {
    for (const int block : program_.devices[static_cast<std::size_t>(group_.front())].stages) {
      if (!is_split(model_, block)) continue;
      all_reduce_.append(program_, group_, {.kind = TensorKind::shared_gradient, .stage = block});
    }
  }

  /// The mean over replicas, of which the copies of a stage (DualPipe) have a part each.
  void average_over_replicas() {
    for (const std::vector<int>& group : holders_of_the_same(program_)) {
      all_reduce_.append(program_, group, kDeviceGradient);
      if (config_.data == 1) continue;
      for (const int rank : group) {
        list_of(rank).push_back({.op = Op::scale, .denominator = config_.data});
      }
    }
  }

  std::vector<Instruction>& list_of(int rank) {
    return program_.devices[static_cast<std::size_t>(rank)].instructions;
  }

  const RunConfig& config_;
  const ModelSpec& model_;
  const Program& pipeline_;
  const CollectiveRow& all_reduce_;
  Program program_;
  std::vector<int> group_;  ///< the ranks that share the work of a stage
  int replica_ = 0;
};

Status check_config(const RunConfig& config) {
  if (config.weighted || !config.shares.empty()) {
    return Error{"not_for_strategy", config.weighted ? "weighted" : "shares",
                 "weights and shares are for data_parallel"};
  }
  for (const Status& checked :
       {check_range("data", config.data, 1, kRunDevicesMax),
        check_range("tensor", config.tensor, 1, kRunDevicesMax),
        check_range("stages", config.stages, 1, kRunDevicesMax),
        check_range("microbatches", config.microbatches, 1, kMaxMicrobatches),
        check_range("rows", config.rows, 1, kRowsMax)}) {
    if (!checked.ok()) return checked;
  }
  const int devices = config.data * config.tensor * config.stages;
  if (devices > kRunDevicesMax) {
    return Error{"out_of_range", "devices",
                 std::to_string(config.data) + " × " + std::to_string(config.tensor) + " × " +
                     std::to_string(config.stages) + " are " + std::to_string(devices) +
                     " devices, and there may be " + std::to_string(kRunDevicesMax)};
  }
  const int parts = config.data * config.microbatches;
  if (config.rows % parts == 0) return fine();
  return Error{"rows_not_divisible", "microbatches",
               std::to_string(config.rows) + " rows cannot be cut into " + std::to_string(parts) +
                   " microbatches of equal size (" + std::to_string(config.data) + " copies of " +
                   std::to_string(config.microbatches) + "): use " +
                   neighbouring_multiples(config.rows, parts) + " rows"};
}

Status check_model(const RunConfig& config, const ModelSpec& model, int stages) {
  if (Status status = check_shards(model, config.tensor); !status.ok()) return status;
  const GptSpec* gpt = std::get_if<GptSpec>(&model);
  if (gpt != nullptr && gpt->tied_head) {
    return Error{"not_for_strategy", "tied_head",
                 "the head has a weight of its own where blocks are on stages of their own"};
  }
  if (stages <= block_count(model)) return fine();
  return Error{"too_many_stages", "stages",
               "the model has " + std::to_string(block_count(model)) + " blocks and the pipeline " +
                   std::to_string(stages) + " stages: each stage needs one"};
}

}  // namespace

RunConfig parallel_3d_defaults() {
  RunConfig config;
  config.strategy = "parallel_3d";
  config.model = "transformer";
  config.rows = 8;
  config.data = 2;
  config.tensor = 2;
  config.stages = 2;
  config.microbatches = 2;
  return config;
}

RunConfig tensor_parallel_defaults() {
  RunConfig config = parallel_3d_defaults();
  config.strategy = "tensor_parallel";
  config.data = 1;
  config.stages = 1;
  config.microbatches = 1;
  return config;
}

Result<Plan> tensor_parallel(const RunConfig& config) {
  RunConfig product = config;
  product.data = 1;
  product.stages = 1;
  product.microbatches = 1;
  return parallel_3d(product);
}

Result<Plan> parallel_3d(const RunConfig& config) {
  if (Status status = check_config(config); !status.ok()) return status.error();
  Result<ModelSpec> model = model_of(config);
  if (!model.ok()) return model.error();
  const Result<CollectiveRow> all_reduce =
      find_collective(config.collective, CollectiveKind::all_reduce);
  if (!all_reduce.ok()) return all_reduce.error();
  const Result<Schedule> schedule = training_schedule(config);
  if (!schedule.ok()) return schedule.error();
  const Program pipeline = lower(schedule.value());
  if (Status status = check_model(config, model.value(), pipeline.stages); !status.ok()) {
    return status.error();
  }
  Program program = Product(config, model.value(), pipeline, all_reduce.value()).build();
  TrainingSet data{
      .model = std::move(model).value(),
      .seed = config.seed,
      .precision = config.precision,
      .row_ranges = consecutive_ranges(even_sizes(config.rows, config.data * config.microbatches)),
      .microbatches = config.microbatches};
  return Plan{std::move(program), std::move(data)};
}

}  // namespace lockstep
