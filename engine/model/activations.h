// Activation functions, element by element. Each element is computed in float64 and rounded to T
// once.
#pragma once

#include "tensor/matrix.h"

namespace lockstep {

enum class Activation {
  gelu_erf,   ///< x Φ(x) (Hendrycks and Gimpel 2016)
  gelu_tanh,  ///< its approximation x/2 (1 + tanh(√(2/π) (x + 0.044715 x³)))
  silu,       ///< x / (1 + e^-x)
};

/// The activation of every element of x.
template <typename T>
Matrix<T> activation_forward(Activation activation, const Matrix<T>& x);

/// The gradient of the loss by x, given that by the activations, of the same shape.
template <typename T>
Matrix<T> activation_backward(Activation activation, const Matrix<T>& x, const Matrix<T>& dy);

/// Gated units (Shazeer 2020): activation(gate) · up, element by element.
template <typename T>
Matrix<T> gated_forward(Activation activation, const Matrix<T>& gate, const Matrix<T>& up);

template <typename T>
struct GatedGradients {
  Matrix<T> gate;
  Matrix<T> up;
};

/// The gradients by both, given that by the units.
template <typename T>
GatedGradients<T> gated_backward(Activation activation, const Matrix<T>& gate, const Matrix<T>& up,
                                 const Matrix<T>& dy);

}  // namespace lockstep
