#include "model/reference.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "model/gradient_bound.h"
#include "model/model_stage.h"

namespace lockstep {
namespace {

template <typename T>
Batch<T> batch_of(const TrainingSet& set, int step) {
  const RowRange all = {0, set.row_count()};
  return {input_rows<T>(set, all, step), target_rows<T>(set, all, step)};
}

template <typename T>
Result<Reference<T>> proved(const MlpSpec& spec, const TrainingSet& set,
                            const ReferenceOptions& options) {
  const Stage<T> model(spec, set.seed);
  const Batch<T> batch = batch_of<T>(set, 0);
  const Result<LossAndGradient<T>> single = single_device_gradient<T>(model, batch);
  if (!single.ok()) return single.error();
  Reference<T> reference;
  reference.single = {{single.value().loss}, single.value().gradient, {}};
  // Both add the same squares, each in its own order: elements − 1 additions and, across devices,
  // one for each; then one division (Higham, Accuracy and Stability, section 4.2).
  const double roundings = static_cast<double>(batch.element_count()) + options.parts;
  reference.loss_bound = 2 * roundings * 0x1p-53 * single.value().loss;
  reference.bound = gradient_bound<T>(model, batch, options.parts);
  reference.error_bound = gradient_error_bound<T>(model, batch);
  reference.differences = finite_differences<T>(
      model, batch, spread_parameters(parameter_count(spec), options.differences));
  return reference;
}

/// Numbers of a float32 may be asked of a float64, so that both start alike.
template <typename T, typename Start>
ModelStage<T> model_with(const TrainingSet& set, const ModelStage<Start>& start) {
  ModelStage<T> model(set.model, set.seed);
  std::ranges::transform(start.parameters(), model.parameters().begin(),
                         [](Start value) { return static_cast<T>(value); });
  return model;
}

/// Trains the whole model on one device.
template <typename T>
Training<T> train(const TrainingSet& set, ModelStage<T> model, const ReferenceOptions& options) {
  OptimizerState<T> state(set.optimizer, model.parameters().size());
  const std::int64_t terms = loss_terms(set.model, set.row_count());
  Training<T> result;
  for (int step = 0; step < options.steps; ++step) {
    const Batch<T> batch = batch_of<T>(set, step);
    ModelStash<T> stash;
    const Matrix<T> outputs = model.forward(batch.inputs, stash);
    const double sum = add_loss<T>(set.model, outputs, batch.targets, 0);
    result.losses.push_back(sum / static_cast<double>(terms));
    model.backward_input(loss_gradient<T>(set.model, outputs, batch.targets, terms), stash);
    result.gradient.assign(model.parameters().size(), T{0});
    model.backward_weight(stash, result.gradient);
    if (options.updates) {
      update<T>(set.optimizer, result.gradient, model.parameters(), state);
    }
  }
  result.parameters.assign(model.parameters().begin(), model.parameters().end());
  return result;
}

double loss_of(const ModelStage<double>& model, const ModelSpec& spec, const Batch<double>& batch,
               std::int64_t terms) {
  ModelStash<double> stash;
  const Matrix<double> outputs = model.forward(batch.inputs, stash);
  return add_loss<double>(spec, outputs, batch.targets, 0) / static_cast<double>(terms);
}

/// Two central differences, one with half the step of the other, whose common error, a multiple of
/// the step's square, is taken out (Richardson). What that changes, and the rounding of the losses,
/// is how far the derivative may be off.
FiniteDifference difference_by(ModelStage<double>& model, const ModelSpec& spec,
                               const Batch<double>& batch, std::int64_t terms,
                               std::size_t parameter) {
  constexpr double kStep = 0x1p-10;
  double& value = model.parameters()[parameter];
  const double middle = value;
  double largest_loss = 0;
  const auto slope = [&](double step) {
    value = middle + step;
    const double above = loss_of(model, spec, batch, terms);
    value = middle - step;
    const double below = loss_of(model, spec, batch, terms);
    value = middle;
    largest_loss = std::max({largest_loss, above, below});
    return (above - below) / (2 * step);
  };
  const double wide = slope(kStep);
  const double narrow = slope(kStep / 2);
  return {.parameter = parameter,
          .derivative = (4 * narrow - wide) / 3,
          .tolerance = std::abs(narrow - wide) / 8 + largest_loss * 0x1p-46 / kStep,
          .step = kStep};
}

template <typename T>
Status check_finite(const ModelSpec& spec, const Training<T>& training) {
  for (std::size_t step = 0; step < training.losses.size(); ++step) {
    if (std::isfinite(training.losses[step])) continue;
    return Error{"not_finite", "loss",
                 "the loss of step " + std::to_string(step) +
                     " is not a finite number: use a smaller learning rate or smaller parameters"};
  }
  for (std::size_t i = 0; i < training.gradient.size(); ++i) {
    if (std::isfinite(training.gradient[i]) && std::isfinite(training.parameters[i])) continue;
    const std::string where = describe_parameter(spec, i);
    return Error{"not_finite", where, "the gradient of " + where + " is not a finite number"};
  }
  return fine();
}

template <typename A, typename B>
double largest_difference(const std::vector<A>& a, const std::vector<B>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  }
  return largest;
}

/// The largest number, at the size of a rounding to float32.
template <typename T>
double rounding_of(const std::vector<T>& values) {
  return 0x1p-24 * largest_difference(values, std::vector<T>(values.size()));
}

template <typename T>
Result<Reference<T>> measured(const TrainingSet& set, const ReferenceOptions& options) {
  const ModelStage<float> start(set.model, set.seed);
  const Training<float> narrow = train<float>(set, start, options);
  const Training<double> wide = train<double>(set, model_with<double>(set, start), options);
  Reference<T> reference;
  reference.single = train<T>(set, ModelStage<T>(set.model, set.seed), options);
  const Training<T>& single = reference.single;
  if (Status status = check_finite(set.model, single); !status.ok()) return status.error();

  const double allowed = kRoundingAllowance * (sizeof(T) == sizeof(float) ? 1 : 0x1p-29);
  const auto bound_of = [allowed](const auto& coarse, const auto& exact) {
    return allowed * std::max(largest_difference(coarse, exact), rounding_of(exact));
  };
  reference.loss_bound = bound_of(narrow.losses, wide.losses);
  reference.bound.assign(single.gradient.size(), bound_of(narrow.gradient, wide.gradient));
  reference.error_bound = reference.bound;
  reference.parameter_bound = bound_of(narrow.parameters, wide.parameters);
  if (options.updates) return reference;

  const ModelStage<T> own(set.model, set.seed);
  ModelStage<double> model = model_with<double>(set, own);
  const Batch<double> batch = batch_of<double>(set, 0);
  const std::int64_t terms = loss_terms(set.model, set.row_count());
  for (const std::size_t parameter :
       spread_parameters(single.gradient.size(), options.differences)) {
    reference.differences.taken.push_back(difference_by(model, set.model, batch, terms, parameter));
  }
  return reference;
}

}  // namespace

template <typename T>
Result<Reference<T>> make_reference(const TrainingSet& set, const ReferenceOptions& options) {
  const MlpSpec* mlp = std::get_if<MlpSpec>(&set.model);
  if (mlp != nullptr && !options.updates) return proved<T>(*mlp, set, options);
  return measured<T>(set, options);
}

template Result<Reference<float>> make_reference(const TrainingSet&, const ReferenceOptions&);
template Result<Reference<double>> make_reference(const TrainingSet&, const ReferenceOptions&);

}  // namespace lockstep
