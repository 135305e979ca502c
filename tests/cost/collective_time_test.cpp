#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "cost/collective_time.h"
#include "cost/compute.h"
#include "cost/simulate.h"

using namespace lockstep;

namespace {

/// Under the latency-bandwidth model, with a vector of S bytes on each device.
Rational simulated_time(const CollectiveRow& row, int size, const Rational& bytes,
                        const Rational& alpha, const Rational& beta) {
  const Result<TimedCollective> timed =
      time_collective(row, size, {bytes, alpha, Rational(1) / beta});
  REQUIRE(timed.ok());
  return timed.value().time;
}

struct Named {
  std::string_view collective;
  std::string_view steps;  ///< closed forms; empty where there is none
  std::string_view bytes;
  std::string_view time;
  bool any_number;  ///< else for powers of two alone
};

constexpr Named kNamed[] = {
    {"ring_all_reduce", "ring_all_reduce_steps", "ring_all_reduce_bytes", "ring_all_reduce_time",
     true},
    {"recursive_doubling", "recursive_doubling_steps", "recursive_doubling_bytes",
     "recursive_doubling_time", false},
    {"rabenseifner", "rabenseifner_steps", "rabenseifner_bytes", "rabenseifner_time", false},
    {"tree_all_reduce", "tree_all_reduce_steps", "", "tree_all_reduce_time", true},
    {"central_all_reduce", "central_all_reduce_messages", "", "", true},
    {"ring_reduce_scatter", "", "", "reduce_scatter_time", true},
    {"ring_all_gather", "", "", "all_gather_time", true},
    {"binomial_broadcast", "", "", "broadcast_time", true},
    {"scatter_all_gather_broadcast", "", "", "broadcast_scatter_all_gather_time", true},
    {"pairwise_all_to_all", "", "", "all_to_all_time", true},
};

Rational value(std::string_view name, const std::vector<NamedValue>& values) {
  const Result<Rational> result = compute(name, values);
  CAPTURE(name);
  REQUIRE(result.ok());
  return result.value();
}

}  // namespace

TEST_CASE("a collective's program takes as long as its row says: α·steps + β·S·transfers") {
  const Rational alpha(3, 7);
  const Rational beta(2, 5);
  const Rational bytes = 9240;
  for (const CollectiveRow& row : collective_table()) {
    for (int size = 1; size <= 16; ++size) {
      CAPTURE(row.name, size);
      const CollectiveCost cost = row.cost(size);
      const Rational stated = Rational(cost.steps) * alpha + cost.transfers * bytes * beta;
      const Rational simulated = simulated_time(row, size, bytes, alpha, beta);
      if (cost.at_most) {
        REQUIRE(simulated <= stated);
      } else {
        REQUIRE(simulated == stated);
      }
    }
  }
}

TEST_CASE("closed forms of collectives give what their programs take, send and count") {
  for (const Named& named : kNamed) {
    const CollectiveRow row = find_collective(named.collective).value();
    for (int size = 1; size <= 16; ++size) {
      const bool power_of_two = (size & (size - 1)) == 0;
      if (!named.any_number && !power_of_two) continue;
      CAPTURE(row.name, size);
      const CollectiveCost cost = row.cost(size);
      const Rational bytes = 1680;
      if (!named.steps.empty()) {
        REQUIRE(value(named.steps, {{"devices", size}}) == Rational(cost.steps));
      }
      if (!named.bytes.empty()) {
        REQUIRE(value(named.bytes, {{"devices", size}, {"bytes", bytes}}) == cost.sent * bytes);
      }
      if (named.time.empty()) continue;
      const Rational time = value(named.time, {{"devices", size},
                                               {"bytes", bytes},
                                               {"latency", Rational(1, 3)},
                                               {"bandwidth", Rational(50)}});
      REQUIRE(time == simulated_time(row, size, bytes, Rational(1, 3), Rational(1, 50)));
    }
  }
}

TEST_CASE("a ring all-reduce sends 2(N−1)·N messages") {
  for (int size = 1; size <= 16; ++size) {
    std::int64_t messages = 0;
    const CollectiveRow ring = find_collective("ring_all_reduce").value();
    for (const DeviceProgram& device : collective_program(ring, size).devices) {
      messages += static_cast<std::int64_t>(device.instructions.size()) / 2;
    }
    CAPTURE(size);
    REQUIRE(value("ring_all_reduce_messages", {{"devices", size}}) == Rational(messages));
  }
}

TEST_CASE("two trees beat one where bandwidth counts, and a ring where latency does") {
  const auto time = [](std::string_view name, int bytes) {
    return simulated_time(find_collective(name).value(), 16, bytes, 1, Rational(1, 1000));
  };
  CHECK(time("double_binary_tree", 1'000'000) < time("tree_all_reduce", 1'000'000));
  CHECK(time("double_binary_tree", 100) < time("ring_all_reduce", 100) * Rational(2));
}

TEST_CASE("a message waits for the one before it at either port, but not for its latency") {
  // Device 0 sends twice at once: the port is busy 2 for each, so that the second arrives after 4;
  // latency 10 comes on top of each alone.
  Program program{.name = "two"};
  program.devices.resize(2);
  for (int chunk = 0; chunk < 2; ++chunk) {
    const TensorName part = part_of(kDeviceGradient, chunk, 2);
    program.devices[0].instructions.push_back({.op = Op::send, .tensor = part, .peer = 1});
    program.devices[1].instructions.push_back({.op = Op::receive, .tensor = part, .peer = 0});
  }
  const auto makespan = [&](const Durations& durations) {
    const Timeline timeline = simulate(program, durations).value();
    return timeline.time(timeline.makespan);
  };
  CHECK(makespan({.link = {.startup = 2}}) == Rational(4));
  CHECK(makespan({.link = {.latency = 10, .startup = 2}}) == Rational(14));
  CHECK(makespan({.link = {.latency = 10}}) == Rational(10));
  CHECK(makespan({.link = {.per_byte = 1}, .bytes = {.gradient = 6}}) == Rational(6));
  CHECK(makespan({.links = {{{0, 1}, {.startup = 3}}}}) == Rational(6));
  CHECK(makespan({.links = {{{1, 0}, {.startup = 3}}}}) == Rational(0));
  const auto refused = simulate(program, {.links = {{{0, 2}, {}}}});
  REQUIRE(!refused.ok());
  CHECK(refused.error().where == "link 0 to 2");
  const auto negative = simulate(program, {.link = {.per_byte = 1}, .bytes = {.gradient = -6}});
  REQUIRE(!negative.ok());
  CHECK(negative.error().code == "out_of_range");
}
