#include "json/fault_json.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "json/request.h"
#include "json/run_json.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kIntLeast = std::numeric_limits<int>::min();
constexpr std::int64_t kIntMost = std::numeric_limits<int>::max();
constexpr std::int64_t kExactMost = (std::int64_t{1} << 53) - 1;  // that every reader can hold

constexpr KeyRow kFaultRows[] = {
    {.name = "kind"},
    {.name = "device", .form = Form::integer, .least = kIntLeast, .most = kIntMost},
    {.name = "send",
     .form = Form::integer,
     .need = Need::optional,
     .least = kIntLeast,
     .most = kIntMost},
    {.name = "when",
     .form = Form::integer,
     .need = Need::optional,
     .least = -kExactMost,
     .most = kExactMost},
};
constexpr KeyTable kFaultTable = {.name = "fault", .rows = kFaultRows};

std::string_view word_of(FaultRunOutcome outcome) {
  if (outcome == FaultRunOutcome::right) return "right";
  return outcome == FaultRunOutcome::error ? "error" : "wrong";
}

std::string_view name_of(const PlannedFault& fault) {
  return fault_kinds()[static_cast<std::size_t>(fault.kind)].name;
}

Result<std::vector<PlannedFault>> read_faults(const FileNode& node) {
  std::vector<PlannedFault> faults;
  for (std::size_t i = 0; i < node.size(); ++i) {
    const FileNode item = node.item(i);
    const Result<FaultKindRow> row = find_fault_kind(text_of(item["kind"]));
    if (!row.ok()) {
      return Error{row.error().code, item.pointer + "/kind", row.error().message};
    }
    faults.push_back({.kind = row.value().kind,
                      .device = static_cast<int>(integer_of(item["device"], 0)),
                      .send = static_cast<int>(integer_of(item["send"], kAnySend)),
                      .when = integer_of(item["when"], 0)});
  }
  return faults;
}

Result<std::vector<Device>> make_devices(const RunConfig& config) {
  const Result<Plan> plan = make_plan(config);
  if (!plan.ok()) return plan.error();
  std::vector<Device> devices;
  for (std::size_t rank = 0; rank < plan.value().program.devices.size(); ++rank) {
    Result<Device> device =
        Device::make(plan.value().program, plan.value().data, static_cast<int>(rank));
    if (!device.ok()) return device.error();
    devices.push_back(std::move(device).value());
  }
  return devices;
}

/// The run of `devices` with the faults of `plan`, which fits them.
Result<FaultRun> run_plan(const std::vector<Device>& devices, const FaultPlan& plan) {
  const LocalRun without = run_local_cluster(devices, {.delivery_seed = plan.seed});
  if (without.error) return *without.error;
  return run_with_faults(devices, plan, results_of(without.devices));
}

Result<FaultRun> replay(std::string_view json) {
  const KeyRow rows[] = {
      {.name = "run", .form = Form::object, .need = Need::optional, .table = &run_config_table()},
      {.name = "seed", .form = Form::integer, .need = Need::optional, .most = kExactMost},
      {.name = "faults",
       .form = Form::list,
       .need = Need::optional,
       .item = Form::object,
       .table = &kFaultTable,
       .items_least = 0},
  };
  const Result<FileValue> value = read_request(json, KeyTable{.name = "replay", .rows = rows});
  if (!value.ok()) return value.error();
  const FileNode root{&value.value(), ""};
  const Result<RunConfig> config = root["run"] ? run_config_of(root["run"]) : read_run_config("{}");
  if (!config.ok()) return config.error();
  const auto seed = static_cast<std::uint64_t>(integer_of(root["seed"], 0));
  if (!root["faults"]) return run_with_drawn_faults(config.value(), seed);

  Result<std::vector<PlannedFault>> faults = read_faults(root["faults"]);
  if (!faults.ok()) return faults.error();
  const Result<std::vector<Device>> devices = make_devices(config.value());
  if (!devices.ok()) return devices.error();
  const FaultPlan plan{.seed = seed, .faults = std::move(faults).value()};
  if (const Status fits = check_fault_plan(plan, devices.value()); !fits.ok()) {
    return Error{fits.error().code, "/" + fits.error().where, fits.error().message};
  }
  return run_plan(devices.value(), plan);
}

Json error_json(const LocalRun& run, std::uint64_t seed) {
  if (!run.error) return nullptr;
  Json json = {{"device", nullptr}, {"step", nullptr},           {"kind", run.error->code},
               {"seed", seed},      {"where", run.error->where}, {"message", run.error->message}};
  if (run.fault) {
    json["device"] = run.fault->device;
    json["step"] = run.fault->step;
  }
  return json;
}

}  // namespace

Result<FaultRun> run_with_drawn_faults(const RunConfig& config, std::uint64_t seed) {
  const Result<std::vector<Device>> devices = make_devices(config);
  if (!devices.ok()) return devices.error();
  return run_plan(devices.value(), draw_fault_plan(seed, devices.value()));
}

std::string replay_faults(std::string_view json) {
  const Result<FaultRun> run = replay(json);
  return run.ok() ? write_fault_run(run.value()) : write_error(run.error());
}

std::string write_fault_run(const FaultRun& run) {
  Json faults = Json::array();
  for (const PlannedFault& fault : run.plan.faults) {
    Json json = {{"kind", name_of(fault)},
                 {"device", fault.device},
                 {"send", fault.send},
                 {"when", fault.when}};
    if (fault.send == kAnySend) json["send"] = nullptr;
    faults.push_back(std::move(json));
  }
  return Json{{"outcome", word_of(run.outcome)}, {"error", error_json(run.run, run.plan.seed)},
              {"faults", std::move(faults)},     {"struck", run.run.struck.size()},
              {"ticks", run.run.ticks},          {"trace_hash", hex16(run.run.trace_hash)}}
      .dump();
}

std::string fault_run_text(const FaultRun& run) {
  std::string text;
  for (const PlannedFault& fault : run.plan.faults) {
    text +=
        "fault       " + std::string(name_of(fault)) + " of device " + std::to_string(fault.device);
    if (fault.send != kAnySend) text += ", send " + std::to_string(fault.send);
    text += ", from tick " + std::to_string(fault.when) + "\n";
  }
  text += "struck      " + std::to_string(run.run.struck.size()) + " of " +
          std::to_string(run.plan.faults.size()) + "\n";
  text += "ticks       " + std::to_string(run.run.ticks) + "\n";
  text += "trace hash  " + hex16(run.run.trace_hash) + "\n";
  if (run.run.error) {
    if (run.run.fault) {
      text += "at fault    device " + std::to_string(run.run.fault->device) + ", step " +
              std::to_string(run.run.fault->step) + ", seed " + std::to_string(run.plan.seed) +
              "\n";
    }
    return text + "error       " + run.run.error->code + ": " + run.run.error->message + "\n";
  }
  return text + (run.outcome == FaultRunOutcome::right
                     ? "the gradient is that of the run without faults, bit for bit\n"
                     : "the gradient is WRONG, and nothing noticed\n");
}

}  // namespace lockstep
