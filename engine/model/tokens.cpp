#include "model/tokens.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "core/math.h"

namespace lockstep {
namespace {

/// The largest logit of a row, and Σ e^(logit − largest).
struct RowSum {
  double largest = 0;
  double sum = 0;
};

template <typename T>
RowSum row_sum(std::span<const T> logits) {
  RowSum result = {static_cast<double>(*std::ranges::max_element(logits)), 0};
  for (const T logit : logits) {
    result.sum += math::exp(static_cast<double>(logit) - result.largest);
  }
  return result;
}

}  // namespace

template <typename T>
Matrix<T> embedding_forward(std::span<const int> tokens, MatrixView<const T> weight) {
  Matrix<T> result(static_cast<int>(tokens.size()), weight.columns);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::ranges::copy(weight.row(tokens[i]), result.row(static_cast<int>(i)).begin());
  }
  return result;
}

template <typename T>
void embedding_backward_weight(std::span<const int> tokens, const Matrix<T>& dy,
                               MatrixView<T> weight_gradient) {
  assert(tokens.size() == static_cast<std::size_t>(dy.rows));
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::span<T> into = weight_gradient.row(tokens[i]);
    const std::span<const T> row = dy.row(static_cast<int>(i));
    for (std::size_t column = 0; column < into.size(); ++column) into[column] += row[column];
  }
}

std::int64_t counted_targets(std::span<const int> targets) {
  return static_cast<std::int64_t>(targets.size()) - std::ranges::count(targets, kIgnoredTarget);
}

template <typename T>
double add_cross_entropy(const Matrix<T>& logits, std::span<const int> targets, double sum) {
  assert(targets.size() == static_cast<std::size_t>(logits.rows));
  for (int row = 0; row < logits.rows; ++row) {
    const int target = targets[static_cast<std::size_t>(row)];
    if (target == kIgnoredTarget) continue;
    const RowSum powers = row_sum<T>(logits.row(row));
    sum += math::log(powers.sum) - (static_cast<double>(logits.at(row, target)) - powers.largest);
  }
  return sum;
}

template <typename T>
Matrix<T> cross_entropy_gradient(const Matrix<T>& logits, std::span<const int> targets,
                                 std::int64_t divisor) {
  assert(targets.size() == static_cast<std::size_t>(logits.rows));
  Matrix<T> gradient(logits.rows, logits.columns);
  for (int row = 0; row < logits.rows; ++row) {
    const int target = targets[static_cast<std::size_t>(row)];
    if (target == kIgnoredTarget) continue;
    const RowSum powers = row_sum<T>(logits.row(row));
    for (int column = 0; column < logits.columns; ++column) {
      const double logit = static_cast<double>(logits.at(row, column));
      const double probability = math::exp(logit - powers.largest) / powers.sum;
      const double difference = probability - (column == target ? 1 : 0);
      gradient.at(row, column) = static_cast<T>(difference / static_cast<double>(divisor));
    }
  }
  return gradient;
}

template Matrix<float> embedding_forward(std::span<const int>, MatrixView<const float>);
template void embedding_backward_weight(std::span<const int>, const Matrix<float>&,
                                        MatrixView<float>);
template double add_cross_entropy(const Matrix<float>&, std::span<const int>, double);
template Matrix<float> cross_entropy_gradient(const Matrix<float>&, std::span<const int>,
                                              std::int64_t);

template Matrix<double> embedding_forward(std::span<const int>, MatrixView<const double>);
template void embedding_backward_weight(std::span<const int>, const Matrix<double>&,
                                        MatrixView<double>);
template double add_cross_entropy(const Matrix<double>&, std::span<const int>, double);
template Matrix<double> cross_entropy_gradient(const Matrix<double>&, std::span<const int>,
                                               std::int64_t);

}  // namespace lockstep
