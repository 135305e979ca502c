#include "json/collective_json.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/decimal.h"
#include "program/instruction.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

std::string exact(const Rational& value) {
  return fraction_text(value, NumberStyle{.ascii = true});
}

Json round_json(const CollectiveRound& round) {
  Json sends = Json::array();
  for (const SentPart& send : round.sends) {
    sends.push_back({{"from", send.from},
                     {"to", send.to},
                     {"part", to_text(send.part)},
                     {"elements", send.elements}});
  }
  return {{"adds", round.adds}, {"sends", std::move(sends)}, {"vectors", round.vectors}};
}

}  // namespace

std::string write_collectives() {
  Json rows = Json::array();
  for (const CollectiveRow& row : collective_table()) {
    rows.push_back(
        {{"name", row.name}, {"kind", kind_text(row.kind)}, {"description", row.description}});
  }
  return Json{{"collectives", std::move(rows)}}.dump();
}

std::string write_collective(const TimedCollective& timed,
                             std::span<const CollectiveRound> rounds) {
  Json list = Json::array();
  for (const CollectiveRound& round : rounds) list.push_back(round_json(round));
  const CollectiveCost cost = timed.row.cost(timed.devices);
  return Json{{"collective", timed.row.name}, {"kind", kind_text(timed.row.kind)},
              {"devices", timed.devices},     {"steps", cost.steps},
              {"sent", exact(cost.sent)},     {"transfers", exact(cost.transfers)},
              {"at_most", cost.at_most},      {"time", exact(timed.time)},
              {"rounds", std::move(list)}}
      .dump();
}

}  // namespace lockstep
