// Runs with faults as JSON text and as lines: what a page and `lockstep run --faults` replay.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"
#include "device/fault_run.h"
#include "strategy/strategy.h"

namespace lockstep {

/// The run of a config with the faults that `seed` draws. Errors: those of make_plan.
Result<FaultRun> run_with_drawn_faults(const RunConfig& config, std::uint64_t seed);

/// Replays what {"run": CONFIG (json/run_json.h), "seed": SEED, "faults": [{"kind": "drop",
/// "device": 1, "send": 5, "when": 0}, …]} asks for and writes it as write_fault_run or write_error
/// does. Without "faults" they are drawn from the seed; "send" and "when" may be missing.
std::string replay_faults(std::string_view json);

/// {"outcome": "right" or "error" or "wrong", "error": {"device", "step", "kind", "seed", "where",
/// "message"} or null, "faults": [{"kind", "device", "send", "when"}, …], "struck": N, "ticks": N,
/// "trace_hash": 16 hexadecimal digits}. "device" and "step" are null where none can be named,
/// "send" where the fault takes any.
std::string write_fault_run(const FaultRun& run);

/// The same for people, line by line.
std::string fault_run_text(const FaultRun& run);

}  // namespace lockstep
