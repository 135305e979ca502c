// Causal self-attention by heads (Vaswani et al. 2017): every position looks at itself and at those
// before it in its sequence.
//
// q, k and v have shape (sequences · sequence_length, heads · head_size): rows are positions,
// sequence by sequence, and each head has consecutive columns. Heads do not depend on each other,
// so that tensor parallelism can give each device some of them.
#pragma once

#include <vector>

#include "tensor/matrix.h"

namespace lockstep {

struct AttentionShape {
  int heads = 1;            ///< divides the columns
  int sequence_length = 1;  ///< divides the rows
};

/// The outputs, shaped like q, and what is kept for the backward work: of every sequence and head,
/// one after the other, the probabilities (sequence_length, sequence_length), 0 above the diagonal.
template <typename T>
struct Attention {
  Matrix<T> outputs;
  std::vector<Matrix<T>> probabilities;
};

/// softmax(q kᵀ / √head_size) v, where a position's softmax runs over itself and those before.
template <typename T>
Attention<T> attention_forward(const Matrix<T>& q, const Matrix<T>& k, const Matrix<T>& v,
                               const AttentionShape& shape);

/// The gradients of the loss by q, k and v.
template <typename T>
struct AttentionGradients {
  Matrix<T> q;
  Matrix<T> k;
  Matrix<T> v;
};

/// Given the gradient by the outputs and the probabilities of the forward work.
template <typename T>
AttentionGradients<T> attention_backward(const Matrix<T>& q, const Matrix<T>& k, const Matrix<T>& v,
                                         const std::vector<Matrix<T>>& probabilities,
                                         const Matrix<T>& dy, const AttentionShape& shape);

/// Softmax of each row, computed in float64 from its largest element on and rounded once.
template <typename T>
Matrix<T> softmax(const Matrix<T>& x);

/// The gradient by the softmax's arguments: p · (dy − Σ p dy), row by row, p the probabilities.
template <typename T>
Matrix<T> softmax_backward(const Matrix<T>& probabilities, const Matrix<T>& dy);

}  // namespace lockstep
