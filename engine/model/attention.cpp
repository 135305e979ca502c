#include "model/attention.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

#include "core/math.h"
#include "tensor/kernels.h"

namespace lockstep {
namespace {

/// Replaces the first `count` elements by their softmax and the others by 0.
template <typename T>
void softmax_first(std::span<T> row, std::size_t count) {
  const T largest =
      *std::max_element(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<double> powers(count);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    powers[i] = math::exp(static_cast<double>(row[i]) - static_cast<double>(largest));
    sum += powers[i];
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    row[i] = i < count ? static_cast<T>(powers[i] / sum) : T{0};
  }
}

/// One head of one sequence, as a matrix of its own or back into its place.
struct Head {
  int first_row;
  int rows;
  int first_column;
  int columns;

  template <typename T>
  Matrix<T> of(const Matrix<T>& all) const {
    Matrix<T> head(rows, columns);
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        head.at(row, column) = all.at(first_row + row, first_column + column);
      }
    }
    return head;
  }

  template <typename T>
  void put(const Matrix<T>& head, Matrix<T>& all) const {
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        all.at(first_row + row, first_column + column) = head.at(row, column);
      }
    }
  }
};

std::vector<Head> heads_of(int rows, int columns, const AttentionShape& shape) {
  assert(rows % shape.sequence_length == 0 && columns % shape.heads == 0);
  const int size = columns / shape.heads;
  std::vector<Head> heads;
  for (int row = 0; row < rows; row += shape.sequence_length) {
    for (int head = 0; head < shape.heads; ++head) {
      heads.push_back({row, shape.sequence_length, head * size, size});
    }
  }
  return heads;
}

template <typename T>
void scale(Matrix<T>& matrix, int head_size) {
  const double factor = 1 / std::sqrt(static_cast<double>(head_size));
  for (T& value : matrix.values) value = static_cast<T>(static_cast<double>(value) * factor);
}

}  // namespace

template <typename T>
Attention<T> attention_forward(const Matrix<T>& q, const Matrix<T>& k, const Matrix<T>& v,
                               const AttentionShape& shape) {
  Attention<T> result = {Matrix<T>(q.rows, q.columns), {}};
  for (const Head& head : heads_of(q.rows, q.columns, shape)) {
    Matrix<T> scores(head.rows, head.rows);
    add_matmul_transposed_right<T>(head.of(q), head.of(k), scores);
    scale(scores, head.columns);
    for (int row = 0; row < scores.rows; ++row) {
      softmax_first<T>(scores.row(row), static_cast<std::size_t>(row) + 1);
    }
    Matrix<T> outputs(head.rows, head.columns);
    add_matmul<T>(scores, head.of(v), outputs);
    head.put(outputs, result.outputs);
    result.probabilities.push_back(std::move(scores));
  }
  return result;
}

template <typename T>
AttentionGradients<T> attention_backward(const Matrix<T>& q, const Matrix<T>& k, const Matrix<T>& v,
                                         const std::vector<Matrix<T>>& probabilities,
                                         const Matrix<T>& dy, const AttentionShape& shape) {
  const std::vector<Head> heads = heads_of(q.rows, q.columns, shape);
  assert(heads.size() == probabilities.size());
  AttentionGradients<T> result = {Matrix<T>(q.rows, q.columns), Matrix<T>(q.rows, q.columns),
                                  Matrix<T>(q.rows, q.columns)};
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const Head& head = heads[i];
    const Matrix<T> outputs = head.of(dy);
    Matrix<T> values(head.rows, head.columns);
    add_matmul_transposed_left<T>(probabilities[i], outputs, values);
    head.put(values, result.v);

    Matrix<T> by_probabilities(head.rows, head.rows);
    add_matmul_transposed_right<T>(outputs, head.of(v), by_probabilities);
    Matrix<T> scores = softmax_backward(probabilities[i], by_probabilities);
    scale(scores, head.columns);
    Matrix<T> queries(head.rows, head.columns);
    add_matmul<T>(scores, head.of(k), queries);
    head.put(queries, result.q);
    Matrix<T> keys(head.rows, head.columns);
    add_matmul_transposed_left<T>(scores, head.of(q), keys);
    head.put(keys, result.k);
  }
  return result;
}

template <typename T>
Matrix<T> softmax(const Matrix<T>& x) {
  Matrix<T> result = x;
  for (int row = 0; row < x.rows; ++row) {
    softmax_first<T>(result.row(row), static_cast<std::size_t>(x.columns));
  }
  return result;
}

template <typename T>
Matrix<T> softmax_backward(const Matrix<T>& probabilities, const Matrix<T>& dy) {
  assert(probabilities.rows == dy.rows && probabilities.columns == dy.columns);
  Matrix<T> dx(dy.rows, dy.columns);
  for (int row = 0; row < dy.rows; ++row) {
    const std::span<const T> p = probabilities.row(row);
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      sum += static_cast<double>(p[i]) * static_cast<double>(dy.row(row)[i]);
    }
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double difference = static_cast<double>(dy.row(row)[i]) - sum;
      dx.row(row)[i] = static_cast<T>(static_cast<double>(p[i]) * difference);
    }
  }
  return dx;
}

template Attention<float> attention_forward(const Matrix<float>&, const Matrix<float>&,
                                            const Matrix<float>&, const AttentionShape&);
template AttentionGradients<float> attention_backward(const Matrix<float>&, const Matrix<float>&,
                                                      const Matrix<float>&,
                                                      const std::vector<Matrix<float>>&,
                                                      const Matrix<float>&, const AttentionShape&);
template Matrix<float> softmax(const Matrix<float>&);
template Matrix<float> softmax_backward(const Matrix<float>&, const Matrix<float>&);

template Attention<double> attention_forward(const Matrix<double>&, const Matrix<double>&,
                                             const Matrix<double>&, const AttentionShape&);
template AttentionGradients<double> attention_backward(const Matrix<double>&, const Matrix<double>&,
                                                       const Matrix<double>&,
                                                       const std::vector<Matrix<double>>&,
                                                       const Matrix<double>&,
                                                       const AttentionShape&);
template Matrix<double> softmax(const Matrix<double>&);
template Matrix<double> softmax_backward(const Matrix<double>&, const Matrix<double>&);

}  // namespace lockstep
