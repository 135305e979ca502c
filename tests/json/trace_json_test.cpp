#include "json/trace_json.h"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/decimal.h"
#include "support/schedules.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Json = nlohmann::json;

/// The events of a trace, in their order.
Json events_of(const Schedule& schedule, const Durations& durations = {}) {
  const Result<TimedSchedule> timed = timed_schedule(schedule, durations);
  REQUIRE(timed.ok());
  const Json json = Json::parse(write_trace(make_trace(timed.value())), nullptr, false);
  REQUIRE(json.is_object());
  return json.at("traceEvents");
}

/// A few shapes of every row.
template <typename Visit>
void each_small_schedule(Visit visit) {
  each_schedule([&](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
    if (shape.ranks > 4 || shape.microbatches % 4 != 0) return;
    CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches);
    visit(schedule);
  });
}

}  // namespace

TEST_CASE("every flow has one start and one end, each inside of the slice that was begun last") {
  each_small_schedule([](const Schedule& schedule) {
    std::map<int, std::pair<int, int>> ends;  // starts and ends by number
    Json slice;
    for (const Json& event : events_of(schedule, {.link = {.latency = 1}})) {
      const std::string phase = event.at("ph");
      if (phase == "X") slice = event;
      if (phase != "s" && phase != "f") continue;
      REQUIRE(event.at("tid") == slice.at("tid"));
      const double start = slice.at("ts");
      const double time = event.at("ts");
      REQUIRE(time == (phase == "s" ? start + slice.at("dur").get<double>() : start));
      REQUIRE((phase == "s") != event.contains("bp"));
      auto& [starts, stops] = ends[event.at("id")];
      ++(phase == "s" ? starts : stops);
    }
    for (const auto& [number, counts] : ends) REQUIRE(counts == std::pair{1, 1});
  });
}

TEST_CASE("the slices of a track follow each other, and add up to the simulated work") {
  each_small_schedule([](const Schedule& schedule) {
    const TimedSchedule timed = timed_schedule(schedule, {}).value();
    std::vector<double> now(schedule.ranks.size(), 0);
    std::vector<double> busy(schedule.ranks.size(), 0);
    for (const Json& event : events_of(schedule)) {
      if (event.at("ph") != "X") continue;
      const std::size_t rank = event.at("tid");
      const double time = event.at("ts");
      REQUIRE(time >= now.at(rank));
      now[rank] = time + event.at("dur").get<double>();
      busy[rank] += event.at("dur").get<double>();
    }
    for (std::size_t rank = 0; rank < busy.size(); ++rank) {
      const Rational expected = timed.simulation.time(timed.simulation.devices[rank].busy);
      REQUIRE(busy[rank] == to_double(expected));  // whole numbers
    }
  });
}

TEST_CASE("every rank has a named track in its place and a counter, and fractions stay exact") {
  const Json events = events_of(made("gpipe", 2, 1), {.stages = {{Rational(1, 3), 1, 1}}});
  std::map<std::string, int> phases;
  for (const Json& event : events) ++phases[event.at("ph")];
  // process, 2 names and 2 places; 4 cells; 2 messages; a count at 0, at the forward, at the end
  CHECK(phases == std::map<std::string, int>{{"M", 5}, {"X", 4}, {"s", 2}, {"f", 2}, {"C", 5}});
  CHECK(events.at(0).at("args").at("name") == "gpipe (simulated)");
  CHECK(events.at(1).at("args").at("name") == "rank 0: stage 0");
  const Json& forward = events.at(5);
  CHECK(forward.at("name") == "0F0");
  CHECK(forward.at("dur") == to_double(Rational(1, 3)));
  CHECK(forward.at("args") == Json{{"start", "0"}, {"duration", "1/3"}});
}
