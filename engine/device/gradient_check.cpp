#include "device/gradient_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "device/layout.h"
#include "device/message.h"
#include "model/reference.h"
#include "program/instruction.h"
#include "tensor/matrix.h"

namespace lockstep {
namespace {

std::string device_place(std::size_t rank) {
  return "device " + std::to_string(rank);
}

/// Checks the form of what came from each device: it may have come from another thread or page.
Status check_results(const Program& program, const TrainingSet& data,
                     std::span<const DeviceResult> results) {
  if (results.size() != program.devices.size()) {
    return Error{"wrong_results", "results",
                 "there are results of " + std::to_string(results.size()) +
                     " devices, but the program has " + std::to_string(program.devices.size())};
  }
  for (std::size_t rank = 0; rank < results.size(); ++rank) {
    const DeviceResult& result = results[rank];
    std::size_t values = 0;
    for (const StagePart& part : stage_parts(program, data.model, program.devices[rank])) {
      values += part.count;
    }
    const std::size_t bytes = values * bytes_per_value(data.precision);
    if (result.precision != data.precision || result.gradient.size() != bytes) {
      return Error{"wrong_results", device_place(rank),
                   "the gradient of " + device_place(rank) + " has " +
                       std::to_string(result.gradient.size()) + " bytes or another precision; " +
                       std::to_string(bytes) + " bytes are expected"};
    }
    const bool is_whole =
        result.loss_sums.size() == static_cast<std::size_t>(step_count(program)) &&
        (result.parameters.empty() || result.parameters.size() == bytes);
    if (!is_whole) {
      return Error{"wrong_results", device_place(rank),
                   "the losses or parameters of " + device_place(rank) +
                       " are not as many as the program's steps make"};
    }
    if (!std::ranges::all_of(result.loss_sums, [](double sum) { return std::isfinite(sum); })) {
      return Error{"not_finite", device_place(rank),
                   "the loss of " + device_place(rank) + " is not a finite number"};
    }
  }
  return fine();
}

/// The model's flat gradient or parameters, stage by stage, from the devices that hold them.
template <typename T>
class Gathering {
 public:
  /// What of a result: &DeviceResult::gradient or &DeviceResult::parameters.
  using Field = std::vector<std::byte> DeviceResult::*;

  Gathering(const Program& program, const TrainingSet& data, std::span<const DeviceResult> results,
            Field field)
      : program_(program), spec_(data.model), results_(results), field_(field) {
    gradient_.resize(parameter_count(spec_));
    holder_.assign(gradient_.size(), kNobody);
  }

  Result<std::vector<T>> gather() {
    for (std::size_t rank = 0; rank < results_.size(); ++rank) {
      const DeviceProgram& device = program_.devices[rank];
      const std::vector<T> values = from_bytes<T>(results_[rank].*field_);
      for (const StagePart& part : stage_parts(program_, spec_, device)) {
        const BlockRange blocks = stage_blocks(spec_, program_.stages, part.stage);
        const std::vector<std::size_t> indices =
            parameter_indices(spec_, blocks.first, blocks.last, shard_of(program_, device));
        const std::span<const T> own = std::span(values).subspan(part.first, part.count);
        if (Status status = take(rank, indices, own); !status.ok()) return status.error();
      }
    }
    const auto missing = std::ranges::find(holder_, kNobody);
    if (missing == holder_.end()) return std::move(gradient_);
    const std::string place = place_of(static_cast<std::size_t>(missing - holder_.begin()));
    return Error{"missing_stage", place, "no device holds " + place};
  }

 private:
  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

  /// `own` are a device's values of the parameters with these indices.
  Status take(std::size_t rank, const std::vector<std::size_t>& indices, std::span<const T> own) {
    const std::string place = device_place(rank);
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::size_t index = indices[i];
      if (!std::isfinite(own[i])) {
        return Error{
            "not_finite", place,
            "on " + place + " the gradient of " + place_of(index) + " is not a finite number"};
      }
      T& known = gradient_[index];
      std::size_t& holder = holder_[index];
      if (holder == kNobody) {
        known = own[i];
        holder = rank;
      } else if (!same_bits<T>(own.subspan(i, 1), {&known, 1})) {
        return Error{"replicas_disagree", place,
                     place + " and " + device_place(holder) +
                         " end with different gradients, first at " + place_of(index) +
                         ": after an all-reduce all must have the same"};
      }
    }
    return fine();
  }

  std::string place_of(std::size_t index) const { return describe_parameter(spec_, index); }

  const Program& program_;
  const ModelSpec& spec_;
  std::span<const DeviceResult> results_;
  Field field_;
  std::vector<T> gradient_;
  std::vector<std::size_t> holder_;  ///< by parameter, the rank that it was taken from
};

/// The most devices that hold the same stage: so many partial sums may be added up.
int most_holders(const Program& program) {
  std::vector<int> holders(static_cast<std::size_t>(program.stages));
  for (const DeviceProgram& device : program.devices) {
    for (const int stage : device.stages) ++holders[static_cast<std::size_t>(stage)];
  }
  return std::ranges::max(holders);
}

/// Finite differences that a check can afford (GradientCheckOptions).
std::size_t affordable_differences(std::size_t most, std::size_t parameters, int rows) {
  const std::size_t affordable =
      kFiniteDifferenceWork / (parameters * static_cast<std::size_t>(rows));
  return std::min(most, std::max(affordable, kFiniteDifferencesLeast));
}

/// By step, of the whole batch, from what each device has summed; shards of a stage have all summed
/// the same.
std::vector<double> mean_losses(const Program& program, const TrainingSet& data,
                                std::span<const DeviceResult> results) {
  std::vector<double> losses(static_cast<std::size_t>(step_count(program)), 0);
  for (std::size_t step = 0; step < losses.size(); ++step) {
    for (std::size_t rank = 0; rank < results.size(); ++rank) {
      if (program.devices[rank].shard == 0) losses[step] += results[rank].loss_sums[step];
    }
    losses[step] /= static_cast<double>(loss_terms(data.model, data.row_count()));
  }
  return losses;
}

/// All devices have one or none has (validate).
bool has_update(const Program& program) {
  return std::ranges::any_of(program.devices, [](const DeviceProgram& device) {
    return !device.instructions.empty() && device.instructions.back().op == Op::update;
  });
}

/// What the devices' parameters after the last update are to those of one device.
template <typename T>
Status compare_parameters(const Program& program, const TrainingSet& data,
                          std::span<const DeviceResult> results, const Reference<T>& reference,
                          GradientReport& report) {
  const auto gathered = Gathering<T>(program, data, results, &DeviceResult::parameters).gather();
  if (!gathered.ok()) return gathered.error();
  const std::vector<double> bound(gathered.value().size(), reference.parameter_bound);
  report.has_parameters = true;
  report.parameter_bound = reference.parameter_bound;
  report.parameters = compare_gradients<T>(gathered.value(), reference.single.parameters, bound);
  return fine();
}

template <typename T>
Result<GradientReport> check(const Program& program, const TrainingSet& data,
                             std::span<const DeviceResult> results,
                             const GradientCheckOptions& options) {
  const Result<std::vector<T>> gathered =
      Gathering<T>(program, data, results, &DeviceResult::gradient).gather();
  if (!gathered.ok()) return gathered.error();
  const std::span<const T> gradient = gathered.value();

  const ReferenceOptions wanted = {
      .steps = step_count(program),
      .updates = has_update(program),
      .parts = most_holders(program),
      .differences = affordable_differences(options.finite_differences, gradient.size(),
                                            data.row_count() * positions_per_row(data.model))};
  const Result<Reference<T>> made = make_reference<T>(data, wanted);
  if (!made.ok()) return made.error();
  const Reference<T>& reference = made.value();

  GradientReport report;
  report.losses = mean_losses(program, data, results);
  report.single_device_losses = reference.single.losses;
  report.loss = report.losses.back();
  report.single_device_loss = report.single_device_losses.back();
  report.loss_bound = reference.loss_bound;
  if (wanted.updates) {
    const Status compared = compare_parameters<T>(program, data, results, reference, report);
    if (!compared.ok()) return compared.error();
  }
  report.single_device = compare_gradients<T>(gradient, reference.single.gradient, reference.bound);
  report.hash = gradient_hash<T>(gradient);
  report.single_device_hash = gradient_hash<T>(reference.single.gradient);
  const std::size_t worst = report.single_device.worst;
  report.worst_parameter = describe_parameter(data.model, worst);
  report.worst_bound = reference.bound[worst];
  report.worst_difference = std::abs(static_cast<double>(gradient[worst]) -
                                     static_cast<double>(reference.single.gradient[worst]));
  // From the devices' gradient to that of one device, and from there to the exact one.
  std::vector<double> error_bound = reference.error_bound;
  for (std::size_t i = 0; i < error_bound.size(); ++i) error_bound[i] += reference.bound[i];
  report.finite_difference =
      compare_with_finite_differences<T>(gradient, error_bound, reference.differences);
  report.finite_differences_compared = reference.differences.taken.size();
  report.finite_differences_skipped = reference.differences.skipped.size();
  return report;
}

}  // namespace

bool GradientReport::loss_within_bound() const {
  for (std::size_t step = 0; step < losses.size(); ++step) {
    const double difference = std::abs(losses[step] - single_device_losses[step]);
    if (!(difference <= loss_bound)) return false;
  }
  return true;
}

Result<GradientReport> check_gradients(const Program& program, const TrainingSet& data,
                                       std::span<const DeviceResult> results,
                                       const GradientCheckOptions& options) {
  if (Status status = check_run(program, data); !status.ok()) return status.error();
  if (Status status = check_results(program, data, results); !status.ok()) return status.error();
  return data.precision == Precision::float32 ? check<float>(program, data, results, options)
                                              : check<double>(program, data, results, options);
}

}  // namespace lockstep
