// The two ends of a language model: tokens become vectors, and vectors a loss over the next token.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tensor/matrix.h"

namespace lockstep {

/// Tokens or targets that travel as a matrix of one column of whole numbers.
template <typename T>
std::vector<int> tokens_of(const Matrix<T>& column) {
  std::vector<int> tokens;
  for (const T value : column.values) tokens.push_back(static_cast<int>(value));
  return tokens;
}

/// Row i is row tokens[i] of `weight` (vocabulary, hidden); result (tokens, hidden).
template <typename T>
Matrix<T> embedding_forward(std::span<const int> tokens, MatrixView<const T> weight);

/// Continues the gradient sums by weight, token by token: row tokens[i] += row i of dy.
template <typename T>
void embedding_backward_weight(std::span<const int> tokens, const Matrix<T>& dy,
                               MatrixView<T> weight_gradient);

/// A target that counts in no loss, as in PyTorch.
inline constexpr int kIgnoredTarget = -100;

/// How many targets count.
std::int64_t counted_targets(std::span<const int> targets);

/// Continues `sum` by −log softmax(logits)[target] of each row whose target counts, in float64.
/// Divided by the number of counted targets it is the mean cross entropy.
template <typename T>
double add_cross_entropy(const Matrix<T>& logits, std::span<const int> targets, double sum);

/// The gradient of Σ cross entropy / divisor by the logits: (softmax − 1 at the target) / divisor,
/// computed in float64 and rounded once; 0 in rows that do not count.
template <typename T>
Matrix<T> cross_entropy_gradient(const Matrix<T>& logits, std::span<const int> targets,
                                 std::int64_t divisor);

}  // namespace lockstep
