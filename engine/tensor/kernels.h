// Matrix products with one fixed order of summation.
//
// Every kernel *continues* the sums that `into` holds: each element of `into` gets its products
// added one by one, in ascending order of the summation index, each product rounded before it is
// added. An element's bits therefore depend on nothing but its own row and column of factors:
// not on the number of rows, the SIMD width, the compiler or the platform. Two products run after
// each other into the same sums give bit for bit what one product over the joined rows gives, so
// gradients accumulated over microbatches equal those of the whole batch.
//
// Inner loops run over independent elements of `into`, so compilers vectorise them without being
// allowed to reorder a sum. Factors and `into` must not overlap; shapes are asserted. T is float or
// double and is named in the call, `add_matmul<T>(a, b, into)`, so that a Matrix serves as a view.
#pragma once

#include <span>

#include "tensor/matrix.h"

namespace lockstep {

/// into += a · b, with a (rows, inner), b (inner, columns), into (rows, columns); sums over inner.
template <typename T>
void add_matmul(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> into);

/// into += aᵀ · b, with a (rows, left), b (rows, right), into (left, right); sums over the rows,
/// first row first.
template <typename T>
void add_matmul_transposed_left(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> into);

/// into += a · bᵀ, with a (rows, inner), b (columns, inner), into (rows, columns); sums over inner.
template <typename T>
void add_matmul_transposed_right(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> into);

/// into[c] += Σ over the rows of a[row][c], first row first; into has a.columns elements.
template <typename T>
void add_column_sums(MatrixView<const T> a, std::span<T> into);

/// A new matrix of shape (a.columns, a.rows).
template <typename T>
Matrix<T> transpose(MatrixView<const T> a);

}  // namespace lockstep
