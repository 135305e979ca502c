// The gradient of a batch on one device, which every parallel run is compared with.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "model/stage.h"
#include "tensor/matrix.h"

namespace lockstep {

/// A batch: inputs (rows, first width) and targets (rows, last width).
template <typename T>
struct Batch {
  Matrix<T> inputs;
  Matrix<T> targets;

  /// What the mean-squared error is divided by: the elements of the targets.
  std::int64_t element_count() const { return std::int64_t{targets.rows} * targets.columns; }
};

/// Draws `rows` rows of a checked size, from row 0 on.
template <typename T>
Batch<T> draw_batch(const MlpSpec& spec, std::uint64_t seed, int rows);

template <typename T>
struct LossAndGradient {
  double loss = 0;          ///< mean-squared error over all elements
  std::vector<T> gradient;  ///< of the loss by each parameter, in model order
};

/// Forward and backward of the whole batch in one go. Refuses inputs and targets that are not
/// finite or not of the model's widths (`not_finite`, `shape_mismatch`, with their place), and a
/// model whose numbers overflow on the way (`not_finite`, naming the loss or a parameter).
template <typename T>
Result<LossAndGradient<T>> single_device_gradient(const Stage<T>& model, const Batch<T>& batch);

/// Refuses a batch that single_device_gradient refuses.
template <typename T>
Status check_batch(const MlpSpec& spec, const Batch<T>& batch);

/// Refuses a NaN or infinity in the model's flat gradient, naming the parameter.
template <typename T>
Status check_finite_gradient(const MlpSpec& spec, std::span<const T> gradient);

/// 64-bit FNV-1a over the little-endian IEEE bytes in model order, as 16 hexadecimal digits.
template <typename T>
std::string gradient_hash(std::span<const T> gradient);

}  // namespace lockstep
