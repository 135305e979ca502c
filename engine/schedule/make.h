// The makers behind the rows of the schedule table, and what they share. p ranks, m microbatches,
// rank r; every maker's order is that of its source.
#pragma once

#include <string_view>

#include "schedule/schedule.h"

namespace lockstep {

/// Forward passes alone, as for inference: rank r does all m of stage r. Error: chunks_not_one.
Result<Schedule> make_forward_only(const ScheduleShape& shape);

/// No pipelining: a microbatch goes forward through all stages and back again before the next one
/// begins, so that one rank works at a time. Error: chunks_not_one.
Result<Schedule> make_naive(const ScheduleShape& shape);

/// GPipe (Huang et al. 2019): on every rank all m forwards, then all m backwards, both in the order
/// of microbatches. Error: chunks_not_one.
Result<Schedule> make_gpipe(const ScheduleShape& shape);

/// The same with the backwards in reverse, so that the newest activations are freed first. Error:
/// chunks_not_one.
Result<Schedule> make_gpipe_lifo(const ScheduleShape& shape);

/// 1F1B (PipeDream-flush, Narayanan et al. 2021): rank r does min(m, p−1−r) forwards, then forward
/// and backward in turn, then the remaining backwards. Any m (PyTorch wants m >= p). Error:
/// chunks_not_one.
Result<Schedule> make_one_f_one_b(const ScheduleShape& shape);

/// Interleaved 1F1B (Narayanan et al. 2021, PyTorch's ScheduleInterleaved1F1B): as 1F1B in the
/// order of interleaved.h, after (v−1)n + 2(p−1−r) forwards. Error: microbatches_not_in_rounds.
Result<Schedule> make_interleaved_one_f_one_b(const ScheduleShape& shape);

/// ZB1P (Qi et al. 2023 for v = 1, PyTorch's ScheduleInterleavedZeroBubble): input and weight
/// gradients apart, so that weight gradients fill the bubble; (v−1)n + p−1−r forwards come first.
/// Error: microbatches_not_in_rounds.
Result<Schedule> make_interleaved_zero_bubble(const ScheduleShape& shape);

/// ZB-H1 (Qi et al. 2023): the one before for v = 1. Errors: chunks_not_one,
/// microbatches_not_in_rounds.
Result<Schedule> make_zb_h1(const ScheduleShape& shape);

/// ZB-H2 (Qi et al. 2023): 2(p−r)−1 forwards, then input gradient, weight gradient and forward in
/// turn, where rank r keeps its first 2r weight gradients for its drain: no bubble inside of a
/// rank's span, for 2p−1 activations. Errors: chunks_not_one, too_few_microbatches (m ≥ 2p−1).
Result<Schedule> make_zb_h2(const ScheduleShape& shape);

/// ZB-V (Qi et al. 2024, PyTorch's ScheduleZBVZeroBubble): rank r holds stages r and 2p−1−r.
/// Error: chunks_not_two.
Result<Schedule> make_zbv(const ScheduleShape& shape);

/// DualPipeV (DeepSeek 2025, PyTorch's ScheduleDualPipeV): rank r holds stages r and 2p−1−r; a
/// forward of one and a backward of the other overlap. Errors: chunks_not_two,
/// too_few_microbatches (m ≥ 2p).
Result<Schedule> make_dualpipe_v(const ScheduleShape& shape);

/// DualPipe (DeepSeek-V3 2024): the first half of the microbatches enters at rank 0, the second at
/// rank p−1, so that rank r holds stages r and p−1−r; a forward of one direction and a backward of
/// the other overlap. Errors: chunks_not_one, ranks_not_even, microbatches_not_even,
/// too_few_microbatches (m ≥ 2p).
Result<Schedule> make_dualpipe(const ScheduleShape& shape);

/// V-Half (Qi et al. 2024, "Pipeline Parallelism with Controllable Memory"): rank r holds stages r
/// and 2p−1−r; at most 2(⌊p/2⌋ + 1) of the 2p chunk activations that 1F1B keeps. Error:
/// chunks_not_two.
Result<Schedule> make_v_half(const ScheduleShape& shape);

/// V-Min (the same): at most 2⌊(p+4)/3⌋ chunk activations. Error: chunks_not_two.
Result<Schedule> make_v_min(const ScheduleShape& shape);

/// Looped breadth-first (Lamy-Poirier 2022, PyTorch's ScheduleLoopedBFS): all forwards of chunk 0,
/// of chunk 1, …; then all backwards, chunks and microbatches in reverse.
Result<Schedule> make_looped_bfs(const ScheduleShape& shape);

/// Schedules without actions, to be filled. Stage s is on rank s mod p;
Schedule looped_schedule(std::string_view name, const ScheduleShape& shape);
/// the same for one chunk a rank (error: chunks_not_one);
Result<Schedule> straight_schedule(std::string_view name, const ScheduleShape& shape);
/// or rank r holds stages r and 2p−1−r (error: chunks_not_two).
Result<Schedule> v_schedule(std::string_view name, const ScheduleShape& shape);

}  // namespace lockstep
