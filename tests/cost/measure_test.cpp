#include "cost/measure.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>
#include <vector>

#include "cost/simulate.h"
#include "program/instruction.h"
#include "schedule/lower.h"
#include "support/clocks.h"
#include "support/schedules.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

void check_error(const Measured& spans, std::string_view code, std::string_view where) {
  const Program program = lower(made("gpipe", 2, 1));
  const Result<Timeline> timeline = measured_timeline(program, spans);
  REQUIRE(!timeline.ok());
  CHECK(timeline.error().code == code);
  CHECK(timeline.error().where == where);
}

}  // namespace

TEST_CASE("clocks that tell the simulated times give the simulated timeline, whatever their zero") {
  each_schedule([](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
    if (shape.microbatches > 6) return;
    CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches);
    const Program program = lower(schedule);
    const Timeline simulated = simulate(program, {}).value();
    const double zero_ms = 1796100000000.0;
    const Timeline measured =
        measured_timeline(program, clocked(program, simulated, zero_ms, 1.0 / 64)).value();
    // a tick of simulated time is 1/64 ms here, which the clock's thousandths do not divide
    const auto near = [](Ticks thousandths, Ticks ticks) {
      return thousandths * 64 - ticks * 1000 <= 64 && ticks * 1000 - thousandths * 64 <= 64;
    };
    REQUIRE(measured.tick == Rational(1, 1000));
    REQUIRE(near(measured.makespan, simulated.makespan));
    for (std::size_t rank = 0; rank < simulated.spans.size(); ++rank) {
      for (std::size_t i = 0; i < simulated.spans[rank].size(); ++i) {
        const bool waits = is_receive(program.devices[rank].instructions[i].op);
        const TimeSpan& span = simulated.spans[rank][i];
        REQUIRE(near(measured.spans[rank][i].start, waits ? span.end : span.start));
        REQUIRE(near(measured.spans[rank][i].end, simulated.spans[rank][i].end));
      }
      REQUIRE(measured.devices[rank].peak_until_weight_gradient ==
              simulated.devices[rank].peak_until_weight_gradient);
    }
  });
}

TEST_CASE("spans that no run can have are refused at their place") {
  // gpipe on two ranks, one microbatch: 4 instructions each
  const std::vector<MeasuredSpan> good = {{0, 5, 6}, {1, 6, 6}, {2, 9, 9}, {3, 9, 11}};
  const Program program = lower(made("gpipe", 2, 1));
  REQUIRE(measured_timeline(program, Measured{good, good}).ok());
  check_error({good}, "missing_span", "devices");
  check_error({good, good, good}, "missing_span", "devices");
  check_error({good, {good[0], good[1], good[2]}}, "missing_span", "device 1, span 3");
  check_error({{good[0], good[1], good[2], good[3], {4, 11, 12}}, good}, "unexpected_span",
              "device 0, span 4");
  check_error({{good[0], {2, 6, 7}, good[2], good[3]}, good}, "out_of_order", "device 0, span 1");
  check_error({{good[0], {-1, 6, 7}, good[2], good[3]}, good}, "out_of_order", "device 0, span 1");
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const auto& [start_ms, end_ms] : std::vector<std::pair<double, double>>{
           {7, 6}, {kNan, 6}, {6, kNan}, {6, kInfinity}, {-kInfinity, 6}, {6, 1e12}}) {
    CAPTURE(start_ms, end_ms);
    const Result<Timeline> timeline = measured_timeline(
        program, Measured{{good[0], {1, start_ms, end_ms}, good[2], good[3]}, good});
    REQUIRE(!timeline.ok());
    CHECK(timeline.error().code == "out_of_range");
  }
}
