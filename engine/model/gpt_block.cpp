#include "model/gpt_block.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>

#include "model/attention.h"
#include "model/layers.h"
#include "model/normalization.h"
#include "model/tokens.h"
#include "tensor/kernels.h"

namespace lockstep {
namespace {

// Where a block's tensors stand (block_tensors) …
constexpr std::size_t kNormWeight = 0;
constexpr std::size_t kNormBias = 1;
constexpr std::size_t kOutputBias = 2;
constexpr std::size_t kInnerWeight = 3;
constexpr std::size_t kInnerBias = 4;
constexpr std::size_t kGateWeight = 5;
constexpr std::size_t kGateBias = 6;
constexpr std::size_t kHeadWeight = 2;

// … and what it keeps. All begin with the input and its norm, and all backward parts with the
// gradient by the output and that by the norm.
constexpr std::size_t kInput = 0;
constexpr std::size_t kNormalized = 1;
constexpr std::size_t kByOutput = 0;
constexpr std::size_t kByNormalized = 1;

template <typename T>
void add(const Matrix<T>& from, Matrix<T>& to) {
  assert(from.values.size() == to.values.size());
  for (std::size_t i = 0; i < to.values.size(); ++i) to.values[i] += from.values[i];
}

template <typename T>
Matrix<T> columns_of(const Matrix<T>& all, int first, int count) {
  Matrix<T> part(all.rows, count);
  for (int row = 0; row < all.rows; ++row) {
    std::ranges::copy(all.row(row).subspan(static_cast<std::size_t>(first), part.row(row).size()),
                      part.row(row).begin());
  }
  return part;
}

template <typename T>
Matrix<T> side_by_side(const Matrix<T>& a, const Matrix<T>& b, const Matrix<T>& c) {
  Matrix<T> all(a.rows, a.columns + b.columns + c.columns);
  for (int row = 0; row < all.rows; ++row) {
    auto to = all.row(row).begin();
    for (const Matrix<T>* part : {&a, &b, &c}) to = std::ranges::copy(part->row(row), to).out;
  }
  return all;
}

/// 0, 1, … within each sequence.
std::vector<int> positions(int rows, int sequence_length) {
  std::vector<int> result;
  for (int row = 0; row < rows; ++row) result.push_back(row % sequence_length);
  return result;
}

}  // namespace

template <typename T>
Matrix<T> GptBlock<T>::forward(const Matrix<T>& x, BlockStash<T>& keep) const {
  keep = {};
  switch (block_kind(spec_, block_)) {
    case BlockKind::embedding:
      return embed(x, keep);
    case BlockKind::attention:
      return attend(x, keep);
    case BlockKind::mlp:
      return mlp(x, keep);
    case BlockKind::head:
      return logits(x, keep);
  }
  return {};
}

template <typename T>
Matrix<T> GptBlock<T>::backward_input(const Matrix<T>& dy, BlockStash<T>& keep) const {
  assert(!keep.forward.empty() && keep.backward.empty());
  switch (block_kind(spec_, block_)) {
    case BlockKind::embedding:
      keep.backward = {dy};
      return Matrix<T>(dy.rows, 0);
    case BlockKind::attention:
      return attend_backward(dy, keep);
    case BlockKind::mlp:
      return mlp_backward(dy, keep);
    case BlockKind::head:
      return logits_backward(dy, keep);
  }
  return {};
}

template <typename T>
void GptBlock<T>::backward_weight(const BlockStash<T>& keep, const Gradients& into) const {
  assert(!keep.backward.empty() && into.size() == tensors_.size());
  switch (block_kind(spec_, block_)) {
    case BlockKind::embedding:
      return embed_backward_weight(keep, into);
    case BlockKind::attention:
      return attend_backward_weight(keep, into);
    case BlockKind::mlp:
      return mlp_backward_weight(keep, into);
    case BlockKind::head:
      return logits_backward_weight(keep, into);
  }
}

template <typename T>
Matrix<T> GptBlock<T>::embed(const Matrix<T>& tokens, BlockStash<T>& keep) const {
  keep.forward = {tokens};
  Matrix<T> y = embedding_forward<T>(tokens_of(tokens), tensors_[0]);
  add(embedding_forward<T>(positions(tokens.rows, spec_.sequence_length), tensors_[1]), y);
  return y;
}

template <typename T>
void GptBlock<T>::embed_backward_weight(const BlockStash<T>& keep, const Gradients& into) const {
  const Matrix<T>& tokens = keep.forward[kInput];
  const Matrix<T>& dy = keep.backward[kByOutput];
  embedding_backward_weight<T>(tokens_of(tokens), dy, into[0]);
  embedding_backward_weight<T>(positions(tokens.rows, spec_.sequence_length), dy, into[1]);
}

template <typename T>
Matrix<T> GptBlock<T>::attend(const Matrix<T>& x, BlockStash<T>& keep) const {
  Matrix<T> normal = normalized(x);
  const Matrix<T> qkv = linear_forward<T>(normal, tensors_[kInnerWeight], vector(kInnerBias));
  const int width = qkv.columns / 3;
  Matrix<T> q = columns_of(qkv, 0, width);
  Matrix<T> k = columns_of(qkv, width, width);
  Matrix<T> v = columns_of(qkv, 2 * width, width);
  Attention<T> attention =
      attention_forward(q, k, v, {spec_.heads / shard_.count, spec_.sequence_length});
  Matrix<T> y = onto_residual(x, attention.outputs, tensors_.back());
  keep.forward = {
      x, std::move(normal), std::move(q), std::move(k), std::move(v), std::move(attention.outputs)};
  for (Matrix<T>& head : attention.probabilities) keep.forward.push_back(std::move(head));
  return y;
}

template <typename T>
Matrix<T> GptBlock<T>::attend_backward(const Matrix<T>& dy, BlockStash<T>& keep) const {
  const std::vector<Matrix<T>>& kept = keep.forward;
  constexpr std::size_t kFirstHead = 6;
  const std::vector<Matrix<T>> probabilities(kept.begin() + kFirstHead, kept.end());
  const AttentionGradients<T> by = attention_backward(
      kept[2], kept[3], kept[4], probabilities, linear_backward_input<T>(dy, tensors_.back()),
      {spec_.heads / shard_.count, spec_.sequence_length});
  Matrix<T> by_qkv = side_by_side(by.q, by.k, by.v);
  Matrix<T> by_normal = linear_backward_input<T>(by_qkv, tensors_[kInnerWeight]);
  Matrix<T> dx = normalized_backward(kept[kInput], by_normal);
  if (counts_unsplit()) add(dy, dx);
  keep.backward = {dy, std::move(by_normal), std::move(by_qkv)};
  return dx;
}

template <typename T>
void GptBlock<T>::attend_backward_weight(const BlockStash<T>& keep, const Gradients& into) const {
  onto_residual_backward_weight(keep.forward[5], keep.backward[kByOutput], into);
  linear_backward_weight<T>(keep.forward[kNormalized], keep.backward[2], into[kInnerWeight],
                            into[kInnerBias].values);
  normalized_backward_weight(keep.forward[kInput], keep.backward[kByNormalized], into);
}

template <typename T>
Matrix<T> GptBlock<T>::mlp(const Matrix<T>& x, BlockStash<T>& keep) const {
  Matrix<T> normal = normalized(x);
  Matrix<T> inner = linear_forward<T>(normal, tensors_[kInnerWeight], vector(kInnerBias));
  Matrix<T> gate = spec_.gated ? linear_forward<T>(normal, tensors_[kGateWeight], vector(kGateBias))
                               : Matrix<T>();
  Matrix<T> units = spec_.gated ? gated_forward(spec_.activation, gate, inner)
                                : activation_forward(spec_.activation, inner);
  Matrix<T> y = onto_residual(x, units, tensors_.back());
  keep.forward = {x, std::move(normal), std::move(inner), std::move(gate), std::move(units)};
  return y;
}

template <typename T>
Matrix<T> GptBlock<T>::mlp_backward(const Matrix<T>& dy, BlockStash<T>& keep) const {
  const Matrix<T>& inner = keep.forward[2];
  const Matrix<T>& gate = keep.forward[3];
  const Matrix<T> by_units = linear_backward_input<T>(dy, tensors_.back());
  Matrix<T> by_inner;
  Matrix<T> by_gate;
  if (spec_.gated) {
    GatedGradients<T> by = gated_backward(spec_.activation, gate, inner, by_units);
    by_inner = std::move(by.up);
    by_gate = std::move(by.gate);
  } else {
    by_inner = activation_backward(spec_.activation, inner, by_units);
  }
  Matrix<T> by_normal = linear_backward_input<T>(by_inner, tensors_[kInnerWeight]);
  if (spec_.gated) add(linear_backward_input<T>(by_gate, tensors_[kGateWeight]), by_normal);
  Matrix<T> dx = normalized_backward(keep.forward[kInput], by_normal);
  if (counts_unsplit()) add(dy, dx);
  keep.backward = {dy, std::move(by_normal), std::move(by_inner), std::move(by_gate)};
  return dx;
}

template <typename T>
void GptBlock<T>::mlp_backward_weight(const BlockStash<T>& keep, const Gradients& into) const {
  const Matrix<T>& normal = keep.forward[kNormalized];
  onto_residual_backward_weight(keep.forward[4], keep.backward[kByOutput], into);
  linear_backward_weight<T>(normal, keep.backward[2], into[kInnerWeight], into[kInnerBias].values);
  if (spec_.gated) {
    linear_backward_weight<T>(normal, keep.backward[3], into[kGateWeight], into[kGateBias].values);
  }
  normalized_backward_weight(keep.forward[kInput], keep.backward[kByNormalized], into);
}

template <typename T>
Matrix<T> GptBlock<T>::logits(const Matrix<T>& x, BlockStash<T>& keep) const {
  Matrix<T> normal = normalized(x);
  Matrix<T> y(x.rows, spec_.vocabulary);
  add_matmul_transposed_right<T>(normal, tensors_[kHeadWeight], y);
  keep.forward = {x, std::move(normal)};
  return y;
}

template <typename T>
Matrix<T> GptBlock<T>::logits_backward(const Matrix<T>& dy, BlockStash<T>& keep) const {
  Matrix<T> by_normal = linear_backward_input<T>(dy, tensors_[kHeadWeight]);
  Matrix<T> dx = normalized_backward(keep.forward[kInput], by_normal);
  keep.backward = {dy, std::move(by_normal)};
  return dx;
}

template <typename T>
void GptBlock<T>::logits_backward_weight(const BlockStash<T>& keep, const Gradients& into) const {
  add_matmul_transposed_left<T>(keep.backward[kByOutput], keep.forward[kNormalized],
                                into[kHeadWeight]);
  normalized_backward_weight(keep.forward[kInput], keep.backward[kByNormalized], into);
}

template <typename T>
Matrix<T> GptBlock<T>::normalized(const Matrix<T>& x) const {
  return layer_norm_forward<T>(x, vector(kNormWeight), vector(kNormBias), spec_.epsilon);
}

template <typename T>
Matrix<T> GptBlock<T>::normalized_backward(const Matrix<T>& x, const Matrix<T>& dn) const {
  return layer_norm_backward_input<T>(x, vector(kNormWeight), spec_.epsilon, dn);
}

template <typename T>
void GptBlock<T>::normalized_backward_weight(const Matrix<T>& x, const Matrix<T>& dn,
                                             const Gradients& into) const {
  layer_norm_backward_weight<T>(x, spec_.epsilon, dn, into[kNormWeight].values,
                                into[kNormBias].values);
}

template <typename T>
Matrix<T> GptBlock<T>::onto_residual(const Matrix<T>& x, const Matrix<T>& inner,
                                     const MatrixView<const T>& weight) const {
  if (!counts_unsplit()) {
    Matrix<T> part(x.rows, weight.rows);
    add_matmul_transposed_right<T>(inner, weight, part);
    return part;
  }
  Matrix<T> y = linear_forward<T>(inner, weight, vector(kOutputBias));
  add(x, y);
  return y;
}

template <typename T>
void GptBlock<T>::onto_residual_backward_weight(const Matrix<T>& inner, const Matrix<T>& dy,
                                                const Gradients& into) const {
  add_matmul_transposed_left<T>(dy, inner, into.back());
  if (counts_unsplit()) add_column_sums<T>(dy, into[kOutputBias].values);
}

template class GptBlock<float>;
template class GptBlock<double>;

}  // namespace lockstep
