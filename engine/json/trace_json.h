// Traces as JSON text for trace viewers.
#pragma once

#include <string>

#include "export/trace.h"

namespace lockstep {

/// The trace in Chrome's Trace Event Format, which ui.perfetto.dev and chrome://tracing show: one
/// track a rank; each cell a complete event ("X") with its exact "start" and "duration" as texts
/// among its arguments; each message a flow from the end of the cell that sends it ("s") to the
/// start of the cell that needs it ("f"); and the activations in flight on each rank as a counter
/// ("C"). One unit of the durations is shown as a microsecond.
std::string write_trace(const Trace& trace);

}  // namespace lockstep
