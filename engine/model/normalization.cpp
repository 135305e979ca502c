#include "model/normalization.h"

#include <cassert>
#include <cmath>
#include <cstddef>

namespace lockstep {
namespace {

enum class Centre { mean, zero };

/// A row's elements are (x − mean) · scale before weight and bias.
struct RowScale {
  double mean = 0;
  double scale = 1;

  template <typename T>
  double normalized(T x) const {
    return (static_cast<double>(x) - mean) * scale;
  }
};

template <typename T>
RowScale scale_of(std::span<const T> row, double epsilon, Centre centre) {
  const auto count = static_cast<double>(row.size());
  RowScale result;
  if (centre == Centre::mean) {
    for (const T x : row) result.mean += static_cast<double>(x);
    result.mean /= count;
  }
  double squares = 0;
  for (const T x : row) {
    const double difference = static_cast<double>(x) - result.mean;
    squares += difference * difference;
  }
  result.scale = 1 / std::sqrt(squares / count + epsilon);
  return result;
}

template <typename T>
Matrix<T> forward(const Matrix<T>& x, std::span<const T> weight, std::span<const T> bias,
                  double epsilon, Centre centre) {
  assert(weight.size() == static_cast<std::size_t>(x.columns));
  Matrix<T> y(x.rows, x.columns);
  for (int row = 0; row < x.rows; ++row) {
    const RowScale scale = scale_of<T>(x.row(row), epsilon, centre);
    for (std::size_t i = 0; i < weight.size(); ++i) {
      const double offset = bias.empty() ? 0 : static_cast<double>(bias[i]);
      y.row(row)[i] =
          static_cast<T>(scale.normalized(x.row(row)[i]) * static_cast<double>(weight[i]) + offset);
    }
  }
  return y;
}

/// With n the normalised elements and g = dy · weight: dx = scale · (g − mean(g) − n · mean(g ·
/// n)), where mean(g) is left out if nothing was subtracted.
template <typename T>
Matrix<T> backward_input(const Matrix<T>& x, std::span<const T> weight, double epsilon,
                         const Matrix<T>& dy, Centre centre) {
  Matrix<T> dx(x.rows, x.columns);
  const auto count = static_cast<double>(x.columns);
  for (int row = 0; row < x.rows; ++row) {
    const RowScale scale = scale_of<T>(x.row(row), epsilon, centre);
    const auto by_normalized = [&](std::size_t i) {
      return static_cast<double>(dy.row(row)[i]) * static_cast<double>(weight[i]);
    };
    double sum = 0;
    double products = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) {
      if (centre == Centre::mean) sum += by_normalized(i);
      products += by_normalized(i) * scale.normalized(x.row(row)[i]);
    }
    for (std::size_t i = 0; i < weight.size(); ++i) {
      const double along = scale.normalized(x.row(row)[i]) * (products / count);
      dx.row(row)[i] = static_cast<T>(scale.scale * (by_normalized(i) - sum / count - along));
    }
  }
  return dx;
}

template <typename T>
void backward_weight(const Matrix<T>& x, double epsilon, const Matrix<T>& dy,
                     std::span<T> weight_gradient, std::span<T> bias_gradient, Centre centre) {
  assert(weight_gradient.size() == static_cast<std::size_t>(x.columns));
  for (int row = 0; row < x.rows; ++row) {
    const RowScale scale = scale_of<T>(x.row(row), epsilon, centre);
    for (std::size_t i = 0; i < weight_gradient.size(); ++i) {
      const double gradient = static_cast<double>(dy.row(row)[i]);
      weight_gradient[i] += static_cast<T>(gradient * scale.normalized(x.row(row)[i]));
      if (!bias_gradient.empty()) bias_gradient[i] += dy.row(row)[i];
    }
  }
}

}  // namespace

template <typename T>
Matrix<T> layer_norm_forward(const Matrix<T>& x, std::span<const T> weight, std::span<const T> bias,
                             double epsilon) {
  assert(bias.size() == weight.size());
  return forward<T>(x, weight, bias, epsilon, Centre::mean);
}

template <typename T>
Matrix<T> layer_norm_backward_input(const Matrix<T>& x, std::span<const T> weight, double epsilon,
                                    const Matrix<T>& dy) {
  return backward_input<T>(x, weight, epsilon, dy, Centre::mean);
}

template <typename T>
void layer_norm_backward_weight(const Matrix<T>& x, double epsilon, const Matrix<T>& dy,
                                std::span<T> weight_gradient, std::span<T> bias_gradient) {
  assert(bias_gradient.size() == weight_gradient.size());
  backward_weight<T>(x, epsilon, dy, weight_gradient, bias_gradient, Centre::mean);
}

template <typename T>
Matrix<T> rms_norm_forward(const Matrix<T>& x, std::span<const T> weight, double epsilon) {
  return forward<T>(x, weight, {}, epsilon, Centre::zero);
}

template <typename T>
Matrix<T> rms_norm_backward_input(const Matrix<T>& x, std::span<const T> weight, double epsilon,
                                  const Matrix<T>& dy) {
  return backward_input<T>(x, weight, epsilon, dy, Centre::zero);
}

template <typename T>
void rms_norm_backward_weight(const Matrix<T>& x, double epsilon, const Matrix<T>& dy,
                              std::span<T> weight_gradient) {
  backward_weight<T>(x, epsilon, dy, weight_gradient, {}, Centre::zero);
}

template Matrix<float> layer_norm_forward(const Matrix<float>&, std::span<const float>,
                                          std::span<const float>, double);
template Matrix<float> layer_norm_backward_input(const Matrix<float>&, std::span<const float>,
                                                 double, const Matrix<float>&);
template void layer_norm_backward_weight(const Matrix<float>&, double, const Matrix<float>&,
                                         std::span<float>, std::span<float>);
template Matrix<float> rms_norm_forward(const Matrix<float>&, std::span<const float>, double);
template Matrix<float> rms_norm_backward_input(const Matrix<float>&, std::span<const float>, double,
                                               const Matrix<float>&);
template void rms_norm_backward_weight(const Matrix<float>&, double, const Matrix<float>&,
                                       std::span<float>);

template Matrix<double> layer_norm_forward(const Matrix<double>&, std::span<const double>,
                                           std::span<const double>, double);
template Matrix<double> layer_norm_backward_input(const Matrix<double>&, std::span<const double>,
                                                  double, const Matrix<double>&);
template void layer_norm_backward_weight(const Matrix<double>&, double, const Matrix<double>&,
                                         std::span<double>, std::span<double>);
template Matrix<double> rms_norm_forward(const Matrix<double>&, std::span<const double>, double);
template Matrix<double> rms_norm_backward_input(const Matrix<double>&, std::span<const double>,
                                                double, const Matrix<double>&);
template void rms_norm_backward_weight(const Matrix<double>&, double, const Matrix<double>&,
                                       std::span<double>);

}  // namespace lockstep
