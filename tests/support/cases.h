// The runs that laws about gradients are tried on.
#pragma once

#include <string>
#include <vector>

#include "collective/collective.h"
#include "schedule/schedule.h"
#include "strategy/strategy.h"

namespace lockstep::test {

/// Shapes of the model and rows for each device or microbatch: a single parameter pair, odd widths,
/// fewer parameters than devices (so that chunks of the gradient are empty), one row each.
struct Shape {
  std::vector<int> widths;
  int rows_each;
};

inline std::vector<RunConfig> data_parallel_cases(int devices) {
  const std::vector<Shape> shapes = {
      {{1, 1}, 1}, {{2, 1}, 3}, {{3, 5, 2}, 1}, {{7, 3, 1, 4}, 5}, {{5, 9, 9, 3}, 2}};
  std::vector<RunConfig> cases;
  for (const Shape& shape : shapes) {
    for (const Precision precision : {Precision::float32, Precision::float64}) {
      RunConfig config = find_strategy("data_parallel").value().defaults();
      config.widths = shape.widths;
      config.rows = devices * shape.rows_each;
      config.devices = devices;
      config.precision = precision;
      cases.push_back(config);
      config.weighted = true;
      config.rows += (devices - 1) * shape.rows_each;  // the last device gets the fewest
      config.shares.assign(static_cast<std::size_t>(devices), 2 * shape.rows_each);
      config.shares.back() = shape.rows_each;
      cases.push_back(config);
    }
  }
  for (const CollectiveRow& row : collective_table()) {
    if (row.kind != CollectiveKind::all_reduce) continue;
    RunConfig config = find_strategy("data_parallel").value().defaults();
    config.collective = row.name;
    config.widths = {3, 5, 2};
    config.rows = 2 * devices;
    config.devices = devices;
    cases.push_back(config);
  }
  return cases;
}

/// Every schedule for that many stages, with fewer and more microbatches than stages.
inline std::vector<RunConfig> pipeline_cases(int stages) {
  std::vector<RunConfig> cases;
  const auto add = [&](const ScheduleRow& schedule, int chunks, int microbatches,
                       Precision precision) {
    RunConfig config = find_strategy("pipeline_parallel").value().defaults();
    config.schedule = schedule.name;
    config.stages = stages;
    config.chunks = chunks;
    config.microbatches = microbatches;
    config.rows = microbatches * (microbatches == 8 ? 1 : 3);
    config.widths.clear();
    const int layers = stages * (chunks == 1 ? 2 : chunks);
    for (int i = 0; i <= layers; ++i) config.widths.push_back(2 + i * 5 % 7);
    config.precision = precision;
    if (make_plan(config).ok()) cases.push_back(config);
  };
  for (const ScheduleRow& schedule : schedule_table()) {
    for (const int microbatches : {1, 3, 8}) {
      for (const Precision precision : {Precision::float32, Precision::float64}) {
        add(schedule, 1, microbatches, precision);
      }
    }
    for (const int chunks : {2, 3}) add(schedule, chunks, 8, Precision::float64);
  }
  return cases;
}

/// Products of so many devices, on transformers, and without tensor parallelism on an MLP.
inline std::vector<RunConfig> product_cases(int devices) {
  std::vector<RunConfig> cases;
  for (int data = 1; data <= devices; ++data) {
    for (int tensor = 1; data * tensor <= devices; ++tensor) {
      if (devices % (data * tensor) != 0) continue;
      RunConfig config = find_strategy("parallel_3d").value().defaults();
      config.data = data;
      config.tensor = tensor;
      config.stages = devices / (data * tensor);
      config.microbatches = config.stages;
      config.rows = data * config.microbatches;
      config.transformer = {.vocabulary = 5, .sequence_length = 3, .hidden = 8, .heads = 8};
      config.transformer.layers = config.stages > 6 ? 4 : 2;
      // Schedules, precisions and kinds of MLP in turn: all of each together take too long.
      constexpr const char* kSchedules[] = {"gpipe", "one_f_one_b", "zb_h1"};
      config.schedule = kSchedules[(data + tensor) % 3];
      config.transformer.gated = tensor % 2 == 1;
      if ((data + config.stages) % 3 == 0) config.precision = Precision::float32;
      if (make_plan(config).ok()) cases.push_back(config);
      config.model = "mlp";
      config.widths = {3, 5, 4, 3, 6, 2, 3, 4, 2};
      if (make_plan(config).ok()) cases.push_back(config);
    }
  }
  return cases;
}

/// Names a case in a failure message.
inline std::string describe(const RunConfig& config) {
  std::string text = config.strategy;
  if (config.strategy == "pipeline_parallel") {
    text += " " + config.schedule + " stages " + std::to_string(config.stages) + " chunks " +
            std::to_string(config.chunks) + " microbatches " + std::to_string(config.microbatches);
  } else if (config.strategy == "parallel_3d") {
    text += " " + config.model + " " + config.schedule + " " + std::to_string(config.data) + " × " +
            std::to_string(config.tensor) + " × " + std::to_string(config.stages);
  } else {
    text += " " + config.collective + " devices " + std::to_string(config.devices) +
            (config.weighted ? " weighted" : "");
  }
  text += config.precision == Precision::float32 ? " float32" : " float64";
  text += " rows " + std::to_string(config.rows) + " widths";
  for (const int width : config.widths) text += " " + std::to_string(width);
  return text;
}

}  // namespace lockstep::test
