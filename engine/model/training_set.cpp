#include "model/training_set.h"

#include <cstddef>
#include <string>

#include "model/draw.h"

namespace lockstep {
namespace {

Status check_row_ranges(const TrainingSet& set) {
  const std::size_t ranges = set.row_ranges.size();
  if (set.microbatches < 1 || ranges == 0 ||
      ranges % static_cast<std::size_t>(set.microbatches) != 0) {
    return Error{"rows_out_of_order", "rows",
                 "there are " + std::to_string(ranges) + " ranges of rows for replicas of " +
                     std::to_string(set.microbatches) +
                     " microbatches: give one range for each microbatch of each replica"};
  }
  int next = 0;
  for (std::size_t i = 0; i < ranges; ++i) {
    const RowRange& range = set.row_ranges[i];
    const std::string where = "rows " + std::to_string(i);
    if (range.first != next) {
      return Error{"rows_out_of_order", where,
                   "this range of rows starts at row " + std::to_string(range.first) +
                       " and should start at row " + std::to_string(next) +
                       ", so that every row is used once"};
    }
    if (range.count < 1 || range.count > kRowsMax - next) {
      return Error{"rows_out_of_order", where,
                   "this range has " + std::to_string(range.count) +
                       " rows: each has at least one, and all together at most " +
                       std::to_string(kRowsMax)};
    }
    next += range.count;
  }
  return fine();
}

template <typename T>
Matrix<T> rounded(const Matrix<double>& from, const RowRange& rows) {
  Matrix<T> to(rows.count, from.columns);
  for (int row = 0; row < rows.count; ++row) {
    for (int column = 0; column < from.columns; ++column) {
      to.at(row, column) = static_cast<T>(from.at(rows.first + row, column));
    }
  }
  return to;
}

/// Also refuses what is finite in float64 and infinite in float32.
Status check_own_batch(const TrainingSet& set) {
  const Batch<double>& own = *set.own_batch;
  const MlpSpec* mlp = std::get_if<MlpSpec>(&set.model);
  if (mlp == nullptr) {
    return Error{"not_for_model", "batch", "a transformer's tokens are drawn, not given"};
  }
  if (Status status = check_batch(*mlp, own); !status.ok()) return status;
  if (own.inputs.rows != set.row_count()) {
    return Error{"shape_mismatch", "inputs",
                 "inputs have " + std::to_string(own.inputs.rows) +
                     " rows, but the devices are to take " + std::to_string(set.row_count())};
  }
  if (set.precision == Precision::float64) return fine();
  const RowRange all = {0, set.row_count()};
  const Batch<float> narrow = {rounded<float>(own.inputs, all), rounded<float>(own.targets, all)};
  return check_batch(*mlp, narrow);
}

int first_of(const TrainingSet& set, const RowRange& rows, int step) {
  return rows.first + step * set.row_count();
}

}  // namespace

int TrainingSet::replica_row_count(int replica) const {
  const RowRange& last = rows(replica, microbatches - 1);
  return last.first + last.count - rows(replica, 0).first;
}

Status check_training_set(const TrainingSet& set) {
  Status status = check_spec(set.model);
  if (status.ok()) status = check_row_ranges(set);
  if (status.ok()) status = check_rows(set.model, set.row_count());
  if (status.ok() && set.own_batch) status = check_own_batch(set);
  return status;
}

template <typename T>
Matrix<T> input_rows(const TrainingSet& set, const RowRange& rows, int step) {
  if (set.own_batch) return rounded<T>(set.own_batch->inputs, rows);
  return draw_inputs<T>(set.model, set.seed, first_of(set, rows, step), rows.count);
}

template <typename T>
Matrix<T> target_rows(const TrainingSet& set, const RowRange& rows, int step) {
  if (set.own_batch) return rounded<T>(set.own_batch->targets, rows);
  return draw_targets<T>(set.model, set.seed, first_of(set, rows, step), rows.count);
}

template Matrix<float> input_rows(const TrainingSet&, const RowRange&, int);
template Matrix<double> input_rows(const TrainingSet&, const RowRange&, int);
template Matrix<float> target_rows(const TrainingSet&, const RowRange&, int);
template Matrix<double> target_rows(const TrainingSet&, const RowRange&, int);

}  // namespace lockstep
