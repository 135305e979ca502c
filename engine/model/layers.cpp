#include "model/layers.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "tensor/kernels.h"

namespace lockstep {

template <typename T>
Matrix<T> linear_forward(MatrixView<const T> x, MatrixView<const T> weight,
                         std::span<const T> bias) {
  Matrix<T> y(x.rows, weight.rows);
  for (int row = 0; row < y.rows; ++row) std::ranges::copy(bias, y.row(row).begin());
  add_matmul_transposed_right<T>(x, weight, y);
  return y;
}

template <typename T>
Matrix<T> linear_backward_input(MatrixView<const T> dy, MatrixView<const T> weight) {
  Matrix<T> dx(dy.rows, weight.columns);
  add_matmul<T>(dy, weight, dx);
  return dx;
}

template <typename T>
void linear_backward_weight(MatrixView<const T> x, MatrixView<const T> dy,
                            MatrixView<T> weight_gradient, std::span<T> bias_gradient) {
  add_matmul_transposed_left<T>(dy, x, weight_gradient);
  add_column_sums<T>(dy, bias_gradient);
}

template <typename T>
void relu_forward(MatrixView<T> values) {
  // "<" and not "<=": of the latter LLVM 19 makes a WebAssembly pmax, which takes -0 for above 0.
  for (T& value : values.values) value = value < T{0} ? T{0} : value;
}

template <typename T>
void relu_backward(MatrixView<const T> output, MatrixView<T> gradient) {
  assert(output.rows == gradient.rows && output.columns == gradient.columns);
  for (std::size_t i = 0; i < output.values.size(); ++i) {
    if (output.values[i] == T{0}) gradient.values[i] = T{0};
  }
}

template <typename T>
double add_squared_error(MatrixView<const T> outputs, MatrixView<const T> targets, double sum) {
  assert(outputs.rows == targets.rows && outputs.columns == targets.columns);
  for (std::size_t i = 0; i < outputs.values.size(); ++i) {
    const double difference =
        static_cast<double>(outputs.values[i]) - static_cast<double>(targets.values[i]);
    sum += difference * difference;
  }
  return sum;
}

template <typename T>
Matrix<T> squared_error_gradient(MatrixView<const T> outputs, MatrixView<const T> targets,
                                 std::int64_t divisor) {
  assert(outputs.rows == targets.rows && outputs.columns == targets.columns);
  assert(divisor >= 1 && divisor <= (std::int64_t{1} << 53));
  Matrix<T> gradient(outputs.rows, outputs.columns);
  for (std::size_t i = 0; i < outputs.values.size(); ++i) {
    const T difference = outputs.values[i] - targets.values[i];
    // Divided in float64, because a float32 cannot hold every divisor.
    gradient.values[i] =
        static_cast<T>(2 * static_cast<double>(difference) / static_cast<double>(divisor));
  }
  return gradient;
}

template Matrix<float> linear_forward(MatrixView<const float>, MatrixView<const float>,
                                      std::span<const float>);
template Matrix<float> linear_backward_input(MatrixView<const float>, MatrixView<const float>);
template void linear_backward_weight(MatrixView<const float>, MatrixView<const float>,
                                     MatrixView<float>, std::span<float>);
template void relu_forward(MatrixView<float>);
template void relu_backward(MatrixView<const float>, MatrixView<float>);
template double add_squared_error(MatrixView<const float>, MatrixView<const float>, double);
template Matrix<float> squared_error_gradient(MatrixView<const float>, MatrixView<const float>,
                                              std::int64_t);

template Matrix<double> linear_forward(MatrixView<const double>, MatrixView<const double>,
                                       std::span<const double>);
template Matrix<double> linear_backward_input(MatrixView<const double>, MatrixView<const double>);
template void linear_backward_weight(MatrixView<const double>, MatrixView<const double>,
                                     MatrixView<double>, std::span<double>);
template void relu_forward(MatrixView<double>);
template void relu_backward(MatrixView<const double>, MatrixView<double>);
template double add_squared_error(MatrixView<const double>, MatrixView<const double>, double);
template Matrix<double> squared_error_gradient(MatrixView<const double>, MatrixView<const double>,
                                               std::int64_t);

}  // namespace lockstep
