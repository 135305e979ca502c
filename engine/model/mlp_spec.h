// The shape of a multi-layer perceptron, and where each of its parameters lies.
//
// Widths 16-32-32-4 are three linear layers with relu between them. A *block* is a linear layer
// with the relu that follows it; the last block of the model has none. Pipeline stages are cut
// between blocks. All parameters lie in one flat vector in model order: layer by layer, the weight
// row by row, then the bias. Layers, rows and columns count from 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"

namespace lockstep {

inline constexpr int kWidthMax = 4096;  ///< a row of a weight stays within a processor's cache
inline constexpr int kLayersMax = 64;   ///< deeper than any pipeline we draw (16 devices of 4)
inline constexpr int kRowsMax = 65536;  ///< rows of one batch
inline constexpr std::int64_t kParametersMax = std::int64_t{1} << 24;   ///< 128 MiB of float64
inline constexpr std::int64_t kBatchValuesMax = std::int64_t{1} << 24;  ///< rows times widest layer

/// Widths from input to output: layer i has weight (widths[i + 1], widths[i]).
struct MlpSpec {
  std::vector<int> widths;

  int layer_count() const { return static_cast<int>(widths.size()) - 1; }
  int inputs(int layer) const { return widths[static_cast<std::size_t>(layer)]; }
  int outputs(int layer) const { return widths[static_cast<std::size_t>(layer) + 1]; }
};

/// Refuses, naming the place, fewer than one layer, more than kLayersMax, a width outside
/// 1 … kWidthMax (`width_out_of_range`, `layers_out_of_range`), and a model of more than
/// kParametersMax parameters (`model_too_large`). All else here needs a spec that passed.
Status check_spec(const MlpSpec& spec);

/// Refuses rows outside 1 … kRowsMax (`rows_out_of_range`), and batches whose widest layer would
/// hold more than kBatchValuesMax values (`batch_too_large`).
Status check_rows(const MlpSpec& spec, int rows);

/// How many parameters the blocks [first, last) hold.
std::size_t parameter_count(const MlpSpec& spec, int first_block, int last_block);
std::size_t parameter_count(const MlpSpec& spec);

/// One parameter of the model. A bias has column 0.
struct ParameterPlace {
  int layer = 0;
  bool is_bias = false;
  int row = 0;
  int column = 0;

  bool operator==(const ParameterPlace&) const = default;
};

/// The place of the parameter with this index in the flat vector of the whole model.
ParameterPlace locate_parameter(const MlpSpec& spec, std::size_t index);

/// "layer 2 weight, row 3, column 1" or "layer 2 bias, row 3".
std::string describe(const ParameterPlace& place);

}  // namespace lockstep
