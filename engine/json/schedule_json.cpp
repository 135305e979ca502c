#include "json/schedule_json.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/decimal.h"
#include "cost/lower_bound.h"
#include "json/durations.h"
#include "json/request.h"
#include "program/instruction.h"
#include "schedule/action.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

constexpr KeyRow kRequestRows[] = {
    {.name = "schedule"},
    {.name = "stages", .form = Form::integer, .least = 1, .most = kMaxRanks},
    {.name = "microbatches", .form = Form::integer, .least = 1, .most = kMaxMicrobatches},
    {.name = "chunks",
     .form = Form::integer,
     .need = Need::optional,
     .least = 1,
     .most = kMaxChunks},
    {.name = "forward", .need = Need::optional},
    {.name = "backward_input", .need = Need::optional},
    {.name = "backward_weight", .need = Need::optional},
    {.name = "overlap", .need = Need::optional},
    {.name = "latency", .need = Need::optional},
    {.name = "bandwidth", .need = Need::optional},
    {.name = "bytes", .need = Need::optional},
    {.name = "link", .need = Need::optional},
    {.name = "weights", .need = Need::optional},
    {.name = "gradients", .need = Need::optional},
    {.name = "optimizer", .need = Need::optional},
    {.name = "activations", .need = Need::optional},
};
constexpr KeyTable kRequestTable = {.name = "schedule", .rows = kRequestRows};

int int_of(const FileNode& node, int otherwise = 1) {
  return static_cast<int>(integer_of(node, otherwise));
}

std::string exact(const Rational& value) {
  return fraction_text(value, NumberStyle{.ascii = true});
}

Json bubbles_json(const Timeline& simulation) {
  const std::optional<Bubbles> idle = bubbles(simulation);
  if (!idle) return nullptr;
  return {{"of_total", exact(idle->of_total)},
          {"of_ideal", exact(idle->of_ideal)},
          {"in_span", exact(idle->in_span)},
          {"span_of_ideal", exact(idle->span_of_ideal)}};
}

Json spans_json(const TimedSchedule& timed, std::size_t rank) {
  Json spans = Json::array();
  const std::vector<Instruction>& list = timed.program.devices[rank].instructions;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!is_stage_work(list[i].op)) continue;
    const TimeSpan span = timed.simulation.spans[rank][i];
    spans.push_back({{"action", to_text(action_of(list[i]))},
                     {"start", exact(timed.simulation.time(span.start))},
                     {"end", exact(timed.simulation.time(span.end))}});
  }
  return spans;
}

Json memory_json(const TimedSchedule& timed, std::size_t rank) {
  const DeviceMemory& memory = timed.memory[rank];
  Json points = Json::array();
  for (const MemoryPoint& point : memory.points) {
    points.push_back({exact(timed.simulation.time(point.time)), point.until_weight_gradient.count,
                      point.until_weight_gradient.bytes, point.until_input_gradient.count,
                      point.until_input_gradient.bytes});
  }
  return {{"weights", memory.weight_bytes},
          {"gradients", memory.gradient_bytes},
          {"optimizer", memory.optimizer_bytes},
          {"points", std::move(points)}};
}

Json device_json(const TimedSchedule& timed, std::size_t rank) {
  const DeviceTimes& times = timed.simulation.devices[rank];
  return {{"busy", exact(timed.simulation.time(times.busy))},
          {"first_start", exact(timed.simulation.time(times.first_start))},
          {"last_end", exact(timed.simulation.time(times.last_end))},
          {"peak_until_weight_gradient", times.peak_until_weight_gradient},
          {"peak_until_input_gradient", times.peak_until_input_gradient},
          {"spans", spans_json(timed, rank)},
          {"memory", memory_json(timed, rank)}};
}

std::string_view end_word(SearchEnd end) {
  switch (end) {
    case SearchEnd::proven:
      return "proven";
    case SearchEnd::node_limit:
      return "node_limit";
    case SearchEnd::cancelled:
      return "cancelled";
  }
  return "";
}

std::string row_text(const std::vector<Action>& actions) {
  std::string row;
  for (const Action& action : actions) row += (row.empty() ? "" : " ") + to_text(action);
  return row;
}

}  // namespace

Result<ScheduleRequest> read_schedule_request(std::string_view json) {
  const Result<FileValue> value = read_request(json, kRequestTable);
  if (!value.ok()) return value.error();
  const FileNode root{&value.value(), ""};
  const std::string_view name = text_of(root["schedule"]);
  const Result<ScheduleRow> row = find_schedule(name);
  const int chunks = row.ok() ? row.value().default_chunks : 1;
  ScheduleRequest request{.schedule = std::string(name),
                          .shape = {.ranks = int_of(root["stages"]),
                                    .chunks = int_of(root["chunks"], chunks),
                                    .microbatches = int_of(root["microbatches"])},
                          .durations = {},
                          .bytes = {}};
  std::vector<DurationText> texts;
  for (const std::string_view key : duration_keys()) {
    const FileNode node = root[key];
    if (node) texts.push_back({key, node.pointer, std::string(text_of(node))});
  }
  Result<GivenDurations> given = read_durations(texts);
  if (!given.ok()) return given.error();
  request.durations = std::move(given.value().durations);
  request.bytes = std::move(given.value().bytes);
  return request;
}

std::string write_timed_schedule(const TimedSchedule& timed, const SearchResult* search) {
  Json ranks = Json::array();
  Json devices = Json::array();
  for (std::size_t rank = 0; rank < timed.schedule.ranks.size(); ++rank) {
    ranks.push_back(row_text(timed.schedule.ranks[rank]));
    devices.push_back(device_json(timed, rank));
  }
  Json json = {{"schedule", timed.schedule.name},
               {"microbatches", timed.schedule.microbatches},
               {"stage_rank", timed.schedule.stage_rank}};
  if (!timed.schedule.second_half_rank.empty()) {
    json["second_half_rank"] = timed.schedule.second_half_rank;
  }
  json["ranks"] = std::move(ranks);
  json["tick"] = exact(timed.simulation.tick);
  json["makespan"] = exact(timed.simulation.time(timed.simulation.makespan));
  const Result<Rational> least =
      least_time(timed.schedule, timed.durations, {.backward = backward_form(timed.schedule)});
  if (least.ok()) json["least_time"] = exact(least.value());
  json["bubbles"] = bubbles_json(timed.simulation);
  json["devices"] = std::move(devices);
  if (search != nullptr) {
    json["search"] = {{"end", end_word(search->end)},
                      {"lower_bound", exact(search->lower_bound)},
                      {"nodes", search->nodes}};
  }
  return json.dump();
}

std::string write_errors(std::span<const Error> errors) {
  Json faults = Json::array();
  for (const Error& error : errors) {
    faults.push_back({{"code", error.code}, {"where", error.where}, {"message", error.message}});
  }
  return Json{{"faults", std::move(faults)}}.dump();
}

}  // namespace lockstep
