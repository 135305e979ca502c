#include "model/gpt_stage.h"

#include <cassert>
#include <cmath>
#include <cstddef>

#include "core/random.h"
#include "model/draw.h"

namespace lockstep {
namespace {

bool is_norm_weight(const ParameterTensor& tensor) {
  return tensor.name.ends_with("norm weight") || tensor.name.ends_with("norm 1 weight") ||
         tensor.name.ends_with("norm 2 weight");
}

bool begins_as_zero(const ParameterTensor& tensor) {
  return tensor.name.ends_with("bias");
}

/// Uniform in ±1 over the root of the inputs, as a linear layer's weight is drawn (draw_parameter).
double drawn(const ParameterTensor& tensor, std::uint64_t seed, int block, std::size_t index) {
  if (is_norm_weight(tensor)) return 1;
  if (begins_as_zero(tensor)) return 0;
  const std::uint64_t stream = kParameterStream + static_cast<std::uint64_t>(block);
  return random_symmetric(seed, stream, index) / std::sqrt(static_cast<double>(tensor.columns));
}

std::vector<double> drawn_block(const GptSpec& spec, std::uint64_t seed, int block) {
  std::vector<double> values;
  for (const ParameterTensor& tensor : block_tensors(spec, block)) {
    const int count = tensor.rows * tensor.columns;
    for (int i = 0; i < count; ++i) values.push_back(drawn(tensor, seed, block, values.size()));
  }
  return values;
}

}  // namespace

template <typename T>
std::size_t GptStash<T>::value_count() const {
  std::size_t count = 0;
  for (const BlockStash<T>& block : blocks) {
    for (const Matrix<T>& matrix : block.forward) count += matrix.values.size();
    for (const Matrix<T>& matrix : block.backward) count += matrix.values.size();
  }
  return count;
}

template <typename T>
GptStage<T>::GptStage(const GptSpec& spec, int first_block, int last_block, const Shard& shard,
                      std::uint64_t seed)
    : spec_(spec), first_block_(first_block), last_block_(last_block), shard_(shard) {
  assert(check_spec(spec).ok() && spec.heads % shard.count == 0);
  assert(0 <= first_block && first_block < last_block && last_block <= spec.block_count());
  assert(shard.count == 1 || last_block == first_block + 1);
  for (int number = first_block; number < last_block; ++number) {
    const std::vector<double> values = drawn_block(spec, seed, number);
    for (const std::size_t index : block_indices(spec, number, shard)) {
      parameters_.push_back(static_cast<T>(values[index]));
    }
  }
}

template <typename T>
template <typename Value>
std::vector<MatrixView<Value>> GptStage<T>::tensors_of(int number, std::span<Value> flat) const {
  std::vector<MatrixView<Value>> views;
  std::size_t first = parameter_count(spec_, first_block_, number, shard_);
  for (const ParameterTensor& tensor : block_tensors(spec_, number)) {
    const ParameterTensor part = part_of_shard(tensor, shard_);
    const auto count = static_cast<std::size_t>(part.rows) * static_cast<std::size_t>(part.columns);
    views.push_back({part.rows, part.columns, flat.subspan(first, count)});
    first += count;
  }
  const bool borrows = spec_.tied_head && block_kind(spec_, number) == BlockKind::head;
  if (borrows) {
    assert(first_block_ == 0);
    views.push_back(tensors_of(0, flat).front());
  }
  return views;
}

template <typename T>
GptBlock<T> GptStage<T>::block(int number) const {
  return {spec_, number, shard_, tensors_of(number, parameters())};
}

template <typename T>
Matrix<T> GptStage<T>::forward(const Matrix<T>& input, GptStash<T>& keep) const {
  keep.blocks.assign(static_cast<std::size_t>(last_block_ - first_block_), {});
  Matrix<T> activations = input;
  for (int number = first_block_; number < last_block_; ++number) {
    activations = block(number).forward(
        activations, keep.blocks[static_cast<std::size_t>(number - first_block_)]);
  }
  return activations;
}

template <typename T>
Matrix<T> GptStage<T>::backward_input(const Matrix<T>& output_gradient, GptStash<T>& keep) const {
  Matrix<T> gradient = output_gradient;
  for (int number = last_block_ - 1; number >= first_block_; --number) {
    gradient = block(number).backward_input(
        gradient, keep.blocks[static_cast<std::size_t>(number - first_block_)]);
  }
  return gradient;
}

template <typename T>
void GptStage<T>::backward_weight(const GptStash<T>& keep, std::span<T> into) const {
  assert(into.size() == parameters_.size());
  for (int number = first_block_; number < last_block_; ++number) {
    block(number).backward_weight(keep.blocks[static_cast<std::size_t>(number - first_block_)],
                                  tensors_of(number, into));
  }
}

template struct GptStash<float>;
template struct GptStash<double>;
template class GptStage<float>;
template class GptStage<double>;

}  // namespace lockstep
