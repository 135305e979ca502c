// lockstep run: one training step on native threads, checked against one device.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "device/gradient_check.h"
#include "formula/exact_value.h"
#include "host/thread_cluster.h"
#include "json/fault_json.h"
#include "json/run_json.h"
#include "strategy/strategy.h"

namespace lockstep::cli {
namespace {

constexpr Option kOptions[] = {
    {"--strategy", "NAME", "data_parallel, pipeline_parallel, tensor_parallel or parallel_3d"},
    {"--devices", "N", "data_parallel: 1 to 16 devices (4)"},
    {"--rows", "R", "rows of the whole batch (64; 8 sequences)"},
    {"--seed", "S", "of parameters and rows (1)"},
    {"--precision", "P", "float64 or float32 (float64)"},
    {"--optimizer", "NAME", "none, sgd, momentum or adam: update the parameters (none)"},
    {"--learning-rate", "R", "of the optimizer (0.1; 0.01 of adam)"},
    {"--steps", "K", "steps of training, 1 to 100; more than one with an optimizer (1)"},
    {"--model", "NAME", "mlp or transformer"},
    {"--widths", "A,B,...", "widths of the MLP, inputs first"},
    {"--layers", "L", "transformer: layers, each attention and MLP (2)"},
    {"--hidden", "H", "transformer: width of the activations (16)"},
    {"--heads", "A", "transformer: attention heads (4)"},
    {"--sequence", "S", "transformer: tokens a row has (8)"},
    {"--vocabulary", "V", "transformer: how many tokens there are (32)"},
    {"--weighted", "", "data_parallel: weigh gradients by rows, so that shares may differ"},
    {"--collective", "NAME", "an all-reduce of `lockstep collective --list` (ring_all_reduce)"},
    {"--shares", "A,B,...", "data_parallel: rows of each device"},
    {"--schedule", "NAME", "of the pipeline: a row of `lockstep schedule` (one_f_one_b)"},
    {"--stages", "P", "1 to 16 devices in the pipeline (4; 2)"},
    {"--chunks", "V", "model chunks that a device of the pipeline holds (1)"},
    {"--microbatches", "M", "of the pipeline (8; 2)"},
    {"--data", "D", "parallel_3d: copies of the pipeline (2)"},
    {"--tensor", "T", "tensor_parallel, parallel_3d: devices that share each block (2)"},
    {"--faults", "SEED", "draw faults from a seed, and replay the run in one thread"},
};

/// Refuses an option that the strategy would not look at.
Status check_options(const Arguments& arguments, std::string_view strategy) {
  constexpr std::string_view kData = "data_parallel";
  constexpr std::string_view kPipeline = "pipeline_parallel parallel_3d";
  constexpr std::string_view kOnlyFor[][2] = {
      {"--devices", kData},      {"--weighted", kData},
      {"--shares", kData},       {"--collective", "data_parallel tensor_parallel parallel_3d"},
      {"--schedule", kPipeline}, {"--stages", kPipeline},
      {"--chunks", kPipeline},   {"--microbatches", kPipeline},
      {"--data", "parallel_3d"}, {"--tensor", "tensor_parallel parallel_3d"},
  };
  for (const auto& [option, owners] : kOnlyFor) {
    if (!arguments.has(option) || owners.find(strategy) != std::string_view::npos) continue;
    std::string names(owners);
    std::ranges::replace(names, ' ', ',');
    return Error{
        "bad_use", std::string(option),
        "the option is for the strategy " + names + ", and this is " + std::string(strategy)};
  }
  return fine();
}

/// Refuses an option that the model would not look at.
Status check_model_options(const Arguments& arguments, std::string_view model) {
  constexpr std::string_view kOnlyFor[][2] = {
      {"--widths", "mlp"},        {"--layers", "transformer"},   {"--hidden", "transformer"},
      {"--heads", "transformer"}, {"--sequence", "transformer"}, {"--vocabulary", "transformer"},
  };
  for (const auto& [option, owner] : kOnlyFor) {
    if (!arguments.has(option) || owner == model) continue;
    return Error{"bad_use", std::string(option),
                 "the option is for the model " + std::string(owner) + ", and this is " +
                     std::string(model)};
  }
  return fine();
}

/// Sets the fields that are given as whole numbers; make_plan knows their ranges.
Status set_integers(const Arguments& arguments, RunConfig& config) {
  const struct {
    std::string_view option;
    int& field;
  } rows[] = {
      {"--devices", config.devices},
      {"--rows", config.rows},
      {"--steps", config.steps},
      {"--stages", config.stages},
      {"--chunks", config.chunks},
      {"--microbatches", config.microbatches},
      {"--data", config.data},
      {"--tensor", config.tensor},
      {"--layers", config.transformer.layers},
      {"--hidden", config.transformer.hidden},
      {"--heads", config.transformer.heads},
      {"--sequence", config.transformer.sequence_length},
      {"--vocabulary", config.transformer.vocabulary},
  };
  for (const auto& row : rows) {
    const Result<long> value = arguments.integer(
        row.option, row.field, std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
    if (!value.ok()) return value.error();
    row.field = static_cast<int>(value.value());
  }
  return fine();
}

Status set_learning_rate(const Arguments& arguments, RunConfig& config) {
  constexpr std::string_view kOption = "--learning-rate";
  if (!arguments.has(kOption)) return fine();
  const Result<Rational> rate = read_exact(std::string(kOption), arguments.text(kOption));
  if (!rate.ok()) return rate.error();
  config.learning_rate = to_double(rate.value());
  if (config.learning_rate > 0) return fine();
  return Error{"bad_use", std::string(kOption), "a learning rate is more than 0"};
}

/// Sets a field that is given as "16,32,4".
Status set_list(const Arguments& arguments, std::string_view option, std::vector<int>& field) {
  if (!arguments.has(option)) return fine();
  field.clear();
  const std::string text = arguments.text(option);
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    int number = 0;
    const auto [next, fault] = std::from_chars(at, end, number);
    const bool more = fault == std::errc() && next != end && *next == ',';
    if (fault != std::errc() || (next != end && !more)) {
      return Error{"bad_use", std::string(option),
                   "whole numbers with commas are needed, such as 16,32,4, not \"" + text + "\""};
    }
    field.push_back(number);
    if (!more) return fine();
    at = next + 1;
  }
}

/// Shares say how many devices and rows there are, where these are not given.
void count_shares(const Arguments& arguments, RunConfig& config) {
  const long rows = std::accumulate(config.shares.begin(), config.shares.end(), 0L);
  if (!arguments.has("--devices")) config.devices = static_cast<int>(config.shares.size());
  if (!arguments.has("--rows")) {
    config.rows = static_cast<int>(std::clamp(rows, -1L, long{kRowsMax} + 1));
  }
}

Result<RunConfig> read_config(const Arguments& arguments) {
  static constexpr std::string_view kPrecisions[] = {"float64", "float32"};
  const Result<StrategyRow> strategy = find_strategy(arguments.text("--strategy", "data_parallel"));
  if (!strategy.ok()) return strategy.error();
  if (const Status fit = check_options(arguments, strategy.value().name); !fit.ok()) {
    return fit.error();
  }
  RunConfig config = strategy.value().defaults();
  const Result<std::uint64_t> seed = arguments.seed(config.seed);
  if (!seed.ok()) return seed.error();
  config.seed = seed.value();
  const Result<std::string> precision = arguments.word("--precision", kPrecisions);
  if (!precision.ok()) return precision.error();
  config.precision = precision.value() == "float32" ? Precision::float32 : Precision::float64;
  config.model = arguments.text("--model", config.model);
  if (const Status fit = check_model_options(arguments, config.model); !fit.ok()) {
    return fit.error();
  }
  config.optimizer = arguments.text("--optimizer", config.optimizer);
  if (const Status set = set_learning_rate(arguments, config); !set.ok()) return set.error();
  config.weighted = arguments.has("--weighted");
  config.schedule = arguments.text("--schedule", config.schedule);
  config.collective = arguments.text("--collective", config.collective);
  if (const Status set = set_integers(arguments, config); !set.ok()) return set.error();
  if (const Status set = set_list(arguments, "--widths", config.widths); !set.ok()) {
    return set.error();
  }
  if (const Status set = set_list(arguments, "--shares", config.shares); !set.ok()) {
    return set.error();
  }
  if (!config.shares.empty()) count_shares(arguments, config);
  return config;
}

std::string number(double value) {
  char text[32];
  const int length = std::snprintf(text, sizeof text, "%.3g", value);
  return std::string(text, static_cast<std::size_t>(length));
}

std::string devices_text(const ThreadRun& run) {
  std::string text = "device  messages  bytes sent  weights  gradients  activations (peak)\n";
  for (const Device& device : run.devices) {
    const DeviceCounters& counters = device.counters();
    char line[128];
    const int length =
        std::snprintf(line, sizeof line, "%6d  %8d  %10lld  %7lld  %9lld  %18lld\n", device.rank(),
                      counters.messages_sent, static_cast<long long>(counters.bytes_sent),
                      static_cast<long long>(counters.weight_bytes),
                      static_cast<long long>(counters.gradient_bytes),
                      static_cast<long long>(counters.activation_bytes_peak));
    text.append(line, static_cast<std::size_t>(length));
  }
  return text;
}

std::string report_text(const GradientReport& report) {
  const GradientComparison& single = report.single_device;
  std::string text = "gradient hash        " + report.hash + "\n";
  text += "single-device hash   " + report.single_device_hash + "\n";
  text += "bit-equal            " + std::string(single.bit_equal ? "yes" : "no") + "\n";
  text += "largest difference   " + number(single.largest_difference) + " (relative " +
          number(single.largest_relative_difference) + ")\n";
  text += "rounding bound       " + number(report.worst_bound) + " at " + report.worst_parameter +
          ", where the difference is " + number(report.worst_difference) + "\n";
  text += "finite differences   " + std::to_string(report.finite_differences_compared) +
          " compared, largest difference " + number(report.finite_difference.largest_difference) +
          "\n";
  for (std::size_t step = 0; report.losses.size() > 1 && step < report.losses.size(); ++step) {
    text += "loss of step " + std::to_string(step) + (step < 10 ? " " : "") + "      " +
            number(report.losses[step]) + " (single device " +
            number(report.single_device_losses[step]) + ")\n";
  }
  if (report.has_parameters) {
    text += "parameters           largest difference " +
            number(report.parameters.largest_difference) + ", bound " +
            number(report.parameter_bound) + "\n";
  }
  text += "loss                 " + number(report.loss) + " (single device " +
          number(report.single_device_loss) + ")\n";
  return text + (report.passed() ? "the gradient is that of a single device\n"
                                 : "the gradient is NOT that of a single device\n");
}

/// What the faults of a seed do to the run: the right gradient, or who is at fault.
int run_faults(const Arguments& arguments, const RunConfig& config) {
  const std::string text = arguments.text("--faults");
  std::uint64_t seed = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (fault != std::errc() || end != text.data() + text.size()) {
    return fail(arguments, Error{"bad_use", "--faults",
                                 "a seed is a whole number from 0, not \"" + text + "\""});
  }
  const Result<FaultRun> ran = run_with_drawn_faults(config, seed);
  if (!ran.ok()) return fail(arguments, ran.error());
  print(arguments.has("--json") ? write_fault_run(ran.value()) : fault_run_text(ran.value()));
  return ran.value().outcome == FaultRunOutcome::wrong ? kWrong : kFine;
}

int run(const Arguments& arguments) {
  const Result<RunConfig> config = read_config(arguments);
  if (!config.ok()) return fail(arguments, config.error());
  if (arguments.has("--faults")) return run_faults(arguments, config.value());
  const Result<Plan> made = make_plan(config.value());
  if (!made.ok()) return fail(arguments, made.error());
  const Plan& plan = made.value();
  std::vector<Device> devices;
  for (std::size_t rank = 0; rank < plan.program.devices.size(); ++rank) {
    Result<Device> device = Device::make(plan.program, plan.data, static_cast<int>(rank));
    if (!device.ok()) return fail(arguments, device.error());
    devices.push_back(std::move(device).value());
  }
  const ThreadRun threads = run_thread_cluster(std::move(devices), ThreadOptions{});
  if (threads.error) return fail(arguments, *threads.error, kWrong);
  const Result<GradientReport> report =
      check_gradients(plan.program, plan.data, results_of(threads.devices));
  if (!report.ok()) return fail(arguments, report.error(), kWrong);
  if (arguments.has("--json")) {
    print(write_run(config.value(), threads.devices, report.value()));
  } else {
    print(devices_text(threads) + "measured time        " +
          number(static_cast<double>(threads.duration_ns) / 1e6) + " ms on native threads\n" +
          report_text(report.value()));
  }
  return report.value().passed() ? kFine : kWrong;
}

}  // namespace

const Command kRun = {
    .name = "run",
    .operands = "",
    .operands_min = 0,
    .operands_max = 0,
    .summary = "Run one training step on native threads and check its gradient",
    .options = kOptions,
    .examples =
        "  lockstep run --strategy data_parallel --devices 4 --seed 1\n"
        "  lockstep run --strategy data_parallel --devices 3 --rows 64 --weighted\n"
        "  lockstep run --strategy pipeline_parallel --schedule one_f_one_b --stages 4 "
        "--microbatches 8\n"
        "  lockstep run --devices 4 --faults 7\n"
        "  lockstep run --strategy parallel_3d --data 2 --tensor 2 --stages 2\n",
    .run = run,
};

}  // namespace lockstep::cli
