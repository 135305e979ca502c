// What one device makes of the whole batch, step by step, and how far from it a parallel run may
// be.
#pragma once

#include <cstddef>
#include <vector>

#include "core/result.h"
#include "model/finite_difference.h"
#include "model/training_set.h"

namespace lockstep {

/// What training ends with.
template <typename T>
struct Training {
  std::vector<double> losses;  ///< by step, mean over the batch
  std::vector<T> gradient;     ///< of the last step's loss, in model order
  std::vector<T> parameters;   ///< after the last update
};

struct ReferenceOptions {
  int steps = 1;
  bool updates = false;         ///< whether each step ends with the optimizer's
  int parts = 1;                ///< so many partial sums the run combines at most
  std::size_t differences = 0;  ///< derivatives by so many parameters; none where there are updates
};

template <typename T>
struct Reference {
  Training<T> single;  ///< of one device

  /// How far rounding may take the losses and, by parameter, gradient and parameters of a run from
  /// those of one device, and the gradient of one device from that of exact arithmetic.
  double loss_bound = 0;
  std::vector<double> bound;
  std::vector<double> error_bound;
  double parameter_bound = 0;

  FiniteDifferences differences;
};

/// How much more than the rounding that is seen a run is allowed where no bound is proved: sums in
/// another order may go another way.
inline constexpr double kRoundingAllowance = 64;

/// The reference for runs on `set`.
///
/// For one step of an MLP without update the bounds are proved (gradient_bound,
/// gradient_error_bound). Otherwise they are measured: everything is computed once more in the
/// other precision, and what the float32 numbers are off from the float64 ones, at most over all,
/// shows how much this model and these batches make of a rounding; kRoundingAllowance times that is
/// allowed, of a float64 run 2^-29 of it. Error: not_finite, naming the loss or a parameter.
template <typename T>
Result<Reference<T>> make_reference(const TrainingSet& set, const ReferenceOptions& options);

}  // namespace lockstep
