// A stage of any model: what a device holds and works with.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <variant>

#include "model/gpt_stage.h"
#include "model/model_spec.h"
#include "model/stage.h"

namespace lockstep {

/// What the forward work of any model leaves for its backward work.
template <typename T>
using ModelStash = std::variant<Stash<T>, GptStash<T>>;

template <typename T>
std::size_t value_count(const ModelStash<T>& stash) {
  return std::visit([](const auto& kept) { return kept.value_count(); }, stash);
}

/// Stage or GptStage, whichever is the model's; they say what the functions do.
template <typename T>
class ModelStage {
 public:
  /// Draws the parameters of a checked spec.
  ModelStage(const ModelSpec& spec, int first_block, int last_block, const Shard& shard,
             std::uint64_t seed)
      : stage_(make(spec, first_block, last_block, shard, seed)) {}

  /// The whole model.
  ModelStage(const ModelSpec& spec, std::uint64_t seed)
      : ModelStage(spec, 0, block_count(spec), {}, seed) {}

  Matrix<T> forward(const Matrix<T>& input, ModelStash<T>& keep) const {
    if (const Stage<T>* mlp = std::get_if<Stage<T>>(&stage_)) {
      return mlp->forward(input, keep.template emplace<Stash<T>>());
    }
    return std::get<GptStage<T>>(stage_).forward(input, keep.template emplace<GptStash<T>>());
  }

  Matrix<T> backward_input(const Matrix<T>& output_gradient, ModelStash<T>& keep) const {
    if (const Stage<T>* mlp = std::get_if<Stage<T>>(&stage_)) {
      return mlp->backward_input(output_gradient, std::get<Stash<T>>(keep));
    }
    return std::get<GptStage<T>>(stage_).backward_input(output_gradient,
                                                        std::get<GptStash<T>>(keep));
  }

  void backward_weight(const ModelStash<T>& keep, std::span<T> into) const {
    if (const Stage<T>* mlp = std::get_if<Stage<T>>(&stage_)) {
      return mlp->backward_weight(std::get<Stash<T>>(keep), into);
    }
    std::get<GptStage<T>>(stage_).backward_weight(std::get<GptStash<T>>(keep), into);
  }

  std::span<T> parameters() {
    return std::visit([](auto& stage) { return stage.parameters(); }, stage_);
  }
  std::span<const T> parameters() const {
    return std::visit([](const auto& stage) { return stage.parameters(); }, stage_);
  }

 private:
  using Variant = std::variant<Stage<T>, GptStage<T>>;

  static Variant make(const ModelSpec& spec, int first_block, int last_block, const Shard& shard,
                      std::uint64_t seed) {
    if (const MlpSpec* mlp = std::get_if<MlpSpec>(&spec)) {
      return Stage<T>(*mlp, first_block, last_block, seed);
    }
    return GptStage<T>(std::get<GptSpec>(spec), first_block, last_block, shard, seed);
  }

  Variant stage_;
};

}  // namespace lockstep
