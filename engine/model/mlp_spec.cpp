#include "model/mlp_spec.h"

#include <algorithm>
#include <cassert>

namespace lockstep {
namespace {

std::int64_t parameters_of_layer(const MlpSpec& spec, int layer) {
  return std::int64_t{spec.outputs(layer)} * (std::int64_t{spec.inputs(layer)} + 1);
}

std::string range(std::int64_t lowest, std::int64_t highest) {
  return std::to_string(lowest) + " to " + std::to_string(highest);
}

}  // namespace

Status check_spec(const MlpSpec& spec) {
  if (spec.widths.size() < 2 || spec.widths.size() > kLayersMax + 1) {
    return Error{"layers_out_of_range", "widths",
                 "the model has " + std::to_string(spec.widths.size()) +
                     " widths: give one more than its layers, which may be " +
                     range(1, kLayersMax)};
  }
  for (std::size_t i = 0; i < spec.widths.size(); ++i) {
    if (spec.widths[i] >= 1 && spec.widths[i] <= kWidthMax) continue;
    return Error{"width_out_of_range", "widths " + std::to_string(i),
                 "width " + std::to_string(spec.widths[i]) + " is not in " + range(1, kWidthMax)};
  }
  std::int64_t parameters = 0;
  for (int layer = 0; layer < spec.layer_count(); ++layer) {
    parameters += parameters_of_layer(spec, layer);
  }
  if (parameters > kParametersMax) {
    return Error{"model_too_large", "widths",
                 "the model has " + std::to_string(parameters) + " parameters, more than the " +
                     std::to_string(kParametersMax) + " allowed: use smaller widths"};
  }
  return fine();
}

Status check_rows(const MlpSpec& spec, int rows) {
  if (rows < 1 || rows > kRowsMax) {
    return Error{"rows_out_of_range", "rows",
                 std::to_string(rows) + " rows are not in " + range(1, kRowsMax)};
  }
  const int widest = *std::ranges::max_element(spec.widths);
  if (std::int64_t{rows} * widest > kBatchValuesMax) {
    return Error{"batch_too_large", "rows",
                 std::to_string(rows) + " rows of width " + std::to_string(widest) +
                     " are more than the " + std::to_string(kBatchValuesMax) +
                     " values allowed: use fewer rows or smaller widths"};
  }
  return fine();
}

std::size_t parameter_count(const MlpSpec& spec, int first_block, int last_block) {
  assert(0 <= first_block && first_block <= last_block && last_block <= spec.layer_count());
  std::int64_t count = 0;
  for (int layer = first_block; layer < last_block; ++layer) {
    count += parameters_of_layer(spec, layer);
  }
  return static_cast<std::size_t>(count);
}

std::size_t parameter_count(const MlpSpec& spec) {
  return parameter_count(spec, 0, spec.layer_count());
}

ParameterPlace locate_parameter(const MlpSpec& spec, std::size_t index) {
  assert(index < parameter_count(spec));
  auto rest = static_cast<std::int64_t>(index);
  int layer = 0;
  while (rest >= parameters_of_layer(spec, layer)) rest -= parameters_of_layer(spec, layer++);
  const std::int64_t inputs = spec.inputs(layer);
  const std::int64_t weights = spec.outputs(layer) * inputs;
  if (rest >= weights) return {layer, true, static_cast<int>(rest - weights), 0};
  return {layer, false, static_cast<int>(rest / inputs), static_cast<int>(rest % inputs)};
}

std::string describe(const ParameterPlace& place) {
  const std::string start = "layer " + std::to_string(place.layer);
  const std::string row = ", row " + std::to_string(place.row);
  if (place.is_bias) return start + " bias" + row;
  return start + " weight" + row + ", column " + std::to_string(place.column);
}

}  // namespace lockstep
