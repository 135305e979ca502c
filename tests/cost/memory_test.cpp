#include "cost/memory.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "cost/timed_schedule.h"
#include "support/schedules.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr Freeing kRules[] = {Freeing::at_weight_gradient, Freeing::at_input_gradient};

TimedSchedule timed(const Schedule& schedule, const std::vector<StageBytes>& bytes = {},
                    const Durations& durations = {}) {
  Result<TimedSchedule> result = timed_schedule(schedule, durations, bytes);
  REQUIRE(result.ok());
  return std::move(result).value();
}

/// "time:count/bytes time:count/bytes …"
std::string curve_text(const DeviceMemory& memory, Freeing freeing) {
  std::string text;
  for (const MemoryPoint& point : memory.points) {
    const InFlight& in_flight = point.in_flight(freeing);
    text += (text.empty() ? "" : " ") + std::to_string(point.time) + ":" +
            std::to_string(in_flight.count) + "/" + std::to_string(in_flight.bytes);
  }
  return text;
}

}  // namespace

TEST_CASE(
    "the memory curve rises to the peak of the timeline by either rule, and ends at nothing") {
  each_schedule([](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
    CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches);
    const TimedSchedule result = timed(schedule, {{.weights = 3, .activations = 5}});
    for (std::size_t rank = 0; rank < result.memory.size(); ++rank) {
      const DeviceMemory& memory = result.memory[rank];
      const DeviceTimes& times = result.simulation.devices[rank];
      REQUIRE(memory.peak(Freeing::at_weight_gradient).count == times.peak_until_weight_gradient);
      REQUIRE(memory.peak(Freeing::at_input_gradient).count == times.peak_until_input_gradient);
      REQUIRE(std::ranges::is_sorted(memory.points, {}, &MemoryPoint::time));
      for (const Freeing freeing : kRules) {
        for (const MemoryPoint& point : memory.points) {
          REQUIRE(point.in_flight(freeing).count >= 0);
          REQUIRE(point.in_flight(freeing).bytes == 5 * point.in_flight(freeing).count);
        }
        if (!memory.points.empty()) {
          REQUIRE(memory.points.back().in_flight(freeing) == InFlight{});
        }
      }
      // every device holds v stages, and DualPipe's two
      const int stages = row.name == "dualpipe" ? 2 : shape.chunks;
      REQUIRE(memory.weight_bytes == 3 * stages);
    }
  });
}

TEST_CASE("the curve of a split backward by hand, and two stages of unlike size on a device") {
  // rank 0: 0F0 0–1, 1F0 1–2, 1I0 2–3, 0I0 3–4, 1W0 4–5, 0W0 5–6
  const std::vector<StageBytes> bytes = {
      {.weights = 1, .gradients = 2, .optimizer = 4, .activations = 10},
      {.weights = 8, .gradients = 16, .optimizer = 32, .activations = 100}};
  const TimedSchedule result = timed(schedule_from("0F0 1F0 1I0 0I0 1W0 0W0"), bytes);
  const DeviceMemory& memory = result.memory.at(0);
  CHECK(memory.weight_bytes == 9);
  CHECK(memory.gradient_bytes == 18);
  CHECK(memory.optimizer_bytes == 36);
  CHECK(curve_text(memory, Freeing::at_weight_gradient) ==
        "0:1/10 1:2/110 3:2/110 4:2/110 5:1/10 6:0/0");
  CHECK(curve_text(memory, Freeing::at_input_gradient) ==
        "0:1/10 1:2/110 3:1/10 4:0/0 5:0/0 6:0/0");
  CHECK(memory.peak_bytes(Freeing::at_weight_gradient) == 9 + 18 + 36 + 110);
}

TEST_CASE("of a pair that overlaps the forward's memory is taken before the backward's is free") {
  const TimedSchedule result = timed(schedule_from("0F0 (0F1;0B0)OVERLAP_F_B 0B1"));
  CHECK(result.memory.at(0).peak(Freeing::at_weight_gradient).count == 2);
}

TEST_CASE("bytes that cannot be are refused and named") {
  const auto refused = [](const std::vector<StageBytes>& bytes) {
    const Result<TimedSchedule> result = timed_schedule(made("gpipe", 2, 2), {}, bytes);
    REQUIRE(!result.ok());
    CHECK(result.error().code == "out_of_range");
    return result.error().where;
  };
  CHECK(refused({{}, {}, {}}) == "bytes");
  CHECK(refused({{}, {.optimizer = -1}}) == "bytes of stage 1");
  CHECK(refused({{.activations = kStageBytesMax + 1}}) == "bytes of stage 0");
}
