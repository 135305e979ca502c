// Collectives on the flat gradient of a group of devices, as sends and receives appended to the
// devices' instruction lists. S in a description is the size of the whole vector, N the group's.
#pragma once

#include <span>
#include <string_view>

#include "core/result.h"
#include "program/program.h"

namespace lockstep {

/// A collective we know.
struct CollectiveRow {
  std::string_view name;
  std::string_view description;  ///< one line, with its cost
  /// Appends the collective among `group`: ranks of `program`, each once, in the group's own order.
  /// A group of one does nothing. Every device's gradient must have the same number of elements;
  /// which number does not matter: where it is smaller than the number of chunks, some messages
  /// carry no element but are sent all the same, so that a program fits gradients of any size.
  void (*append)(Program& program, std::span<const int> group);
};

/// Every collective; to add one, write <name>.cpp and a row in table.cpp.
std::span<const CollectiveRow> collective_table();

/// The collective called `name`. Error: unknown_collective (with the nearest name).
Result<CollectiveRow> find_collective(std::string_view name);

/// Leaves the sum of all gradients on every device, in 2(N−1) steps of N messages of one chunk of
/// S/N: 2(N−1)/N·S sent by each device, the least possible (Patarasuk and Yuan 2009). In step k of
/// the reduce-scatter rank r sends chunk (r−k) mod N to r+1, which adds it to its own; r then owns
/// the sum of chunk (r+1) mod N. In step k of the all-gather r sends chunk (r+1−k) mod N to r+1,
/// which keeps it. Chunk c is summed in the order of ranks c, c+1, …, whatever arrives first.
void ring_all_reduce(Program& program, std::span<const int> group);

}  // namespace lockstep
