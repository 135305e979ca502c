#include "model/optimizer.h"

#include <cassert>
#include <cmath>
#include <cstddef>

#include "core/math.h"

namespace lockstep {
namespace {

/// θ ← θ − lr · v, with v ← momentum · v + g from the second step on, and g + momentum · v in v's
/// place with Nesterov's momentum (Sutskever et al. 2013).
template <typename T>
void sgd(const OptimizerSpec& spec, std::span<const T> gradient, std::span<T> parameters,
         OptimizerState<T>& state) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double parameter = static_cast<double>(parameters[i]);
    const double slope = static_cast<double>(gradient[i]) + spec.weight_decay * parameter;
    double direction = slope;
    if (spec.momentum != 0) {
      T& velocity = state.first[i];
      velocity = static_cast<T>(
          state.steps == 1 ? slope : spec.momentum * static_cast<double>(velocity) + slope);
      direction = static_cast<double>(velocity);
      if (spec.nesterov) direction = slope + spec.momentum * direction;
    }
    parameters[i] = static_cast<T>(parameter - spec.learning_rate * direction);
  }
}

/// Kingma and Ba 2015, with the decay of Loshchilov and Hutter 2019.
template <typename T>
void adam(const OptimizerSpec& spec, std::span<const T> gradient, std::span<T> parameters,
          OptimizerState<T>& state) {
  const auto steps = static_cast<double>(state.steps);
  const double first_share = 1 - math::pow(spec.beta1, steps);
  const double second_share = 1 - math::pow(spec.beta2, steps);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double slope = static_cast<double>(gradient[i]);
    T& first = state.first[i];
    T& second = state.second[i];
    first = static_cast<T>(spec.beta1 * static_cast<double>(first) + (1 - spec.beta1) * slope);
    second =
        static_cast<T>(spec.beta2 * static_cast<double>(second) + (1 - spec.beta2) * slope * slope);
    const double mean = static_cast<double>(first) / first_share;
    const double size = std::sqrt(static_cast<double>(second) / second_share) + spec.epsilon;
    const double decayed =
        static_cast<double>(parameters[i]) * (1 - spec.learning_rate * spec.weight_decay);
    parameters[i] = static_cast<T>(decayed - spec.learning_rate * mean / size);
  }
}

}  // namespace

int state_count(const OptimizerSpec& spec) {
  if (spec.kind == OptimizerKind::adam) return 2;
  return spec.momentum != 0 ? 1 : 0;
}

template <typename T>
OptimizerState<T>::OptimizerState(const OptimizerSpec& spec, std::size_t parameters)
    : first(state_count(spec) >= 1 ? parameters : 0),
      second(state_count(spec) >= 2 ? parameters : 0) {}

template <typename T>
void update(const OptimizerSpec& spec, std::span<const T> gradient, std::span<T> parameters,
            OptimizerState<T>& state) {
  assert(gradient.size() == parameters.size());
  ++state.steps;
  if (spec.kind == OptimizerKind::adam) {
    adam(spec, gradient, parameters, state);
  } else {
    sgd(spec, gradient, parameters, state);
  }
}

template struct OptimizerState<float>;
template struct OptimizerState<double>;
template void update(const OptimizerSpec&, std::span<const float>, std::span<float>,
                     OptimizerState<float>&);
template void update(const OptimizerSpec&, std::span<const double>, std::span<double>,
                     OptimizerState<double>&);

}  // namespace lockstep
