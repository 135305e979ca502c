// Collectives: what a group of devices does together with a tensor that each of them has, as sends
// and receives appended to the devices' instruction lists. In descriptions and costs S is the size
// of the whole tensor, N the group's, lg the logarithm to base 2 rounded up. A device is known by
// its position in the group; chunk i is the i-th of N (chunk_range).
#pragma once

#include <span>
#include <string_view>

#include "core/rational.h"
#include "core/result.h"
#include "program/program.h"

namespace lockstep {

enum class CollectiveKind {
  all_reduce,      ///< everyone ends with the sum over the group, bit for bit the same
  reduce_scatter,  ///< position i ends with the sum of chunk i; the rest of its tensor is undefined
  all_gather,      ///< position i begins with chunk i; everyone ends with all chunks
  broadcast,       ///< everyone ends with what position 0 has
  all_to_all,      ///< position i begins with block (i, j) for every j, ends with all blocks (j, i)
};

/// What a collective costs in the latency-bandwidth model, where a message of s bytes keeps the
/// sender's and the receiver's port busy for α + s·β, and adding numbers is free.
struct CollectiveCost {
  int steps = 0;           ///< messages one after the other: the time is steps·α + …
  Rational sent = 0;       ///< bytes that the busiest device sends, in units of S
  Rational transfers = 0;  ///< … + transfers·S·β
  bool at_most = false;    ///< whether the time is a bound, and may be less
};

/// A collective we know.
struct CollectiveRow {
  std::string_view name;
  std::string_view description;  ///< one line
  CollectiveKind kind;
  /// Appends the collective on `whole`, a tensor that has one chunk and that all have in the same
  /// size, among `group`: ranks of `program`, each once. A group of one does nothing. The program
  /// fits tensors of any size: where there are more chunks than elements, some messages carry none
  /// but are sent all the same. An all-to-all has blocks of its own and does not look at `whole`.
  void (*append)(Program& program, std::span<const int> group, const TensorName& whole);
  /// For any N from 1 on and an S that all chunks divide.
  CollectiveCost (*cost)(int devices);
};

/// Every collective; to add one, write <name>.cpp and a row in table.cpp.
std::span<const CollectiveRow> collective_table();

/// The collective called `name`. Error: unknown_collective (with the nearest name).
Result<CollectiveRow> find_collective(std::string_view name);

/// The collective called `name`, which must be of this kind. Errors: unknown_collective,
/// wrong_kind.
Result<CollectiveRow> find_collective(std::string_view name, CollectiveKind kind);

/// "all-reduce", "reduce-scatter", …
std::string_view kind_text(CollectiveKind kind);

}  // namespace lockstep
