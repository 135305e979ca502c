#include "device/gradient_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "device/layout.h"
#include "device/message.h"
#include "model/finite_difference.h"
#include "model/gradient.h"
#include "model/gradient_bound.h"
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
    if (!std::isfinite(result.squared_error)) {
      return Error{"not_finite", device_place(rank),
                   "the loss of " + device_place(rank) + " is not a finite number"};
    }
  }
  return fine();
}

/// The model's flat gradient, stage by stage, from the devices that hold them.
template <typename T>
class Gathering {
 public:
  Gathering(const Program& program, const TrainingSet& data, std::span<const DeviceResult> results)
      : program_(program), spec_(data.model), results_(results) {
    gradient_.resize(parameter_count(spec_));
    holder_.assign(static_cast<std::size_t>(program.stages), kNobody);
  }

  Result<std::vector<T>> gather() {
    for (std::size_t rank = 0; rank < results_.size(); ++rank) {
      const std::vector<T> values = from_bytes<T>(results_[rank].gradient);
      for (const StagePart& part : stage_parts(program_, spec_, program_.devices[rank])) {
        const std::span<const T> own = std::span(values).subspan(part.first, part.count);
        if (Status status = take(rank, part.stage, own); !status.ok()) return status.error();
      }
    }
    const auto missing = std::ranges::find(holder_, kNobody);
    if (missing == holder_.end()) return std::move(gradient_);
    const std::string stage = std::to_string(missing - holder_.begin());
    return Error{"missing_stage", "stage " + stage, "no device holds stage " + stage};
  }

 private:
  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

  Status take(std::size_t rank, int stage, std::span<const T> own) {
    const std::size_t first =
        parameter_count(spec_, 0, stage_blocks(spec_, program_.stages, stage).first);
    const std::span<T> into = std::span(gradient_).subspan(first, own.size());
    std::size_t& holder = holder_[static_cast<std::size_t>(stage)];
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::string place = device_place(rank);
      if (!std::isfinite(own[i])) {
        return Error{
            "not_finite", place,
            "on " + place + " the gradient of " + place_of(first + i) + " is not a finite number"};
      }
      if (holder == kNobody || same_bits<T>(own.subspan(i, 1), into.subspan(i, 1))) continue;
      return Error{"replicas_disagree", place,
                   place + " and " + device_place(holder) +
                       " end with different gradients, first at " + place_of(first + i) +
                       ": after an all-reduce all must have the same"};
    }
    if (holder != kNobody) return fine();
    std::ranges::copy(own, into.begin());
    holder = rank;
    return fine();
  }

  std::string place_of(std::size_t index) const { return describe(locate_parameter(spec_, index)); }

  const Program& program_;
  const MlpSpec& spec_;
  std::span<const DeviceResult> results_;
  std::vector<T> gradient_;
  std::vector<std::size_t> holder_;  ///< by stage, the rank that it was taken from
};

/// The most devices that hold the same stage: so many partial sums may be added up.
int most_holders(const Program& program) {
  std::vector<int> holders(static_cast<std::size_t>(program.stages));
  for (const DeviceProgram& device : program.devices) {
    for (const int stage : device.stages) ++holders[static_cast<std::size_t>(stage)];
  }
  return std::ranges::max(holders);
}

template <typename T>
void compare_with_single_device(std::span<const T> gradient, std::span<const T> expected,
                                const MlpSpec& spec, std::span<const double> bound,
                                GradientReport& report) {
  report.single_device = compare_gradients<T>(spec, gradient, expected, bound);
  report.hash = gradient_hash<T>(gradient);
  report.single_device_hash = gradient_hash<T>(expected);
  for (std::size_t i = 0; i < bound.size(); ++i) {
    if (locate_parameter(spec, i) != report.single_device.worst) continue;
    report.worst_bound = bound[i];
    const double devices = static_cast<double>(gradient[i]);
    report.worst_difference = std::abs(devices - static_cast<double>(expected[i]));
    break;
  }
}

template <typename T>
void compare_with_differences(std::span<const T> gradient, const Stage<T>& model,
                              const Batch<T>& batch, std::span<const double> bound,
                              std::size_t most, GradientReport& report) {
  const MlpSpec& spec = model.spec();
  const std::size_t affordable =
      kFiniteDifferenceWork / (gradient.size() * static_cast<std::size_t>(batch.inputs.rows));
  const std::size_t count = std::min(most, std::max(affordable, kFiniteDifferencesLeast));
  const FiniteDifferences differences =
      finite_differences<T>(model, batch, spread_parameters(spec, count));
  // From the devices' gradient to that of one device, and from there to the exact one.
  std::vector<double> error_bound = gradient_error_bound<T>(model, batch);
  for (std::size_t i = 0; i < bound.size(); ++i) error_bound[i] += bound[i];
  report.finite_difference =
      compare_with_finite_differences<T>(spec, gradient, error_bound, differences);
  report.finite_differences_compared = differences.taken.size();
  report.finite_differences_skipped = differences.skipped.size();
}

template <typename T>
Result<GradientReport> check(const Program& program, const TrainingSet& data,
                             std::span<const DeviceResult> results,
                             const GradientCheckOptions& options) {
  const Result<std::vector<T>> gathered = Gathering<T>(program, data, results).gather();
  if (!gathered.ok()) return gathered.error();
  const std::span<const T> gradient = gathered.value();

  const Stage<T> model(data.model, data.seed);
  const RowRange all = {0, data.row_count()};
  const Batch<T> batch = {input_rows<T>(data, all), target_rows<T>(data, all)};
  const Result<LossAndGradient<T>> single = single_device_gradient<T>(model, batch);
  if (!single.ok()) return single.error();

  GradientReport report;
  const auto elements = static_cast<double>(batch.element_count());
  double squared_error = 0;
  for (const DeviceResult& result : results) squared_error += result.squared_error;
  report.loss = squared_error / elements;
  report.single_device_loss = single.value().loss;
  // Both add the same squares, each in its own order: elements − 1 additions and, across devices,
  // one for each; then one division (Higham, Accuracy and Stability, section 4.2).
  const double roundings = elements + static_cast<double>(results.size());
  report.loss_bound = 2 * roundings * 0x1p-53 * std::max(report.loss, report.single_device_loss);

  const std::vector<double> bound = gradient_bound<T>(model, batch, most_holders(program));
  compare_with_single_device<T>(gradient, single.value().gradient, data.model, bound, report);
  compare_with_differences<T>(gradient, model, batch, bound, options.finite_differences, report);
  return report;
}

}  // namespace

bool GradientReport::loss_within_bound() const {
  return std::isfinite(loss) && std::abs(loss - single_device_loss) <= loss_bound;
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
