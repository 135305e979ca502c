// lockstep collective: what a collective costs, and what is where after each of its rounds.
#include "collective/collective.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cli/command.h"
#include "collective/play.h"
#include "core/decimal.h"
#include "cost/collective_time.h"
#include "formula/exact_value.h"
#include "json/collective_json.h"

namespace lockstep::cli {
namespace {

constexpr int kDevicesMax = 16;

constexpr Option kOptions[] = {
    {"--devices", "N", "1 to 16 devices (4)"},
    {"--bytes", "S", "size of the whole vector, exact (1)"},
    {"--latency", "T", "α, the time of a message of no bytes (0)"},
    {"--bandwidth", "B", "bytes a unit of time of a device's link, one direction (1)"},
    {"--rounds", "", "show whose parts each device has after every round"},
    {"--list", "", "list all collectives"},
};

std::string listing() {
  std::string text;
  for (const CollectiveRow& row : collective_table()) {
    text += std::string(row.name) + " [" + std::string(kind_text(row.kind)) +
            "]: " + std::string(row.description) + "\n";
  }
  return text;
}

Status set_exact(const Arguments& arguments, std::string_view option, Rational& field) {
  if (!arguments.has(option)) return fine();
  Result<Rational> value = read_exact(std::string(option), arguments.text(option));
  if (!value.ok()) return value.error();
  field = std::move(value).value();
  return fine();
}

Result<CollectiveLink> read_link(const Arguments& arguments) {
  CollectiveLink link;
  for (const Status& set : {set_exact(arguments, "--bytes", link.bytes),
                            set_exact(arguments, "--latency", link.latency),
                            set_exact(arguments, "--bandwidth", link.bandwidth)}) {
    if (!set.ok()) return set.error();
  }
  if (link.bandwidth.sign() <= 0) {
    return Error{"out_of_range", "--bandwidth", "a bandwidth is more than 0"};
  }
  return link;
}

/// Device r has 2^r everywhere, so that every number tells what it is the sum of.
std::vector<std::vector<double>> telling_vectors(int devices) {
  std::vector<std::vector<double>> vectors;
  for (int rank = 0; rank < devices; ++rank) {
    vectors.emplace_back(static_cast<std::size_t>(devices), std::ldexp(1.0, rank));
  }
  return vectors;
}

/// "0+2" for 2^0 + 2^2.
std::string summands_text(double number) {
  std::string text;
  for (int rank = 0; number >= 1; ++rank, number = std::floor(number / 2)) {
    if (std::fmod(number, 2) == 1) text += (text.empty() ? "" : "+") + std::to_string(rank);
  }
  return text;
}

std::string rounds_text(std::span<const CollectiveRound> rounds) {
  std::string text;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    text += "\nround " + std::to_string(i) + "\n";
    for (std::size_t rank = 0; rank < rounds[i].vectors.size(); ++rank) {
      text += "  device " + std::to_string(rank) + ":";
      for (const double number : rounds[i].vectors[rank]) text += "  " + summands_text(number);
      text += "\n";
    }
  }
  return text;
}

std::string cost_text(const TimedCollective& timed) {
  const auto number = [](const Rational& value) { return shortest_text(value); };
  const CollectiveCost cost = timed.row.cost(timed.devices);
  return std::string(timed.row.name) + ", " + std::to_string(timed.devices) +
         " devices: " + std::string(timed.row.description) + "\nmessages one after the other  " +
         std::to_string(cost.steps) + (cost.at_most ? " at most" : "") +
         "\nsent by the busiest device    " + number(cost.sent) +
         "·S = " + number(cost.sent * timed.link.bytes) + " bytes\nsimulated time                " +
         number(timed.time) + (cost.at_most ? " <= " : " = ") + std::to_string(cost.steps) +
         "·α + " + number(cost.transfers) + "·S/bandwidth\n";
}

int run(const Arguments& arguments) {
  if (arguments.has("--list")) {
    print(arguments.has("--json") ? write_collectives() : listing());
    return kFine;
  }
  if (arguments.operands().empty()) {
    return fail(arguments, {"bad_use", "collective", "a name is needed; --list shows all"});
  }
  const Result<CollectiveRow> row = find_collective(arguments.operands()[0]);
  if (!row.ok()) return fail(arguments, row.error());
  const Result<long> devices = arguments.integer("--devices", 4, 1, kDevicesMax);
  if (!devices.ok()) return fail(arguments, devices.error());
  const Result<CollectiveLink> link = read_link(arguments);
  if (!link.ok()) return fail(arguments, link.error());
  const int count = static_cast<int>(devices.value());
  const Result<TimedCollective> timed = time_collective(row.value(), count, link.value());
  if (!timed.ok()) return fail(arguments, timed.error());
  const auto rounds =
      play_collective(collective_program(row.value(), count), telling_vectors(count));
  if (!rounds.ok()) return fail(arguments, rounds.error());
  if (arguments.has("--json")) {
    print(write_collective(timed.value(), rounds.value()));
  } else {
    print(cost_text(timed.value()) +
          (arguments.has("--rounds") ? rounds_text(rounds.value()) : std::string()));
  }
  return kFine;
}

}  // namespace

const Command kCollective = {
    .name = "collective",
    .operands = "NAME",
    .operands_min = 0,
    .operands_max = 1,
    .summary = "Time a collective, and show what is where after each round",
    .options = kOptions,
    .examples =
        "  lockstep collective ring_all_reduce --devices 4 --rounds\n"
        "  lockstep collective rabenseifner --devices 8 --bytes 1e9 --latency 1e-5 --bandwidth "
        "1e11\n"
        "  lockstep collective --list\n",
    .run = run,
};

}  // namespace lockstep::cli
