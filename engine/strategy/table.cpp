#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/nearest.h"
#include "program/validate.h"
#include "strategy/data_parallel.h"
#include "strategy/parallel_3d.h"
#include "strategy/pipeline_parallel.h"
#include "strategy/rows.h"
#include "strategy/strategy.h"

namespace lockstep {
namespace {

constexpr std::array kStrategies = {
    StrategyRow{"data_parallel", "every device a whole model and a share of the rows",
                data_parallel_defaults, data_parallel},
    StrategyRow{"pipeline_parallel", "every device some of the layers; microbatches flow through",
                pipeline_parallel_defaults, pipeline_parallel},
    StrategyRow{"tensor_parallel", "every device some heads and hidden units of every block",
                tensor_parallel_defaults, tensor_parallel},
    StrategyRow{"parallel_3d", "copies of a pipeline whose stages are cut over devices",
                parallel_3d_defaults, parallel_3d},
};

constexpr std::array kOptimizers = {
    OptimizerRow{"sgd", {.learning_rate = 0.1}},
    OptimizerRow{"momentum", {.learning_rate = 0.1, .momentum = 0.9}},
    OptimizerRow{"adam", {.kind = OptimizerKind::adam, .learning_rate = 0.01}},
};

Result<OptimizerSpec> optimizer_of(const RunConfig& config) {
  const auto row = std::ranges::find(kOptimizers, config.optimizer, &OptimizerRow::name);
  if (row == kOptimizers.end()) {
    std::vector<std::string_view> names = {"none"};
    for (const OptimizerRow& known : kOptimizers) names.push_back(known.name);
    return Error{"unknown_optimizer", "optimizer",
                 "there is no optimizer called \"" + config.optimizer + "\"" +
                     did_you_mean(config.optimizer, names)};
  }
  OptimizerSpec spec = row->spec;
  if (config.learning_rate != 0) spec.learning_rate = config.learning_rate;
  const bool is_sensible = spec.learning_rate > 0 && spec.learning_rate <= kLearningRateMax;
  if (is_sensible) return spec;
  return Error{"out_of_range", "learning_rate", "a learning rate is above 0 and at most 10"};
}

/// Ends the program with the optimizer's update, and repeats it for every step.
Status add_updates(const RunConfig& config, Plan& plan) {
  if (Status status = check_range("steps", config.steps, 1, kStepsMax); !status.ok()) return status;
  if (config.optimizer == "none") {
    if (config.steps == 1) return fine();
    return Error{"out_of_range", "steps",
                 "without an optimizer every step is the same: choose one for more than one step"};
  }
  const Result<OptimizerSpec> optimizer = optimizer_of(config);
  if (!optimizer.ok()) return optimizer.error();
  plan.data.optimizer = optimizer.value();
  for (DeviceProgram& device : plan.program.devices) {
    std::vector<Instruction>& list = device.instructions;
    list.push_back({.op = Op::update});
    const std::vector<Instruction> step = list;
    for (int i = 1; i < config.steps; ++i) list.insert(list.end(), step.begin(), step.end());
  }
  return fine();
}

}  // namespace

std::span<const StrategyRow> strategy_table() {
  return kStrategies;
}

Result<StrategyRow> find_strategy(std::string_view name) {
  const auto row = std::ranges::find(kStrategies, name, &StrategyRow::name);
  if (row != kStrategies.end()) return *row;
  std::vector<std::string_view> names;
  for (const StrategyRow& known : kStrategies) names.push_back(known.name);
  return Error{
      "unknown_strategy", "strategy",
      "there is no strategy called \"" + std::string(name) + "\"" + did_you_mean(name, names)};
}

Result<ModelSpec> model_of(const RunConfig& config) {
  ModelSpec model = MlpSpec{config.widths};
  if (config.model == "transformer") {
    model = config.transformer;
  } else if (config.model != "mlp") {
    return Error{
        "unknown_model", "model",
        "there is no model called \"" + config.model + "\"; there are mlp and transformer"};
  }
  if (Status status = check_spec(model); !status.ok()) return status.error();
  return model;
}

std::span<const OptimizerRow> optimizer_table() {
  return kOptimizers;
}

Result<Plan> make_plan(const RunConfig& config) {
  const Result<StrategyRow> row = find_strategy(config.strategy);
  if (!row.ok()) return row.error();
  Result<Plan> plan = row.value().build(config);
  if (!plan.ok()) return plan;
  if (Status status = add_updates(config, plan.value()); !status.ok()) return status.error();
  if (Status status = check_training_set(plan.value().data); !status.ok()) return status.error();
  const std::vector<Error> faults = validate(plan.value().program);
  if (!faults.empty()) return faults.front();
  return plan;
}

}  // namespace lockstep
