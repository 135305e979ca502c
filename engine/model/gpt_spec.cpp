#include "model/gpt_spec.h"

#include <cassert>

namespace lockstep {
namespace {

Status check_size(std::string_view field, int value, int most) {
  if (value >= 1 && value <= most) return fine();
  return Error{"out_of_range", std::string(field),
               std::string(field) + " is " + std::to_string(value) + " and must be 1 to " +
                   std::to_string(most)};
}

std::size_t size_of(const ParameterTensor& tensor) {
  return static_cast<std::size_t>(tensor.rows) * static_cast<std::size_t>(tensor.columns);
}

/// Norms and the bias of the output are not split, and stand first.
std::vector<ParameterTensor> attention_tensors(const GptSpec& spec, const std::string& layer) {
  const int hidden = spec.hidden;
  return {
      {layer + "norm 1 weight", 1, hidden},
      {layer + "norm 1 bias", 1, hidden},
      {layer + "projection bias", 1, hidden},
      {layer + "qkv weight", 3 * hidden, hidden, Split::thirds},
      {layer + "qkv bias", 3 * hidden, 1, Split::thirds},
      {layer + "projection weight", hidden, hidden, Split::columns},
  };
}

std::vector<ParameterTensor> mlp_tensors(const GptSpec& spec, const std::string& layer) {
  const int hidden = spec.hidden;
  std::vector<ParameterTensor> tensors = {
      {layer + "norm 2 weight", 1, hidden},
      {layer + "norm 2 bias", 1, hidden},
      {layer + "output bias", 1, hidden},
      {layer + "inner weight", spec.inner(), hidden, Split::rows},
      {layer + "inner bias", spec.inner(), 1, Split::rows},
  };
  if (spec.gated) {
    tensors.push_back({layer + "gate weight", spec.inner(), hidden, Split::rows});
    tensors.push_back({layer + "gate bias", spec.inner(), 1, Split::rows});
  }
  tensors.push_back({layer + "output weight", hidden, spec.inner(), Split::columns});
  return tensors;
}

}  // namespace

Status check_spec(const GptSpec& spec) {
  for (const Status& checked :
       {check_size("vocabulary", spec.vocabulary, kVocabularyMax),
        check_size("sequence_length", spec.sequence_length, kSequenceMax),
        check_size("hidden", spec.hidden, kHiddenMax), check_size("heads", spec.heads, spec.hidden),
        check_size("layers", spec.layers, kTransformerLayersMax),
        check_size("expansion", spec.expansion, kExpansionMax)}) {
    if (!checked.ok()) return checked;
  }
  if (spec.hidden % spec.heads == 0) return fine();
  return Error{"heads_not_divisible", "heads",
               "the hidden size " + std::to_string(spec.hidden) + " cannot be shared by " +
                   std::to_string(spec.heads) + " heads equally"};
}

BlockKind block_kind(const GptSpec& spec, int block) {
  assert(block >= 0 && block < spec.block_count());
  if (block == 0) return BlockKind::embedding;
  if (block == spec.block_count() - 1) return BlockKind::head;
  return block % 2 == 1 ? BlockKind::attention : BlockKind::mlp;
}

std::vector<ParameterTensor> block_tensors(const GptSpec& spec, int block) {
  const std::string layer = "layer " + std::to_string((block - 1) / 2) + " ";
  switch (block_kind(spec, block)) {
    case BlockKind::embedding:
      return {{"token embedding", spec.vocabulary, spec.hidden},
              {"position embedding", spec.sequence_length, spec.hidden}};
    case BlockKind::attention:
      return attention_tensors(spec, layer);
    case BlockKind::mlp:
      return mlp_tensors(spec, layer);
    case BlockKind::head:
      break;
  }
  std::vector<ParameterTensor> tensors = {{"final norm weight", 1, spec.hidden},
                                          {"final norm bias", 1, spec.hidden}};
  if (!spec.tied_head) tensors.push_back({"head weight", spec.vocabulary, spec.hidden});
  return tensors;
}

ParameterTensor part_of_shard(const ParameterTensor& tensor, const Shard& shard) {
  ParameterTensor part = tensor;
  if (tensor.split == Split::columns) part.columns /= shard.count;
  if (tensor.split == Split::rows || tensor.split == Split::thirds) part.rows /= shard.count;
  return part;
}

std::size_t parameter_count(const GptSpec& spec, int first_block, int last_block,
                            const Shard& shard) {
  std::size_t count = 0;
  for (int block = first_block; block < last_block; ++block) {
    for (const ParameterTensor& tensor : block_tensors(spec, block)) {
      count += size_of(part_of_shard(tensor, shard));
    }
  }
  return count;
}

std::size_t unsplit_count(const GptSpec& spec, int block, const Shard& shard) {
  std::size_t count = 0;
  for (const ParameterTensor& tensor : block_tensors(spec, block)) {
    if (shard.count == 1 || tensor.split == Split::none) count += size_of(tensor);
  }
  return count;
}

std::vector<std::size_t> block_indices(const GptSpec& spec, int block, const Shard& shard) {
  std::vector<std::size_t> indices;
  std::size_t first = 0;
  for (const ParameterTensor& tensor : block_tensors(spec, block)) {
    const ParameterTensor part = part_of_shard(tensor, shard);
    for (int row = 0; row < part.rows; ++row) {
      for (int column = 0; column < part.columns; ++column) {
        int whole_row = row;
        int whole_column = column;
        if (tensor.split == Split::rows) whole_row += shard.index * part.rows;
        if (tensor.split == Split::columns) whole_column += shard.index * part.columns;
        if (tensor.split == Split::thirds) {
          const int third = part.rows / 3;
          whole_row = row / third * (tensor.rows / 3) + shard.index * third + row % third;
        }
        indices.push_back(
            first + static_cast<std::size_t>(whole_row) * static_cast<std::size_t>(tensor.columns) +
            static_cast<std::size_t>(whole_column));
      }
    }
    first += size_of(tensor);
  }
  return indices;
}

std::string describe_parameter(const GptSpec& spec, std::size_t index) {
  for (int block = 0; block < spec.block_count(); ++block) {
    for (const ParameterTensor& tensor : block_tensors(spec, block)) {
      if (index >= size_of(tensor)) {
        index -= size_of(tensor);
        continue;
      }
      const auto columns = static_cast<std::size_t>(tensor.columns);
      return tensor.name + ", row " + std::to_string(index / columns) + ", column " +
             std::to_string(index % columns);
    }
  }
  return "no parameter of the model";
}

}  // namespace lockstep
