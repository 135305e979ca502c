// What the files of this folder are written with: steps of messages between positions of a group.
#pragma once

#include <span>
#include <vector>

#include "collective/collective.h"
#include "program/program.h"

namespace lockstep {

/// A message between two positions of a group.
struct Transfer {
  int from = 0;
  int to = 0;
  TensorName part = {};
  Op receive = Op::receive;  ///< or receive_add
};

/// Appends messages that depend on earlier steps only: everyone sends before it receives.
void append_step(Program& program, std::span<const int> group, std::span<const Transfer> step);

/// ⌊lg N⌋ as a power: the largest power of two that is at most `devices`.
int power_of_two_below(int devices);

/// ⌈lg N⌉
int ceil_log2(int devices);

/// N−1 steps round the ring; position r sends chunk (r − step + shift) mod N of N to r+1, which
/// adds it to its own or keeps it.
void append_ring(Program& program, std::span<const int> group, const TensorName& whole, int shift,
                 Op receive);

/// ⌈lg N⌉ steps: in step k the positions below 2^k send `whole` to those 2^k further on.
void append_binomial_broadcast(Program& program, std::span<const int> group,
                               const TensorName& whole);

/// The positions that take part in an algorithm for powers of two: of each of the first pairs only
/// the even one, after it has added what the odd one has (append_fold); the odd ones get the result
/// at the end (append_unfold).
std::vector<int> folded_positions(int devices);
void append_fold(Program& program, std::span<const int> group, const TensorName& whole);
void append_unfold(Program& program, std::span<const int> group, const TensorName& whole);

// The rows of the table; each is described in its file.
void ring_all_reduce(Program& program, std::span<const int> group, const TensorName& whole);
CollectiveCost ring_all_reduce_cost(int devices);
void ring_reduce_scatter(Program& program, std::span<const int> group, const TensorName& whole);
void ring_all_gather(Program& program, std::span<const int> group, const TensorName& whole);
CollectiveCost half_ring_cost(int devices);
void tree_all_reduce(Program& program, std::span<const int> group, const TensorName& whole);
CollectiveCost tree_all_reduce_cost(int devices);
void recursive_doubling(Program& program, std::span<const int> group, const TensorName& whole);
CollectiveCost recursive_doubling_cost(int devices);
void rabenseifner(Program& program, std::span<const int> group, const TensorName& whole);
CollectiveCost rabenseifner_cost(int devices);
void double_binary_tree(Program& program, std::span<const int> group, const TensorName& whole);
CollectiveCost double_binary_tree_cost(int devices);
void central_all_reduce(Program& program, std::span<const int> group, const TensorName& whole);
CollectiveCost central_all_reduce_cost(int devices);
void binomial_broadcast(Program& program, std::span<const int> group, const TensorName& whole);
CollectiveCost binomial_broadcast_cost(int devices);
void scatter_all_gather_broadcast(Program& program, std::span<const int> group,
                                  const TensorName& whole);
CollectiveCost scatter_all_gather_broadcast_cost(int devices);
void pairwise_all_to_all(Program& program, std::span<const int> group, const TensorName& whole);
CollectiveCost pairwise_all_to_all_cost(int devices);

}  // namespace lockstep
