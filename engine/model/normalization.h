// Normalisation of each row. Sums along a row run in float64; results are rounded to T once.
#pragma once

#include <span>

#include "tensor/matrix.h"

namespace lockstep {

/// (x − mean) / √(variance + epsilon) · weight + bias, row by row, with the variance that divides
/// by the number of columns (Ba et al. 2016); weight and bias have x.columns elements.
template <typename T>
Matrix<T> layer_norm_forward(const Matrix<T>& x, std::span<const T> weight, std::span<const T> bias,
                             double epsilon);

/// The gradient of the loss by x, given that by the result.
template <typename T>
Matrix<T> layer_norm_backward_input(const Matrix<T>& x, std::span<const T> weight, double epsilon,
                                    const Matrix<T>& dy);

/// Continues the gradient sums by weight and bias, row by row.
template <typename T>
void layer_norm_backward_weight(const Matrix<T>& x, double epsilon, const Matrix<T>& dy,
                                std::span<T> weight_gradient, std::span<T> bias_gradient);

/// x / √(mean of squares + epsilon) · weight, row by row (Zhang and Sennrich 2019).
template <typename T>
Matrix<T> rms_norm_forward(const Matrix<T>& x, std::span<const T> weight, double epsilon);

template <typename T>
Matrix<T> rms_norm_backward_input(const Matrix<T>& x, std::span<const T> weight, double epsilon,
                                  const Matrix<T>& dy);

template <typename T>
void rms_norm_backward_weight(const Matrix<T>& x, double epsilon, const Matrix<T>& dy,
                              std::span<T> weight_gradient);

}  // namespace lockstep
