#include "json/run_json.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/nearest.h"
#include "formula/exact_value.h"
#include "json/request.h"
#include "program/instruction.h"
#include "program/text.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kIntLeast = std::numeric_limits<int>::min();
constexpr std::int64_t kIntMost = std::numeric_limits<int>::max();
constexpr std::int64_t kSeedMost = (std::int64_t{1} << 53) - 1;

constexpr KeyRow integer_row(std::string_view name, std::int64_t least, std::int64_t most) {
  return {
      .name = name, .form = Form::integer, .need = Need::optional, .least = least, .most = most};
}

constexpr KeyRow integers_row(std::string_view name) {
  return {.name = name,
          .form = Form::list,
          .need = Need::optional,
          .item = Form::integer,
          .least = kIntLeast,
          .most = kIntMost};
}

constexpr KeyRow kConfigRows[] = {
    {.name = "strategy", .form = Form::text, .need = Need::optional},
    integers_row("widths"),
    integer_row("rows", kIntLeast, kIntMost),
    integer_row("seed", 0, kSeedMost),
    {.name = "precision", .form = Form::text, .need = Need::optional},
    integer_row("devices", kIntLeast, kIntMost),
    {.name = "weighted", .form = Form::flag, .need = Need::optional},
    integers_row("shares"),
    {.name = "collective", .form = Form::text, .need = Need::optional},
    {.name = "schedule", .form = Form::text, .need = Need::optional},
    integer_row("stages", kIntLeast, kIntMost),
    integer_row("chunks", kIntLeast, kIntMost),
    integer_row("microbatches", kIntLeast, kIntMost),
    integer_row("data", kIntLeast, kIntMost),
    integer_row("tensor", kIntLeast, kIntMost),
    {.name = "optimizer", .form = Form::text, .need = Need::optional},
    {.name = "learning_rate", .form = Form::text, .need = Need::optional},
    integer_row("steps", kIntLeast, kIntMost),
    {.name = "model", .form = Form::text, .need = Need::optional},
    integer_row("layers", kIntLeast, kIntMost),
    integer_row("hidden", kIntLeast, kIntMost),
    integer_row("heads", kIntLeast, kIntMost),
    integer_row("sequence", kIntLeast, kIntMost),
    integer_row("vocabulary", kIntLeast, kIntMost),
};
constexpr KeyTable kConfigTable = {.name = "run", .rows = kConfigRows};

struct PrecisionRow {
  Precision precision;
  std::string_view word;
};
constexpr PrecisionRow kPrecisions[] = {
    {Precision::float64, "float64"},
    {Precision::float32, "float32"},
};

void set_int(const FileNode& node, int& field) {
  field = static_cast<int>(integer_of(node, field));
}

void set_ints(const FileNode& node, std::vector<int>& field) {
  if (!node) return;
  field.clear();
  for (std::size_t i = 0; i < node.size(); ++i) {
    field.push_back(static_cast<int>(integer_of(node.item(i), 0)));
  }
}

Status set_precision(const FileNode& node, Precision& field) {
  if (!node) return fine();
  for (const PrecisionRow& row : kPrecisions) {
    if (row.word != text_of(node)) continue;
    field = row.precision;
    return fine();
  }
  return Error{"unknown_precision", node.pointer,
               "the precision is float64 or float32, not " + in_quotes(text_of(node))};
}

/// The fields that are there; `root` passed check_keys.
Status set_fields(const FileNode& root, RunConfig& config) {
  set_ints(root["widths"], config.widths);
  set_int(root["rows"], config.rows);
  config.seed =
      static_cast<std::uint64_t>(integer_of(root["seed"], static_cast<std::int64_t>(config.seed)));
  set_int(root["devices"], config.devices);
  if (root["weighted"]) config.weighted = flag_of(root["weighted"]);
  set_ints(root["shares"], config.shares);
  if (root["collective"]) config.collective = text_of(root["collective"]);
  if (root["schedule"]) config.schedule = text_of(root["schedule"]);
  set_int(root["stages"], config.stages);
  set_int(root["chunks"], config.chunks);
  set_int(root["microbatches"], config.microbatches);
  set_int(root["data"], config.data);
  set_int(root["tensor"], config.tensor);
  set_int(root["steps"], config.steps);
  if (root["optimizer"]) config.optimizer = text_of(root["optimizer"]);
  if (const FileNode rate = root["learning_rate"]) {
    const Result<Rational> value = read_exact(rate.pointer, text_of(rate));
    if (!value.ok()) return value.error();
    config.learning_rate = to_double(value.value());
  }
  if (root["model"]) config.model = text_of(root["model"]);
  set_int(root["layers"], config.transformer.layers);
  set_int(root["hidden"], config.transformer.hidden);
  set_int(root["heads"], config.transformer.heads);
  set_int(root["sequence"], config.transformer.sequence_length);
  set_int(root["vocabulary"], config.transformer.vocabulary);
  return set_precision(root["precision"], config.precision);
}

Json to_json(const RunConfig& config) {
  const auto precision = std::find_if(
      std::begin(kPrecisions), std::end(kPrecisions),
      [&config](const PrecisionRow& row) { return row.precision == config.precision; });
  Json json = {{"strategy", config.strategy}, {"model", config.model}};
  if (config.model == "transformer") {
    const GptSpec& model = config.transformer;
    json["layers"] = model.layers;
    json["hidden"] = model.hidden;
    json["heads"] = model.heads;
    json["sequence"] = model.sequence_length;
    json["vocabulary"] = model.vocabulary;
  } else {
    json["widths"] = config.widths;
  }
  json["rows"] = config.rows;
  json["seed"] = config.seed;
  json["precision"] = precision->word;
  if (config.optimizer != "none") {
    json["optimizer"] = config.optimizer;
    json["steps"] = config.steps;
  }
  if (config.strategy == "data_parallel") {
    json["devices"] = config.devices;
    json["weighted"] = config.weighted;
    if (!config.shares.empty()) json["shares"] = config.shares;
  }
  if (config.strategy != "pipeline_parallel") json["collective"] = config.collective;
  if (config.strategy == "pipeline_parallel" || config.strategy == "parallel_3d") {
    json["schedule"] = config.schedule;
    json["stages"] = config.stages;
    json["chunks"] = config.chunks;
    json["microbatches"] = config.microbatches;
  }
  if (config.strategy == "parallel_3d") json["data"] = config.data;
  if (config.strategy == "parallel_3d" || config.strategy == "tensor_parallel") {
    json["tensor"] = config.tensor;
  }
  return json;
}

Json to_json(const DeviceCounters& counters) {
  return {{"messages_sent", counters.messages_sent},
          {"bytes_sent", counters.bytes_sent},
          {"weight_bytes", counters.weight_bytes},
          {"gradient_bytes", counters.gradient_bytes},
          {"activation_bytes_peak", counters.activation_bytes_peak},
          {"in_flight_peak", counters.in_flight_peak},
          {"in_flight_input_peak", counters.in_flight_input_peak}};
}

/// Null where a run has no update.
Json parameters_json(const GradientReport& report) {
  if (!report.has_parameters) return nullptr;
  return {{"bit_equal", report.parameters.bit_equal},
          {"largest_difference", report.parameters.largest_difference},
          {"bound", report.parameter_bound}};
}

Json to_json(const GradientReport& report) {
  const GradientComparison& single = report.single_device;
  const GradientComparison& finite = report.finite_difference;
  return {{"passed", report.passed()},
          {"hash", report.hash},
          {"single_device_hash", report.single_device_hash},
          {"bit_equal", single.bit_equal},
          {"largest_difference", single.largest_difference},
          {"largest_relative_difference", single.largest_relative_difference},
          {"largest_share_of_bound", single.largest_share_of_bound},
          {"worst",
           {{"parameter", report.worst_parameter},
            {"difference", report.worst_difference},
            {"bound", report.worst_bound}}},
          {"parameters", parameters_json(report)},
          {"losses", report.losses},
          {"single_device_losses", report.single_device_losses},
          {"loss", report.loss},
          {"single_device_loss", report.single_device_loss},
          {"loss_bound", report.loss_bound},
          {"finite_differences",
           {{"compared", report.finite_differences_compared},
            {"skipped", report.finite_differences_skipped},
            {"largest_difference", finite.largest_difference},
            {"largest_share_of_bound", finite.largest_share_of_bound}}}};
}

Json device_to_json(const DeviceProgram& device, const TrainingSet& data) {
  Json operations = Json::array();
  for (const Instruction& instruction : device.instructions) {
    operations.push_back(op_word(instruction.op));
  }
  return {{"rows", data.replica_row_count(device.replica)},
          {"stages", device.stages},
          {"operations", std::move(operations)}};
}

}  // namespace

Result<RunConfig> read_run_config(std::string_view json) {
  const Result<FileValue> value = read_request(json, kConfigTable);
  if (!value.ok()) return value.error();
  return run_config_of(FileNode{&value.value(), ""});
}

const KeyTable& run_config_table() {
  return kConfigTable;
}

Result<RunConfig> run_config_of(const FileNode& node) {
  const FileNode strategy = node["strategy"];
  const Result<StrategyRow> row = find_strategy(strategy ? text_of(strategy) : "data_parallel");
  if (!row.ok()) return Error{row.error().code, node.pointer + "/strategy", row.error().message};
  RunConfig config = row.value().defaults();
  const Status set = set_fields(node, config);
  if (!set.ok()) return set.error();
  return config;
}

std::string write_run_config(const RunConfig& config) {
  return to_json(config).dump();
}

std::string write_plan(const RunConfig& config, const Plan& plan) {
  Json devices = Json::array();
  for (const DeviceProgram& device : plan.program.devices) {
    devices.push_back(device_to_json(device, plan.data));
  }
  return Json{{"config", to_json(config)},
              {"parameters", parameter_count(plan.data.model)},
              {"program", write_program(plan.program)},
              {"devices", std::move(devices)}}
      .dump();
}

std::string write_counters(const DeviceCounters& counters) {
  return to_json(counters).dump();
}

std::string write_report(const GradientReport& report) {
  return to_json(report).dump();
}

std::string write_run(const RunConfig& config, std::span<const Device> devices,
                      const GradientReport& report) {
  Json counters = Json::array();
  for (const Device& device : devices) counters.push_back(to_json(device.counters()));
  return Json{
      {"config", to_json(config)}, {"devices", std::move(counters)}, {"report", to_json(report)}}
      .dump();
}

std::string write_error(const Error& error) {
  return Json{{"error", {{"code", error.code}, {"where", error.where}, {"message", error.message}}}}
      .dump();
}

}  // namespace lockstep
