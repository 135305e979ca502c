#include "model/rounding.h"

#include <cstddef>
#include <utility>

#include "model/layers.h"

namespace lockstep {

template <typename T>
Matrix<double> magnitudes(MatrixView<const T> matrix) {
  Matrix<double> result(matrix.rows, matrix.columns);
  for (std::size_t i = 0; i < matrix.values.size(); ++i) {
    result.values[i] = static_cast<double>(std::abs(matrix.values[i]));
  }
  return result;
}

template <typename T>
Approximate<T> approximate_linear(const Approximate<T>& x, MatrixView<const T> weight,
                                  std::span<const T> bias) {
  const Matrix<double> weight_sizes = magnitudes<T>(weight);
  Matrix<double> terms(x.values.rows, weight.rows);
  for (int row = 0; row < terms.rows; ++row) {
    for (int column = 0; column < terms.columns; ++column) {
      terms.at(row, column) =
          static_cast<double>(std::abs(bias[static_cast<std::size_t>(column)])) +
          underflow_allowance<T>(weight.columns);
    }
  }
  add_matmul_transposed_right<double>(magnitudes<T>(x.values), weight_sizes, terms);
  Matrix<double> errors(terms.rows, terms.columns);
  add_matmul_transposed_right<double>(x.errors, weight_sizes, errors);
  for (std::size_t i = 0; i < errors.values.size(); ++i) {
    errors.values[i] =
        (errors.values[i] + rounding_share<T>(weight.columns + 1) * terms.values[i]) * kBoundSlack;
  }
  return {linear_forward<T>(x.values, weight, bias), std::move(errors)};
}

template Matrix<double> magnitudes(MatrixView<const float>);
template Matrix<double> magnitudes(MatrixView<const double>);
template Approximate<float> approximate_linear(const Approximate<float>&, MatrixView<const float>,
                                               std::span<const float>);
template Approximate<double> approximate_linear(const Approximate<double>&,
                                                MatrixView<const double>, std::span<const double>);

}  // namespace lockstep
