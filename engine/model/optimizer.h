// Optimizers: what becomes of parameters, given their gradient. Element by element, so that any
// part of a model can be updated by itself with the same bits (sharded training).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

enum class OptimizerKind { sgd, adam };

/// The usual settings; the names and defaults are PyTorch's (torch.optim.SGD, torch.optim.AdamW).
struct OptimizerSpec {
  OptimizerKind kind = OptimizerKind::sgd;
  double learning_rate = 0.1;
  double weight_decay = 0;  ///< sgd: added to the gradient; adam: decoupled (AdamW)

  double momentum = 0;    ///< sgd
  bool nesterov = false;  ///< sgd

  double beta1 = 0.9;     ///< adam
  double beta2 = 0.999;   ///< adam
  double epsilon = 1e-8;  ///< adam
};

/// How many numbers beside the parameter an optimizer keeps for each: 0, 1 with momentum, 2 for
/// adam.
int state_count(const OptimizerSpec& spec);

/// The state of some parameters, which begins as zeros.
template <typename T>
struct OptimizerState {
  std::int64_t steps = 0;
  std::vector<T> first;   ///< momentum, or the mean of gradients; empty where there is none
  std::vector<T> second;  ///< the mean of their squares; empty where there is none

  OptimizerState(const OptimizerSpec& spec, std::size_t parameters);
};

/// One step. Each new number is computed in float64 from those of T and rounded once.
template <typename T>
void update(const OptimizerSpec& spec, std::span<const T> gradient, std::span<T> parameters,
            OptimizerState<T>& state);

}  // namespace lockstep
