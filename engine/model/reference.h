// What one device makes of the whole batch, and how far from it a parallel run may be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/result.h"
#include "model/finite_difference.h"
#include "model/gradient.h"
#include "model/model_spec.h"

namespace lockstep {

template <typename T>
struct Reference {
  LossAndGradient<T> single;  ///< of one device

  /// How far rounding may take the loss and, by parameter, the gradient of a run from those of one
  /// device, and the gradient of one device from that of exact arithmetic.
  double loss_bound = 0;
  std::vector<double> bound;
  std::vector<double> error_bound;

  FiniteDifferences differences;
};

/// How much more than the rounding that is seen a transformer's run is allowed: sums in another
/// order may go another way.
inline constexpr double kRoundingAllowance = 64;

/// The reference for a run that combines at most `parts` partial sums, with the derivatives by at
/// most `differences` parameters.
///
/// Of an MLP the bounds are proved (gradient_bound, gradient_error_bound). Of a transformer they
/// are measured: the batch is computed once more in the other precision, and what the float32
/// numbers are off from the float64 ones, at most over the model, shows how much this model and
/// batch make of a rounding; kRoundingAllowance times that is allowed, of a float64 run 2^-29 of
/// it. Errors: those of single_device_gradient.
template <typename T>
Result<Reference<T>> make_reference(const ModelSpec& spec, std::uint64_t seed,
                                    const Batch<T>& batch, int parts, std::size_t differences);

}  // namespace lockstep
