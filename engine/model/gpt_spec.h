// The shape of a small GPT-style transformer, and where each of its parameters lies.
//
// It is cut between *blocks*: block 0 turns tokens into vectors (token and position embedding);
// then each layer has two, attention and MLP, both with layer norm before and the residual added
// (x + f(norm(x)), Radford et al. 2019); the last has the final norm and the head, which gives
// logits. All parameters lie in one flat vector, block by block, in the order of block_tensors.
//
// A tensor-parallel *shard* of a block holds some heads or some hidden units (Shoeybi et al. 2019):
// its output is a part, and the sum over shards is the block's. What is not split, every shard has.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/result.h"
#include "model/activations.h"

namespace lockstep {

struct GptSpec {
  int vocabulary = 32;
  int sequence_length = 8;  ///< tokens a row of the batch has
  int hidden = 16;
  int heads = 4;
  int layers = 2;
  int expansion = 4;  ///< the MLP's inner units, as a multiple of hidden
  Activation activation = Activation::gelu_tanh;
  bool gated =
      false;  ///< the MLP is down(activation(gate(x)) · up(x)); else out(activation(fc(x)))
  bool tied_head = false;  ///< the head's weight is the token embedding
  double epsilon = 1e-5;   ///< of the layer norms

  int block_count() const { return 2 * layers + 2; }
  int head_size() const { return hidden / heads; }
  int inner() const { return expansion * hidden; }
};

/// Limits that keep a step within a browser tab: about a million parameters.
inline constexpr int kVocabularyMax = 4096;
inline constexpr int kSequenceMax = 512;
inline constexpr int kHiddenMax = 512;
inline constexpr int kTransformerLayersMax = 16;
inline constexpr int kExpansionMax = 8;

/// Refuses (`out_of_range`, naming the field) sizes outside 1 … their limit, and a hidden size that
/// the heads do not divide (`heads_not_divisible`).
Status check_spec(const GptSpec& spec);

enum class BlockKind { embedding, attention, mlp, head };
BlockKind block_kind(const GptSpec& spec, int block);

/// Which part of a tensor a shard has.
enum class Split {
  none,     ///< all of it
  rows,     ///< consecutive rows
  thirds,   ///< consecutive rows of each third: queries, keys and values
  columns,  ///< consecutive columns
};

struct ParameterTensor {
  std::string name;  ///< "layer 0 qkv weight"
  int rows = 1;
  int columns = 1;  ///< a bias or a norm has one row
  Split split = Split::none;
};

/// The tensors of a block, those that are not split first.
std::vector<ParameterTensor> block_tensors(const GptSpec& spec, int block);

/// Shard `index` of `count`; count divides the heads.
struct Shard {
  int index = 0;
  int count = 1;

  bool operator==(const Shard&) const = default;
};

/// The part of a tensor that a shard has, with its rows and columns.
ParameterTensor part_of_shard(const ParameterTensor& tensor, const Shard& shard);

/// How many parameters a shard of the blocks [first, last) holds.
std::size_t parameter_count(const GptSpec& spec, int first_block, int last_block,
                            const Shard& shard = {});

/// How many of a shard's parameters of a block are not split; they are its first.
std::size_t unsplit_count(const GptSpec& spec, int block, const Shard& shard);

/// By parameter of a shard of a block, its index in the block's flat vector.
std::vector<std::size_t> block_indices(const GptSpec& spec, int block, const Shard& shard);

/// "layer 0 qkv weight, row 3, column 1": the parameter with this index in the whole model.
std::string describe_parameter(const GptSpec& spec, std::size_t index);

}  // namespace lockstep
