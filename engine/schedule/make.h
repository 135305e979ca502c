// The makers behind the rows of the schedule table, and what they share. p ranks, m microbatches,
// rank r; every maker's order is that of its source.
#pragma once

#include <string_view>

#include "schedule/schedule.h"

namespace lockstep {

/// GPipe (Huang et al. 2019): on every rank all m forwards, then all m backwards, both in the order
/// of microbatches. Error: chunks_not_one.
Result<Schedule> make_gpipe(const ScheduleShape& shape);

/// 1F1B (PipeDream-flush, Narayanan et al. 2021): rank r does min(m, p−1−r) forwards, then forward
/// and backward in turn, then the remaining backwards. Any m (PyTorch wants m >= p). Error:
/// chunks_not_one.
Result<Schedule> make_one_f_one_b(const ScheduleShape& shape);

/// A schedule without actions for a shape of one chunk a rank: stage s is on rank s.
/// Error: chunks_not_one.
Result<Schedule> straight_schedule(std::string_view name, const ScheduleShape& shape);

}  // namespace lockstep
