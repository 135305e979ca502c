// The layers of the model and its loss, as functions on matrices.
//
// Rows are examples. A layer's backward work is in two parts, so that a schedule may delay the
// second: backward_input (wanted by the stage before) and backward_weight (wanted by the
// optimizer).
#pragma once

#include <cstdint>
#include <span>

#include "tensor/matrix.h"

namespace lockstep {

/// x · weightᵀ + bias, summed from the bias on; x (rows, in), weight (out, in), bias (out),
/// result (rows, out). PyTorch's torch.nn.functional.linear.
template <typename T>
Matrix<T> linear_forward(MatrixView<const T> x, MatrixView<const T> weight,
                         std::span<const T> bias);

/// The gradient of the loss by x: dy · weight; dy (rows, out), result (rows, in).
template <typename T>
Matrix<T> linear_backward_input(MatrixView<const T> dy, MatrixView<const T> weight);

/// Continues the gradient sums by weight (+= dyᵀ · x) and bias (+= column sums of dy), row by row.
template <typename T>
void linear_backward_weight(MatrixView<const T> x, MatrixView<const T> dy,
                            MatrixView<T> weight_gradient, std::span<T> bias_gradient);

/// Replaces what is below 0 by 0; -0 stays -0, and a NaN stays so that it is found later.
template <typename T>
void relu_forward(MatrixView<T> values);

/// Replaces `gradient` by 0 where the relu's output is 0 or -0: at 0 the slope is taken as 0.
template <typename T>
void relu_backward(MatrixView<const T> output, MatrixView<T> gradient);

/// Continues `sum` by (output - target)² of every element, row by row, in float64. Divided by the
/// number of elements of the whole batch it is the mean-squared error.
template <typename T>
double add_squared_error(MatrixView<const T> outputs, MatrixView<const T> targets, double sum);

/// The gradient of Σ (output - target)² / divisor by the outputs: 2 (output - target) / divisor,
/// the difference rounded to T, the quotient to float64 and then to T. The divisor is the number of
/// elements of the *whole* batch, also for the gradient of a microbatch or shard; it is in 1 …
/// 2^53.
template <typename T>
Matrix<T> squared_error_gradient(MatrixView<const T> outputs, MatrixView<const T> targets,
                                 std::int64_t divisor);

}  // namespace lockstep
