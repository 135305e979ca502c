// Dense row-major matrices: one that owns its values, and a view of values owned elsewhere.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/result.h"

namespace lockstep {

template <typename T>
struct Matrix;

/// Row-major values that something else owns and that must outlive the view: a Matrix, or a part
/// of a model's flat parameters. MatrixView<const T> reads, MatrixView<T> also writes.
template <typename T>
struct MatrixView {
  using Value = std::remove_const_t<T>;
  using Owner = std::conditional_t<std::is_const_v<T>, const Matrix<Value>, Matrix<Value>>;

  int rows = 0;
  int columns = 0;
  std::span<T> values;

  MatrixView(int row_count, int column_count, std::span<T> row_major)
      : rows(row_count), columns(column_count), values(row_major) {
    assert(rows >= 0 && columns >= 0 && values.size() == place(rows, 0));
  }
  MatrixView(Owner& owner) : MatrixView(owner.rows, owner.columns, owner.values) {}

  T& at(int row_index, int column_index) const {
    assert(row_index >= 0 && row_index < rows && column_index >= 0 && column_index < columns);
    return values[place(row_index, column_index)];
  }
  std::span<T> row(int index) const { return rows_from(index, 1).values; }

  /// A view of `count` consecutive rows.
  MatrixView rows_from(int first, int count) const {
    assert(first >= 0 && count >= 0 && first <= rows - count);
    return {count, columns, values.subspan(place(first, 0), place(count, 0))};
  }

 private:
  std::size_t place(int row_index, int column_index) const {
    return static_cast<std::size_t>(row_index) * static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column_index);
  }
};

/// A row-major matrix that owns its values; T is float or double, rows and columns count from 0 and
/// may be none. Whoever sets the fields by hand keeps values.size() == rows * columns.
template <typename T>
struct Matrix {
  int rows = 0;
  int columns = 0;
  std::vector<T> values;

  Matrix() = default;

  /// All zeros.
  Matrix(int row_count, int column_count)
      : rows(row_count),
        columns(column_count),
        values(static_cast<std::size_t>(row_count) * static_cast<std::size_t>(column_count)) {
    assert(row_count >= 0 && column_count >= 0);
  }

  T& at(int row_index, int column_index) {
    return MatrixView<T>(*this).at(row_index, column_index);
  }
  const T& at(int row_index, int column_index) const {
    return MatrixView<const T>(*this).at(row_index, column_index);
  }
  std::span<T> row(int index) { return MatrixView<T>(*this).row(index); }
  std::span<const T> row(int index) const { return MatrixView<const T>(*this).row(index); }
};

/// A copy of `count` consecutive rows: the shard of a device, or a microbatch.
template <typename T>
Matrix<T> copy_rows(const Matrix<T>& from, int first, int count) {
  Matrix<T> copy(count, from.columns);
  std::ranges::copy(MatrixView<const T>(from).rows_from(first, count).values, copy.values.begin());
  return copy;
}

/// Whether both hold the same numbers bit for bit: 0 and -0 differ, a NaN equals itself.
template <typename T>
bool same_bits(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

/// Refuses NaN and infinity; the error (`not_finite`) names the place: "inputs row 3, column 2".
template <typename T>
Status check_finite(const Matrix<T>& matrix, const std::string& name) {
  for (int row = 0; row < matrix.rows; ++row) {
    for (int column = 0; column < matrix.columns; ++column) {
      if (std::isfinite(matrix.at(row, column))) continue;
      const std::string where =
          name + " row " + std::to_string(row) + ", column " + std::to_string(column);
      return Error{"not_finite", where,
                   where + " is not a finite number: replace the NaN or infinity there"};
    }
  }
  return fine();
}

}  // namespace lockstep
