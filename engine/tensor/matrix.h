// A dense row-major matrix that owns its values.
#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"

namespace lockstep {

/// Row-major values of shape (rows, columns), T being float or double; rows and columns count
/// from 0. Zero rows or columns are allowed. A matrix whose fields are set by hand must keep
/// values.size() == rows * columns.
template <typename T>
struct Matrix {
  int rows = 0;
  int columns = 0;
  std::vector<T> values;

  Matrix() = default;

  /// All zeros.
  Matrix(int row_count, int column_count)
      : rows(row_count), columns(column_count), values(place(row_count, 0)) {
    assert(row_count >= 0 && column_count >= 0);
  }

  T& at(int row_index, int column_index) { return values[place(row_index, column_index)]; }
  const T& at(int row_index, int column_index) const {
    return values[place(row_index, column_index)];
  }

  std::span<T> row(int index) { return rows_from(index, 1); }
  std::span<const T> row(int index) const { return rows_from(index, 1); }

  /// The values of `count` consecutive rows, a view into this matrix.
  std::span<T> rows_from(int first, int count) {
    assert(first >= 0 && count >= 0 && first + count <= rows);
    return std::span<T>(values).subspan(place(first, 0), place(count, 0));
  }
  std::span<const T> rows_from(int first, int count) const {
    assert(first >= 0 && count >= 0 && first + count <= rows);
    return std::span<const T>(values).subspan(place(first, 0), place(count, 0));
  }

 private:
  std::size_t place(int row_index, int column_index) const {
    assert(row_index >= 0 && row_index <= rows);
    assert(column_index >= 0 && (column_index < columns || column_index == 0));
    return static_cast<std::size_t>(row_index) * static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column_index);
  }
};

/// A copy of `count` consecutive rows: the shard of a device, or a microbatch.
template <typename T>
Matrix<T> copy_rows(const Matrix<T>& from, int first, int count) {
  Matrix<T> copy(count, from.columns);
  const std::span<const T> source = from.rows_from(first, count);
  copy.values.assign(source.begin(), source.end());
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
