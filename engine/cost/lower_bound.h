// How long a pipeline takes at the least, whatever the order of its work.
#pragma once

#include <optional>

#include "core/rational.h"
#include "core/result.h"
#include "cost/simulate.h"
#include "schedule/schedule.h"

namespace lockstep {

/// How the backward of a stage may be done: not at all, whole (B), or in halves (I and W), where
/// the gradient goes on after I and W can wait.
enum class BackwardForm { none, whole, halves };

/// How the backwards of `schedule` are done: in halves where any is.
BackwardForm backward_form(const Schedule& schedule);

/// Between which orders of work a bound or a search looks.
struct OrderLimits {
  BackwardForm backward = BackwardForm::halves;
  std::optional<int> memory_cap = {};  ///< activations in flight on a rank, at least 1
  Freeing freeing = Freeing::at_weight_gradient;
};

/// A time before which no order of the work of `schedule` ends, wherever its stages are: the order
/// in which its ranks do it is not looked at. For each rank its work in a row, after the shortest
/// way to it and before the shortest way from it (head, body and tail of one machine in a job shop:
/// Carlier 1982); no input gradient before a microbatch has been there and back, and until then
/// only the forwards for which there is memory; where memory is full, one round trip after the
/// other. Errors: those of simulate, out_of_range (memory_cap).
Result<Rational> least_time(const Schedule& schedule, const Durations& durations,
                            const OrderLimits& limits = {});

}  // namespace lockstep
