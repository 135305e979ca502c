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
Result<Reference<T>> of_mlp(const MlpSpec& spec, std::uint64_t seed, const Batch<T>& batch,
                            int parts, std::size_t differences) {
  const Stage<T> model(spec, seed);
  Result<LossAndGradient<T>> single = single_device_gradient<T>(model, batch);
  if (!single.ok()) return single.error();
  Reference<T> reference;
  reference.single = std::move(single).value();
  // Both add the same squares, each in its own order: elements − 1 additions and, across devices,
  // one for each; then one division (Higham, Accuracy and Stability, section 4.2).
  const double roundings = static_cast<double>(batch.element_count()) + parts;
  reference.loss_bound = 2 * roundings * 0x1p-53 * reference.single.loss;
  reference.bound = gradient_bound<T>(model, batch, parts);
  reference.error_bound = gradient_error_bound<T>(model, batch);
  reference.differences =
      finite_differences<T>(model, batch, spread_parameters(parameter_count(spec), differences));
  return reference;
}

template <typename To, typename From>
Matrix<To> converted(const Matrix<From>& from) {
  Matrix<To> to(from.rows, from.columns);
  for (std::size_t i = 0; i < to.values.size(); ++i) to.values[i] = static_cast<To>(from.values[i]);
  return to;
}

/// Loss and gradient of the whole model, on any parameters.
template <typename T>
LossAndGradient<T> whole_gradient(const GptStage<T>& model, const Batch<T>& batch) {
  const ModelSpec spec = model.spec();
  GptStash<T> stash;
  const Matrix<T> outputs = model.forward(batch.inputs, stash);
  const std::int64_t terms = batch.element_count();
  LossAndGradient<T> result;
  result.loss = add_loss<T>(spec, outputs, batch.targets, 0) / static_cast<double>(terms);
  model.backward_input(loss_gradient<T>(spec, outputs, batch.targets, terms), stash);
  result.gradient.resize(model.parameters().size());
  model.backward_weight(stash, result.gradient);
  return result;
}

double loss_of(const GptStage<double>& model, const Batch<double>& batch) {
  GptStash<double> stash;
  const Matrix<double> outputs = model.forward(batch.inputs, stash);
  return add_loss<double>(model.spec(), outputs, batch.targets, 0) /
         static_cast<double>(batch.element_count());
}

/// Two central differences, one with half the step of the other, whose common error, a multiple of
/// the step's square, is taken out (Richardson). What that changes, and the rounding of the losses,
/// is how far the derivative may be off.
FiniteDifference difference_by(GptStage<double>& model, const Batch<double>& batch,
                               std::size_t parameter) {
  constexpr double kStep = 0x1p-10;
  double& value = model.parameters()[parameter];
  const double middle = value;
  double largest_loss = 0;
  const auto slope = [&](double step) {
    value = middle + step;
    const double above = loss_of(model, batch);
    value = middle - step;
    const double below = loss_of(model, batch);
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

Status check_finite(const GptSpec& spec, double loss, std::span<const double> gradient) {
  if (!std::isfinite(loss)) {
    return Error{"not_finite", "loss", "the loss is not a finite number: use smaller parameters"};
  }
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    if (std::isfinite(gradient[i])) continue;
    const std::string where = describe_parameter(spec, i);
    return Error{"not_finite", where, "the gradient of " + where + " is not a finite number"};
  }
  return fine();
}

template <typename T>
Result<Reference<T>> of_transformer(const GptSpec& spec, std::uint64_t seed, const Batch<T>& batch,
                                    std::size_t differences) {
  const Batch<float> narrow = {converted<float>(batch.inputs), converted<float>(batch.targets)};
  const Batch<double> wide = {converted<double>(batch.inputs), converted<double>(batch.targets)};
  const GptStage<float> narrow_model(spec, seed);
  // The same parameters, so that only the arithmetic differs.
  GptStage<double> wide_model(spec, seed);
  const GptStage<T> model(spec, seed);
  std::ranges::copy(narrow_model.parameters(), wide_model.parameters().begin());
  const LossAndGradient<float> coarse = whole_gradient(narrow_model, narrow);
  const LossAndGradient<double> fine_numbers = whole_gradient(wide_model, wide);

  Reference<T> reference;
  reference.single = whole_gradient(model, batch);
  const std::vector<double> gradient(reference.single.gradient.begin(),
                                     reference.single.gradient.end());
  const Status finite = check_finite(spec, reference.single.loss, gradient);
  if (!finite.ok()) return finite.error();
  double largest = 0;
  for (std::size_t i = 0; i < coarse.gradient.size(); ++i) {
    const double difference = static_cast<double>(coarse.gradient[i]) - fine_numbers.gradient[i];
    largest = std::max(largest, std::abs(difference));
  }
  const double allowed = kRoundingAllowance * (sizeof(T) == sizeof(float) ? 1 : 0x1p-29);
  reference.bound.assign(gradient.size(), allowed * largest);
  reference.error_bound = reference.bound;
  reference.loss_bound = allowed * std::max(std::abs(coarse.loss - fine_numbers.loss),
                                            reference.single.loss * 0x1p-24);
  std::ranges::copy(model.parameters(), wide_model.parameters().begin());
  for (const std::size_t parameter : spread_parameters(gradient.size(), differences)) {
    reference.differences.taken.push_back(difference_by(wide_model, wide, parameter));
  }
  return reference;
}

}  // namespace

template <typename T>
Result<Reference<T>> make_reference(const ModelSpec& spec, std::uint64_t seed,
                                    const Batch<T>& batch, int parts, std::size_t differences) {
  if (const MlpSpec* mlp = std::get_if<MlpSpec>(&spec)) {
    return of_mlp<T>(*mlp, seed, batch, parts, differences);
  }
  return of_transformer<T>(std::get<GptSpec>(spec), seed, batch, differences);
}

template Result<Reference<float>> make_reference(const ModelSpec&, std::uint64_t,
                                                 const Batch<float>&, int, std::size_t);
template Result<Reference<double>> make_reference(const ModelSpec&, std::uint64_t,
                                                  const Batch<double>&, int, std::size_t);

}  // namespace lockstep
