// What a run trains on: which model, which numbers, and which rows each device sees. A device needs
// nothing else to draw its own parameters and its own part of the batch.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/result.h"
#include "model/gradient.h"
#include "model/model_spec.h"
#include "model/optimizer.h"
#include "tensor/matrix.h"

namespace lockstep {

/// The numbers of tensors: IEEE 754 single or double.
enum class Precision { float32, float64 };

/// Rows first … first + count − 1 of the batch.
struct RowRange {
  int first = 0;
  int count = 0;

  bool operator==(const RowRange&) const = default;
};

struct TrainingSet {
  ModelSpec model;
  std::uint64_t seed = 0;  ///< of the parameters, and of the batch unless `own_batch` is given
  Precision precision = Precision::float64;

  /// The rows of each microbatch: first those of replica 0, then of replica 1, …, in row order and
  /// without gaps, so that each row of the batch is used once.
  std::vector<RowRange> row_ranges;
  int microbatches = 1;          ///< of each replica
  OptimizerSpec optimizer = {};  ///< of a program's updates

  /// A learner's own inputs and targets in place of drawn ones; rounded to `precision`.
  std::optional<Batch<double>> own_batch = std::nullopt;

  int replica_count() const { return static_cast<int>(row_ranges.size()) / microbatches; }
  int row_count() const { return row_ranges.back().first + row_ranges.back().count; }
  const RowRange& rows(int replica, int microbatch) const {
    return row_ranges[static_cast<std::size_t>(replica * microbatches + microbatch)];
  }
  int replica_row_count(int replica) const;
};

/// Refuses what cannot be trained on: a model or batch outside its limits (see check_spec and
/// check_rows), ranges that are empty or leave a gap (`rows_out_of_order`), and an own batch of
/// another size or with a NaN or infinity (`shape_mismatch`, `not_finite`: "inputs row 3, column
/// 2"). All else here needs a set that passed.
Status check_training_set(const TrainingSet& set);

/// The inputs of some rows in a step of training; those of a device, or of the whole batch. Each
/// step draws rows of its own, unless they are given.
template <typename T>
Matrix<T> input_rows(const TrainingSet& set, const RowRange& rows, int step = 0);

/// The targets of the same rows.
template <typename T>
Matrix<T> target_rows(const TrainingSet& set, const RowRange& rows, int step = 0);

}  // namespace lockstep
