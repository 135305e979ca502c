// Two binary trees at once, each for half of the tensor (Sanders et al. 2009; NCCL 2.4): a device
// that has children in one is a leaf of the other, so that nobody sends more than 2S. Each half
// goes up to its root and down again in pieces, one behind the other.
#include <algorithm>
#include <cstddef>

#include "collective/steps.h"

namespace lockstep {
namespace {

/// Pieces of each half that are on their way at once: more hide the depth of the tree, fewer save
/// latencies.
constexpr int kPieces = 4;

constexpr int kNobody = -1;

/// A tree as the parent of each position.
using Parents = std::vector<int>;

/// Positions in order from left to right. With the lowest bit of a position as 2^k, its parent has
/// bit k clear and bit k+1 set, or where that is past the end, clear too. Position 0 is the root.
Parents in_order_tree(int size) {
  Parents parents(static_cast<std::size_t>(size), kNobody);
  for (int position = 1; position < size; ++position) {
    const int bit = position & -position;
    const int parent = (position ^ bit) | (bit << 1);
    parents[static_cast<std::size_t>(position)] = parent < size ? parent : position ^ bit;
  }
  return parents;
}

/// The same tree with other names: mirrored where N is even, else each position moved by one.
/// Leaves are even positions, so that they become odd ones.
Parents other_tree(int size) {
  const Parents parents = in_order_tree(size);
  const auto renamed = [size](int position) {
    return size % 2 == 0 ? size - 1 - position : (position + 1) % size;
  };
  Parents other(parents.size(), kNobody);
  for (int position = 0; position < size; ++position) {
    const int parent = parents[static_cast<std::size_t>(position)];
    if (parent == kNobody) continue;
    other[static_cast<std::size_t>(renamed(position))] = renamed(parent);
  }
  return other;
}

int depth_of(const Parents& parents, int position) {
  const int parent = parents[static_cast<std::size_t>(position)];
  return parent == kNobody ? 0 : depth_of(parents, parent) + 1;
}

int depth_of_deepest(const Parents& parents) {
  int deepest = 0;
  for (int position = 0; position < static_cast<int>(parents.size()); ++position) {
    deepest = std::max(deepest, depth_of(parents, position));
  }
  return deepest;
}

/// A piece goes up one edge a step and, having been at the root, down one edge a step.
int step_count(const Parents& parents) {
  return 2 * depth_of_deepest(parents) + kPieces - 1;
}

/// What one tree does in one step with its pieces, of which `first_chunk` is the first.
void add_transfers(const Parents& parents, int step, const TensorName& whole, int first_chunk,
                   std::vector<Transfer>& transfers) {
  const int height = depth_of_deepest(parents);
  for (int position = 0; position < static_cast<int>(parents.size()); ++position) {
    const int parent = parents[static_cast<std::size_t>(position)];
    if (parent == kNobody) continue;
    const int depth = depth_of(parents, position);
    const auto piece_of = [&](int piece) {
      return part_of(whole, first_chunk + piece, 2 * kPieces);
    };
    const int up = step - (height - depth);
    if (up >= 0 && up < kPieces) {
      transfers.push_back({position, parent, piece_of(up), Op::receive_add});
    }
    const int down = step - (height + depth - 1);
    if (down >= 0 && down < kPieces) transfers.push_back({parent, position, piece_of(down)});
  }
}

}  // namespace

void double_binary_tree(Program& program, std::span<const int> group, const TensorName& whole) {
  const int size = static_cast<int>(group.size());
  const Parents one = in_order_tree(size);
  const Parents other = other_tree(size);
  for (int step = 0; step < step_count(one); ++step) {
    std::vector<Transfer> transfers;
    add_transfers(one, step, whole, 0, transfers);
    add_transfers(other, step, whole, kPieces, transfers);
    append_step(program, group, transfers);
  }
}

/// A device has at most four messages to send and four to receive in a step, of which the last is
/// sent after four transfers and may then have three others before it at the receiver's port.
CollectiveCost double_binary_tree_cost(int devices) {
  if (devices == 1) return {};
  const Parents one = in_order_tree(devices);
  const Parents other = other_tree(devices);
  std::vector<int> halves_sent(static_cast<std::size_t>(devices), 0);
  for (const Parents& parents : {one, other}) {
    for (std::size_t position = 0; position < parents.size(); ++position) {
      if (parents[position] == kNobody) continue;
      ++halves_sent[position];
      ++halves_sent[static_cast<std::size_t>(parents[position])];
    }
  }
  const int transfers = 7 * step_count(one);
  return {.steps = transfers,
          .sent = Rational(*std::ranges::max_element(halves_sent)) / Rational(2),
          .transfers = Rational(transfers) / Rational(2 * kPieces),
          .at_most = true};
}

}  // namespace lockstep
