// Runs as JSON text: what the page and `lockstep run --json` read and write.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/result.h"
#include "device/device.h"
#include "device/gradient_check.h"
#include "document/key_table.h"
#include "strategy/strategy.h"

namespace lockstep {

/// The config in a JSON object that has any of the fields of RunConfig, under the same names:
///
///   {"strategy": "data_parallel", "widths": [16, 32, 32, 4], "rows": 64, "seed": 1,
///    "precision": "float64", "devices": 4, "weighted": false, "shares": [16, 16, 16, 16],
///    "schedule": "one_f_one_b", "stages": 4, "chunks": 1, "microbatches": 8}
///
/// Missing fields get the defaults of their strategy; a strategy that is not named is
/// data_parallel. Seeds are at most 2^53 − 1, which every reader of JSON can hold. Only the form is
/// checked: ask make_plan whether it can be run. Errors: those of parse_json and check_keys,
/// `where` being the JSON Pointer of the field; unknown_strategy, unknown_precision.
Result<RunConfig> read_run_config(std::string_view json);

/// The same for an object inside another request, which keeps to run_config_table().
Result<RunConfig> run_config_of(const FileNode& node);
const KeyTable& run_config_table();

/// The config, every field that its strategy reads written out; read_run_config gives it back.
std::string write_run_config(const RunConfig& config);

/// A plan for a page to show: {"config": …, "parameters": N, "program": TEXT (program/text.h),
/// "devices": [{"rows": N, "stages": [0], "operations": ["forward", "backward", "send", …]}, …]},
/// where `rows` counts the rows that a device works on and an operation is the word of an
/// instruction.
std::string write_plan(const RunConfig& config, const Plan& plan);

/// The counters of a device, under the names of DeviceCounters.
std::string write_counters(const DeviceCounters& counters);

/// {"passed": …, "hash": …, "single_device_hash": …, "bit_equal": …, "largest_difference": …,
/// "largest_relative_difference": …, "largest_share_of_bound": …, "worst": {"parameter": TEXT,
/// "difference": …, "bound": …}, "parameters": {"bit_equal", "largest_difference", "bound"} or
/// null, "losses": […], "single_device_losses": […], "loss": …, "single_device_loss": …,
/// "loss_bound": …, "finite_differences": {"compared": N, "skipped": N, "largest_difference": …,
/// "largest_share_of_bound": …}}. Infinite differences are null.
std::string write_report(const GradientReport& report);

/// A whole run: {"config": …, "devices": [COUNTERS, …], "report": …}.
std::string write_run(const RunConfig& config, std::span<const Device> devices,
                      const GradientReport& report);

/// {"error": {"code": …, "where": …, "message": …}}.
std::string write_error(const Error& error);

}  // namespace lockstep
