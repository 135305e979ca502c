// Whether the devices' gradient is right: put together from their results and compared with the
// gradient of one device that sees the whole batch, and with finite differences of the loss.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "device/device.h"
#include "model/compare.h"
#include "model/training_set.h"
#include "program/program.h"

namespace lockstep {

struct GradientCheckOptions {
  /// How many parameters, spread over the model, are compared with finite differences at most. Each
  /// takes some forward passes of the whole batch, so that of a large model and batch fewer are:
  /// as many as kFiniteDifferenceWork allows, and kFiniteDifferencesLeast in any case.
  std::size_t finite_differences = 64;
};

/// Parameters times rows, over all finite differences of a check: a second in a browser.
inline constexpr std::size_t kFiniteDifferenceWork = std::size_t{1} << 26;
inline constexpr std::size_t kFiniteDifferencesLeast = 4;

struct GradientReport {
  std::vector<double> losses;                ///< by step, mean over the batch, from the devices
  std::vector<double> single_device_losses;  ///< the same, from one device
  double loss = 0;                           ///< of the last step
  double single_device_loss = 0;             ///< of the last step
  double loss_bound = 0;                     ///< rounding makes the two differ by no more than this

  GradientComparison single_device;  ///< the devices' gradient against that of one device
  std::string worst_parameter;       ///< single_device.worst in words
  double worst_difference = 0;       ///< there
  double worst_bound = 0;            ///< what rounding allows there at most (make_reference)
  std::string hash;                  ///< of the devices' gradient, 16 hexadecimal digits
  std::string single_device_hash;

  GradientComparison finite_difference;  ///< the devices' gradient against finite differences
  std::size_t finite_differences_compared = 0;
  std::size_t finite_differences_skipped = 0;  ///< too near to a relu's corner to have one

  bool has_parameters = false;    ///< whether the run updates them
  GradientComparison parameters;  ///< after the last update
  double parameter_bound = 0;     ///< rounding makes a parameter differ by no more than this

  bool loss_within_bound() const;  ///< of every step

  /// Whether all differences are explained by rounding.
  bool passed() const {
    return loss_within_bound() && single_device.within_bound() && parameters.within_bound() &&
           finite_difference.within_bound();
  }
};

/// Checks what the devices of a run ended with, by rank. Errors: those of check_run, and
/// - wrong_results: not one result for each device, or of another precision or size;
/// - not_finite: a NaN or infinity in a result, or in the gradient of one device;
/// - missing_stage: a stage that no device holds;
/// - replicas_disagree: a device whose gradient of a stage is not bit for bit that of the first
///   device that holds the stage; `where` names it.
Result<GradientReport> check_gradients(const Program& program, const TrainingSet& data,
                                       std::span<const DeviceResult> results,
                                       const GradientCheckOptions& options = {});

}  // namespace lockstep
