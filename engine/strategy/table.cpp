#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/nearest.h"
#include "program/validate.h"
#include "strategy/data_parallel.h"
#include "strategy/parallel_3d.h"
#include "strategy/pipeline_parallel.h"
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

Result<Plan> make_plan(const RunConfig& config) {
  const Result<StrategyRow> row = find_strategy(config.strategy);
  if (!row.ok()) return row.error();
  Result<Plan> plan = row.value().build(config);
  if (!plan.ok()) return plan;
  if (Status status = check_training_set(plan.value().data); !status.ok()) return status.error();
  const std::vector<Error> faults = validate(plan.value().program);
  if (!faults.empty()) return faults.front();
  return plan;
}

}  // namespace lockstep
