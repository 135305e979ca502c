#include "tensor/kernels.h"

#include <cassert>
#include <cstddef>

namespace lockstep {
namespace {

/// into[i] += scale * row[i]. The one inner loop of this file: its elements are independent.
template <typename T>
void add_scaled(T scale, std::span<const T> row, std::span<T> into) {
  assert(row.size() == into.size());
  const T* __restrict from = row.data();
  T* __restrict to = into.data();
  for (std::size_t i = 0; i < into.size(); ++i) to[i] += scale * from[i];
}

}  // namespace

template <typename T>
void add_matmul(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> into) {
  assert(a.columns == b.rows && into.rows == a.rows && into.columns == b.columns);
  for (int row = 0; row < a.rows; ++row) {
    for (int inner = 0; inner < a.columns; ++inner) {
      add_scaled<T>(a.at(row, inner), b.row(inner), into.row(row));
    }
  }
}

template <typename T>
void add_matmul_transposed_left(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> into) {
  assert(a.rows == b.rows && into.rows == a.columns && into.columns == b.columns);
  for (int left = 0; left < a.columns; ++left) {
    for (int row = 0; row < a.rows; ++row) {
      add_scaled<T>(a.at(row, left), b.row(row), into.row(left));
    }
  }
}

template <typename T>
void add_matmul_transposed_right(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> into) {
  // Transposed first, so that the inner loop runs along rows of `into` and not along one sum.
  const Matrix<T> rearranged = transpose<T>(b);
  add_matmul<T>(a, rearranged, into);
}

template <typename T>
void add_column_sums(MatrixView<const T> a, std::span<T> into) {
  assert(static_cast<std::size_t>(a.columns) == into.size());
  for (int row = 0; row < a.rows; ++row) add_scaled<T>(T{1}, a.row(row), into);
}

template <typename T>
Matrix<T> transpose(MatrixView<const T> a) {
  Matrix<T> result(a.columns, a.rows);
  for (int row = 0; row < a.rows; ++row) {
    for (int column = 0; column < a.columns; ++column) result.at(column, row) = a.at(row, column);
  }
  return result;
}

template void add_matmul(MatrixView<const float>, MatrixView<const float>, MatrixView<float>);
template void add_matmul(MatrixView<const double>, MatrixView<const double>, MatrixView<double>);
template void add_matmul_transposed_left(MatrixView<const float>, MatrixView<const float>,
                                         MatrixView<float>);
template void add_matmul_transposed_left(MatrixView<const double>, MatrixView<const double>,
                                         MatrixView<double>);
template void add_matmul_transposed_right(MatrixView<const float>, MatrixView<const float>,
                                          MatrixView<float>);
template void add_matmul_transposed_right(MatrixView<const double>, MatrixView<const double>,
                                          MatrixView<double>);
template void add_column_sums(MatrixView<const float>, std::span<float>);
template void add_column_sums(MatrixView<const double>, std::span<double>);
template Matrix<float> transpose(MatrixView<const float>);
template Matrix<double> transpose(MatrixView<const double>);

}  // namespace lockstep
