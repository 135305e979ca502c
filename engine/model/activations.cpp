#include "model/activations.h"

#include <cassert>
#include <cstddef>

#include "core/math.h"

namespace lockstep {
namespace {

constexpr double kRootHalf = 0x1.6a09e667f3bcdp-1;          // √(1/2)
constexpr double kRootTwoOverPi = 0x1.9884533d43651p-1;     // √(2/π)
constexpr double kRootOneOverTwoPi = 0x1.9884533d43651p-2;  // √(1/(2π))
constexpr double kCubic = 0.044715;

/// A function's value at a point and its slope there.
struct Point {
  double value;
  double slope;
};

Point gelu_erf(double x) {
  const double share = 0.5 * (1 + math::erf(x * kRootHalf));  // Φ(x)
  const double density = kRootOneOverTwoPi * math::exp(-0.5 * x * x);
  return {x * share, share + x * density};
}

Point gelu_tanh(double x) {
  const double tanh = math::tanh(kRootTwoOverPi * (x + kCubic * x * x * x));
  const double inner_slope = kRootTwoOverPi * (1 + 3 * kCubic * x * x);
  return {0.5 * x * (1 + tanh), 0.5 * (1 + tanh) + 0.5 * x * (1 - tanh * tanh) * inner_slope};
}

Point silu(double x) {
  const double sigmoid = 1 / (1 + math::exp(-x));
  return {x * sigmoid, sigmoid * (1 + x * (1 - sigmoid))};
}

Point at(Activation activation, double x) {
  switch (activation) {
    case Activation::gelu_erf:
      return gelu_erf(x);
    case Activation::gelu_tanh:
      return gelu_tanh(x);
    case Activation::silu:
      return silu(x);
  }
  return {};
}

template <typename T>
Matrix<T> product(const Matrix<T>& a, const Matrix<T>& b) {
  assert(a.rows == b.rows && a.columns == b.columns);
  Matrix<T> result = a;
  for (std::size_t i = 0; i < result.values.size(); ++i) result.values[i] *= b.values[i];
  return result;
}

}  // namespace

template <typename T>
Matrix<T> activation_forward(Activation activation, const Matrix<T>& x) {
  Matrix<T> y(x.rows, x.columns);
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    y.values[i] = static_cast<T>(at(activation, static_cast<double>(x.values[i])).value);
  }
  return y;
}

template <typename T>
Matrix<T> activation_backward(Activation activation, const Matrix<T>& x, const Matrix<T>& dy) {
  assert(x.rows == dy.rows && x.columns == dy.columns);
  Matrix<T> dx(x.rows, x.columns);
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const double slope = at(activation, static_cast<double>(x.values[i])).slope;
    dx.values[i] = static_cast<T>(static_cast<double>(dy.values[i]) * slope);
  }
  return dx;
}

template <typename T>
Matrix<T> gated_forward(Activation activation, const Matrix<T>& gate, const Matrix<T>& up) {
  return product(activation_forward(activation, gate), up);
}

template <typename T>
GatedGradients<T> gated_backward(Activation activation, const Matrix<T>& gate, const Matrix<T>& up,
                                 const Matrix<T>& dy) {
  return {activation_backward(activation, gate, product(dy, up)),
          product(dy, activation_forward(activation, gate))};
}

template Matrix<float> gated_forward(Activation, const Matrix<float>&, const Matrix<float>&);
template Matrix<double> gated_forward(Activation, const Matrix<double>&, const Matrix<double>&);
template GatedGradients<float> gated_backward(Activation, const Matrix<float>&,
                                              const Matrix<float>&, const Matrix<float>&);
template GatedGradients<double> gated_backward(Activation, const Matrix<double>&,
                                               const Matrix<double>&, const Matrix<double>&);
template Matrix<float> activation_forward(Activation, const Matrix<float>&);
template Matrix<double> activation_forward(Activation, const Matrix<double>&);
template Matrix<float> activation_backward(Activation, const Matrix<float>&, const Matrix<float>&);
template Matrix<double> activation_backward(Activation, const Matrix<double>&,
                                            const Matrix<double>&);

}  // namespace lockstep
