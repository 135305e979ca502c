// Strategies: ways to share the work of one training step among devices. Each builds a program and
// says which rows each device draws; the command, the page and the tests share one table of them
// and of their defaults.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "model/training_set.h"
#include "program/program.h"

namespace lockstep {

/// Each device of a run is a thread or a browser worker with memory of its own; more than these do
/// not start reliably on a phone, and their picture does not fit its screen.
inline constexpr int kRunDevicesMax = 16;

/// A hundred steps show how a loss falls; more would only be slow.
inline constexpr int kStepsMax = 100;

/// What to run. The row of a strategy gives the defaults of all fields; a strategy reads those that
/// name it or no strategy.
struct RunConfig {
  std::string strategy = "data_parallel";
  std::string model = "mlp";                  ///< or "transformer"
  std::vector<int> widths = {16, 32, 32, 4};  ///< of the MLP (model/mlp_spec.h)
  GptSpec transformer;                        ///< model/gpt_spec.h
  int rows = 64;                              ///< of the whole batch
  std::uint64_t seed = 1;
  Precision precision = Precision::float64;

  int steps = 1;  ///< of training, 1 … kStepsMax; more than one need an optimizer
  std::string optimizer =
      "none";                ///< or a row of optimizer_table(): each step ends with its update
  double learning_rate = 0;  ///< 0: the optimizer's usual one

  int devices = 4;        ///< data_parallel: 1 … kRunDevicesMax
  bool weighted = false;  ///< data_parallel: weigh each device's gradient by its rows
  std::string collective = "ring_all_reduce";  ///< data_parallel: an all-reduce of the table
  std::vector<int> shares;  ///< data_parallel: rows of each device; empty: as even as possible

  std::string schedule = "one_f_one_b";  ///< pipeline_parallel: a row of schedule_table()
  int stages = 4;                        ///< pipeline_parallel: ranks, 1 … kRunDevicesMax
  int chunks = 1;                        ///< pipeline_parallel: model chunks a rank
  int microbatches = 8;                  ///< pipeline_parallel

  int data = 1;    ///< parallel_3d: copies of the pipeline
  int tensor = 1;  ///< tensor_parallel, parallel_3d: devices that share each block
};

/// The checked model of a config. Errors: unknown_model, and those of check_spec.
Result<ModelSpec> model_of(const RunConfig& config);

/// All that a run needs: what the devices do, and on which numbers.
struct Plan {
  Program program;
  TrainingSet data;
};

/// A strategy we know.
struct StrategyRow {
  std::string_view name;
  std::string_view description;  ///< one line
  RunConfig (*defaults)();
  Result<Plan> (*build)(const RunConfig& config);
};

/// Every strategy; to add one, write <name>.cpp and a row in table.cpp.
std::span<const StrategyRow> strategy_table();

/// The strategy called `name`. Error: unknown_strategy (with the nearest name).
Result<StrategyRow> find_strategy(std::string_view name);

/// An optimizer that a config can name.
struct OptimizerRow {
  std::string_view name;
  OptimizerSpec spec;
};
std::span<const OptimizerRow> optimizer_table();

/// Beyond this no model of ours learns.
inline constexpr double kLearningRateMax = 10;

/// The checked plan for a config. Errors name the field in `where`: unknown_strategy,
/// unknown_schedule, unknown_collective, wrong_kind, unknown_optimizer, out_of_range (with the
/// range), rows_not_divisible (unequal shares without `weighted`, or rows that the microbatches do
/// not divide), rows_do_not_add_up, too_few_rows, layers_not_divisible, not_for_strategy,
/// not_trainable (a schedule whose row says so), those of check_training_set, and what a schedule
/// refuses.
Result<Plan> make_plan(const RunConfig& config);

}  // namespace lockstep
