#include "json/schedule_json.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/decimal.h"
#include "program/instruction.h"
#include "schedule/action.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

std::string exact(const Rational& value) {
  return fraction_text(value, NumberStyle{.ascii = true});
}

Json bubbles_json(const Simulation& simulation) {
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

Json device_json(const TimedSchedule& timed, std::size_t rank) {
  const DeviceTimes& times = timed.simulation.devices[rank];
  return {{"busy", exact(timed.simulation.time(times.busy))},
          {"first_start", exact(timed.simulation.time(times.first_start))},
          {"last_end", exact(timed.simulation.time(times.last_end))},
          {"peak_until_weight_gradient", times.peak_until_weight_gradient},
          {"peak_until_input_gradient", times.peak_until_input_gradient},
          {"spans", spans_json(timed, rank)}};
}

std::string row_text(const std::vector<Action>& actions) {
  std::string row;
  for (const Action& action : actions) row += (row.empty() ? "" : " ") + to_text(action);
  return row;
}

}  // namespace

std::string write_timed_schedule(const TimedSchedule& timed) {
  Json ranks = Json::array();
  Json devices = Json::array();
  for (std::size_t rank = 0; rank < timed.schedule.ranks.size(); ++rank) {
    ranks.push_back(row_text(timed.schedule.ranks[rank]));
    devices.push_back(device_json(timed, rank));
  }
  return Json{{"schedule", timed.schedule.name},
              {"microbatches", timed.schedule.microbatches},
              {"stage_rank", timed.schedule.stage_rank},
              {"ranks", std::move(ranks)},
              {"tick", exact(timed.simulation.tick)},
              {"makespan", exact(timed.simulation.time(timed.simulation.makespan))},
              {"bubbles", bubbles_json(timed.simulation)},
              {"devices", std::move(devices)}}
      .dump();
}

std::string write_errors(std::span<const Error> errors) {
  Json faults = Json::array();
  for (const Error& error : errors) {
    faults.push_back({{"code", error.code}, {"where", error.where}, {"message", error.message}});
  }
  return Json{{"faults", std::move(faults)}}.dump();
}

}  // namespace lockstep
