// The numbers of a run, drawn from its seed: parameters, inputs and targets.
//
// Each is a pure function of the seed and its own place in the model or batch (core/random.h), so
// every device draws exactly its part, and all agree. All are drawn in float64 and rounded to T, so
// a float32 run has the numbers of the float64 run, rounded.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/mlp_spec.h"
#include "tensor/matrix.h"

namespace lockstep {

// The streams of core/random.h in use: no two kinds of numbers share one.
inline constexpr std::uint64_t kInputStream = 1;       ///< index: row * width + column
inline constexpr std::uint64_t kTargetStream = 2;      ///< index: row * width + column
inline constexpr std::uint64_t kParameterStream = 16;  ///< plus the layer; index: draw_parameter

/// A parameter of a layer, uniform in ±1/sqrt(inputs of the layer); `index` counts within the
/// layer, the weight row by row, then the bias.
double draw_parameter(const MlpSpec& spec, std::uint64_t seed, int layer, std::size_t index);

/// Rows [first_row, first_row + rows) of the batch's inputs, uniform in ±1: (rows, first width).
template <typename T>
Matrix<T> draw_inputs(const MlpSpec& spec, std::uint64_t seed, int first_row, int rows);

/// The same rows of the batch's targets, uniform in ±1: (rows, last width).
template <typename T>
Matrix<T> draw_targets(const MlpSpec& spec, std::uint64_t seed, int first_row, int rows);

}  // namespace lockstep
