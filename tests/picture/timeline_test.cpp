#include "picture/timeline.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <map>
#include <span>
#include <sstream>
#include <string>

#include "core/hash.h"
#include "cost/measure.h"
#include "cost/simulate.h"
#include "picture/svg.h"
#include "picture/time_grid.h"
#include "program/instruction.h"
#include "schedule/lower.h"
#include "strategy/strategy.h"
#include "support/clocks.h"
#include "support/schedules.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

Picture timeline_of(const Schedule& schedule, const Durations& durations = {}) {
  const Program program = lower(schedule);
  return draw_timeline(program, simulate(program, durations).value());
}

std::vector<Shape> cells_of(const Picture& picture) {
  std::vector<Shape> cells;
  std::ranges::copy_if(picture.shapes, std::back_inserter(cells),
                       [](const Shape& shape) { return shape.rank >= 0; });
  return cells;
}

std::ptrdiff_t texts_in(const Picture& picture, std::string_view classes) {
  return std::ranges::count_if(picture.shapes, [&](const Shape& shape) {
    return shape.kind == ShapeKind::text && shape.classes.starts_with(classes);
  });
}

void check_inside(const Picture& picture) {
  for (const Shape& shape : picture.shapes) {
    CAPTURE(shape.classes, shape.x, shape.y, shape.text);
    REQUIRE(shape.x >= 0);
    REQUIRE(shape.y >= 0);
    REQUIRE(shape.x + shape.width <= picture.width);
    REQUIRE(shape.y + shape.height <= picture.height);
  }
}

void check_classes(const Picture& picture) {
  for (const Shape& shape : picture.shapes) {
    std::istringstream names(shape.classes);
    for (std::string name; names >> name;) {
      CAPTURE(name);
      REQUIRE(picture_style().find("." + name + " ") != std::string_view::npos);
    }
  }
}

/// Cells of a device stand in its row, by time, and do not overlap; every one can be seen.
void check_rows(const Picture& picture) {
  std::map<int, double> row_top;
  std::map<int, double> row_end;
  for (const Shape& cell : cells_of(picture)) {
    CAPTURE(cell.title);
    REQUIRE(!cell.title.empty());
    REQUIRE(cell.story.ends_with('.'));
    REQUIRE(cell.width > 0.5);
    REQUIRE(row_top.try_emplace(cell.rank, cell.y).first->second == cell.y);
    REQUIRE(cell.x >= row_end[cell.rank] - 0.015);  // both were rounded to hundredths
    row_end[cell.rank] = cell.x + cell.width;
  }
  for (const auto& [rank, top] : row_top) {
    if (row_top.contains(rank - 1)) REQUIRE(top > row_top[rank - 1] + 10);
  }
}

/// The line below the rows, as long as the chart is wide.
Shape chart_of(const Picture& picture) {
  return *std::ranges::find_if(picture.shapes, [](const Shape& shape) {
    return shape.kind == ShapeKind::line && shape.width > 0;
  });
}

std::string hash_of(const std::string& text) {
  return hex16(fnv1a(std::as_bytes(std::span(text))));
}

}  // namespace

TEST_CASE("every action of every schedule is one cell, in its device's row, and none overlap") {
  each_schedule([](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
    if (shape.ranks > 5 || shape.microbatches > 6) return;
    CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches);
    const Picture picture = timeline_of(schedule);
    check_inside(picture);
    check_classes(picture);
    const std::vector<Shape> cells = cells_of(picture);
    std::size_t actions = 0;
    for (const auto& rank : schedule.ranks) actions += rank.size();
    REQUIRE(cells.size() == actions);
    check_rows(picture);
  });
}

TEST_CASE("a cell tells its story and shows its letter and microbatch") {
  const Picture picture = timeline_of(made("gpipe", 2, 2));
  const std::vector<Shape> cells = cells_of(picture);
  CHECK(cells.at(2).title == "device 0: backward of stage 0 on microbatch 0, from 5 to 7");
  CHECK(cells.at(2).classes == "backward");
  CHECK(cells.at(2).rank == 0);
  CHECK(cells.at(2).instruction == 5);  // F send F send receive B
  CHECK(texts_in(picture, "number") == 8);
  CHECK(texts_in(picture, "letter") == 8 + 2);  // and two in the legend
}

TEST_CASE("a measured picture says so, in ms, and shows what the clock told no length of") {
  const Program program = lower(made("gpipe", 2, 1));
  const std::vector<std::vector<MeasuredSpan>> spans = {
      {{0, 1000, 1002}, {1, 1002, 1002}, {2, 1006, 1006}, {3, 1006, 1006}},
      {{0, 1002, 1002}, {1, 1002, 1004}, {2, 1004, 1006}, {3, 1006, 1006}}};
  const Picture picture =
      draw_timeline(program, measured_timeline(program, spans).value(), TimeSource::measured);
  check_inside(picture);
  check_classes(picture);
  CHECK(picture.description.find("measured time runs to the right from 0 to 6\u00a0ms") !=
        std::string::npos);
  CHECK(picture.description.find("simulated") == std::string::npos);
  const std::vector<Shape> cells = cells_of(picture);
  REQUIRE(cells.size() == 4);
  CHECK(cells[0].title ==
        "device 0: forward of stage 0 on microbatch 0, from 0\u00a0ms to 2\u00a0ms");
  CHECK(cells[1].title ==
        "device 0: backward of stage 0 on microbatch 0, from 6\u00a0ms to 6\u00a0ms");
  CHECK(cells[1].width > 1);
}

TEST_CASE("a measured picture says of how much work the clock was too coarse to tell the length") {
  const Program program = lower(made("gpipe", 2, 1));
  const auto description = [&](double length_ms) {
    const std::vector<MeasuredSpan> device = {
        {0, 0, length_ms}, {1, 1, 1}, {2, 2, 2 + length_ms}, {3, 3, 4}};
    return draw_timeline(program, measured_timeline(program, std::vector(2, device)).value(),
                         TimeSource::measured)
        .description;
  };
  // On device 0 instructions 0 and 3 are stage work, on device 1 it is 1 and 2.
  CHECK(description(0.1).find("too coarse to tell how long 1 of 4 pieces of work took: it is a "
                              "thin mark.") != std::string::npos);
  CHECK(description(0).find("too coarse to tell how long 3 of 4 pieces of work took: they are thin "
                            "marks.") != std::string::npos);
  const Timeline simulated = simulate(program, {.stages = {{0, 0, 0}}}).value();
  CHECK(draw_timeline(program, simulated).description.find("clock") == std::string::npos);
}

TEST_CASE("clocks that saw no time pass at all leave a picture of marks that says so") {
  const Program program = make_plan(RunConfig{}).value().program;
  std::vector<std::vector<MeasuredSpan>> spans;
  for (const DeviceProgram& device : program.devices) {
    std::vector<MeasuredSpan>& list = spans.emplace_back();
    for (int i = 0; i < static_cast<int>(device.instructions.size()); ++i)
      list.push_back({i, 7, 7});
  }
  const Picture picture =
      draw_timeline(program, measured_timeline(program, spans).value(), TimeSource::measured);
  check_inside(picture);
  check_rows(picture);
  CHECK(picture.description.find("The clock saw no work take time. The clock was too coarse to "
                                 "tell how long 8 of 8 pieces") != std::string::npos);
}

TEST_CASE("clocks that tell the simulated times give the simulated layout, on a scale of its own") {
  each_schedule([](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
    if (shape.ranks > 5 || shape.microbatches > 6) return;
    CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches);
    const Program program = lower(schedule);
    const Timeline timeline = simulate(program, {}).value();
    const Picture simulated = draw_timeline(program, timeline);
    const Picture measured = draw_timeline(
        program, measured_timeline(program, clocked(program, timeline, 1796100000000.0, 1)).value(),
        TimeSource::measured);
    const double scale = chart_of(measured).width / chart_of(simulated).width;
    const std::vector<Shape> expected = cells_of(simulated);
    const std::vector<Shape> cells = cells_of(measured);
    REQUIRE(cells.size() == expected.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      REQUIRE(cells[i].rank == expected[i].rank);
      REQUIRE(cells[i].instruction == expected[i].instruction);
      REQUIRE(cells[i].y == expected[i].y);
      // Both were rounded to hundredths.
      const double exact = (expected[i].x - chart_of(simulated).x) * scale;
      REQUIRE(std::abs(cells[i].x - chart_of(measured).x - exact) < 0.03);
      REQUIRE(std::abs(cells[i].width - expected[i].width * scale) < 0.03);
    }
  });
}

TEST_CASE("every step of the exchange of gradients is drawn, in order, and named in the legend") {
  for (const int devices : {2, 4, 16}) {
    CAPTURE(devices);
    RunConfig config;
    config.devices = devices;
    const Program program = make_plan(config).value().program;
    for (const Rational& latency : {Rational(0), Rational(1, 10)}) {
      const Picture picture =
          draw_timeline(program, simulate(program, {.link = {.latency = latency}}).value());
      check_inside(picture);
      check_classes(picture);
      check_rows(picture);
      const auto count = std::ranges::count(picture.shapes, "communication", &Shape::classes);
      // Each device sends and receives 2(n−1) times and takes the mean; and three in the legend.
      CHECK(count == devices * (4 * (devices - 1) + 1) + 3);
      for (const std::string_view words : {"send", "receive", "take the mean"}) {
        CHECK(std::ranges::count(picture.shapes, words, &Shape::text) == 1);
      }
    }
  }
}

TEST_CASE("waiting is idle in measured time, and a message that took time is a cell") {
  const Program program = lower(made("gpipe", 2, 1));
  // Device 1 waits until 3, takes 1 to receive, and works until 8.
  const std::vector<std::vector<MeasuredSpan>> spans = {
      {{0, 0, 2}, {1, 2, 3}, {2, 8, 8}, {3, 8, 9}}, {{0, 3, 4}, {1, 4, 5}, {2, 5, 8}, {3, 8, 8}}};
  const Picture picture =
      draw_timeline(program, measured_timeline(program, spans).value(), TimeSource::measured);
  check_inside(picture);
  check_classes(picture);
  check_rows(picture);
  std::vector<std::string> titles;
  for (const Shape& cell : cells_of(picture)) titles.push_back(cell.title);
  REQUIRE(titles.size() == 6);
  CHECK(titles[1] ==
        "device 0: send activation stage 0 microbatch 0 to device 1, from 2\u00a0ms to 3\u00a0ms");
  CHECK(titles[3] ==
        "device 1: receive activation stage 0 microbatch 0 from device 0, from 3\u00a0ms to "
        "4\u00a0ms");
  // Idle: device 0 from 3 to 8, device 1 before 3 and after 8; and one in the legend.
  CHECK(std::ranges::count(picture.shapes, "idle", &Shape::classes) == 3 + 1);
}

TEST_CASE("twice the time is twice the width") {
  const std::vector<Shape> cells = cells_of(timeline_of(made("one_f_one_b", 4, 8)));
  CHECK(cells.at(0).classes == "forward");
  CHECK(cells.at(4).classes == "backward");
  CHECK(cells.at(4).width == 2 * cells.at(0).width);
}

TEST_CASE("the description says what the picture says") {
  const Picture picture = timeline_of(made("one_f_one_b", 2, 2));
  CHECK(picture.title == "1F1B: 2 devices, 2 microbatches");
  // by hand: F0 F1 on rank 0 until 2, B0 from 4 to 6, B1 from 7 to 9; rank 1 from 1 to 7
  CHECK(
      picture.description ==
      "Devices are rows; simulated time runs to the right from 0 to 9. Idle for 1/3 = 33.3\u00a0% "
      "of the total time, or 1/2 = 50.0\u00a0% of the ideal time. Device 0 works 6 between 0 and "
      "9 and keeps at most 2 activations. Device 1 works 6 between 1 and 7 and keeps at most 1 "
      "activation.");
}

TEST_CASE("a device that holds several stages shows the stage before the letter") {
  const Picture picture = timeline_of(schedule_from("0F0 1F0 1I0 1W0 0B0"));
  const auto says = [&](std::string_view text) {
    return std::ranges::count(picture.shapes, text, &Shape::text) == 1;
  };
  CHECK(says("1F"));
  CHECK(says("1I"));
  CHECK(says("0B"));
  CHECK(picture.description.find("No device is ever idle.") != std::string::npos);
}

TEST_CASE("a chart too large for its text leaves it out and stays within its width") {
  const Picture picture = timeline_of(made("gpipe", 8, 256));
  CHECK(picture.width < 2700);
  CHECK(texts_in(picture, "number") == 0);
  CHECK(cells_of(picture).size() == 2 * 8 * 256);
}

TEST_CASE("programs without work, without time or without devices are drawn, too") {
  check_inside(timeline_of(made("gpipe", 2, 2), {.stages = {{0, 0, 0}}}));
  Program idle{.name = "idle"};
  idle.devices.resize(2);
  check_inside(draw_timeline(idle, simulate(idle, {}).value()));
  const Program nobody{.name = "nobody"};
  check_inside(draw_timeline(nobody, simulate(nobody, {}).value()));
}

TEST_CASE("durations of any size have a scale that can be read") {
  for (const Rational& unit : {ten_to(-9), Rational(1, 3), Rational(7), ten_to(15)}) {
    const Picture picture =
        timeline_of(made("one_f_one_b", 3, 5), {.stages = {{unit, unit, unit}}});
    check_inside(picture);
    CHECK(texts_in(picture, "small middle") >= 3);
    CHECK(texts_in(picture, "small middle") <= 12);
  }
}

TEST_CASE("the same schedule gives the same SVG, byte for byte, natively and as WebAssembly") {
  // A golden value: look at the picture before changing it.
  CHECK(hash_of(to_svg(timeline_of(made("one_f_one_b", 4, 8)), SvgStyle::outside)) ==
        "0a59392cb81f468f");
}

TEST_CASE("a time grid has one cell of 9 mm a device and step, and fits A4 and Letter") {
  constexpr double kPixelsOf9mm = 9 / 25.4 * 96;
  constexpr double kPixelsOf178mm = 178 / 25.4 * 96;
  for (const int ranks : {1, 4, 8}) {
    for (const int columns : {1, 11, kGridColumnsAcross}) {
      CAPTURE(ranks, columns);
      const Picture picture = draw_time_grid({.ranks = ranks, .columns = columns});
      check_inside(picture);
      check_classes(picture);
      REQUIRE(std::ranges::count(picture.shapes, "blank", &Shape::classes) == ranks * columns);
      REQUIRE(picture.width <= kPixelsOf178mm);
      for (const Shape& shape : picture.shapes) {
        if (shape.classes != "blank") continue;
        REQUIRE(shape.width >= kPixelsOf9mm);
        REQUIRE(shape.height >= kPixelsOf9mm);
      }
    }
  }
}

TEST_CASE("a filled grid says what its cells say") {
  const Picture picture =
      draw_time_grid({.ranks = 2, .columns = 3, .cells = {{"0", "1"}, {"", "0", "1"}}});
  check_inside(picture);
  check_classes(picture);
  CHECK(texts_in(picture, "number") == 4);
  CHECK(picture.description ==
        "One row a device and one column a step of time, from step 0 on. "
        "Device 0: 0, 1, idle. Device 1: idle, 0, 1.");
}

TEST_CASE("a time grid past the limits is the largest or smallest there is") {
  CHECK(draw_time_grid({.ranks = 0, .columns = -1, .first_column = -3}).shapes ==
        draw_time_grid({}).shapes);
  CHECK(draw_time_grid({.ranks = 1000, .columns = 1000}).shapes ==
        draw_time_grid({.ranks = 64, .columns = kGridColumnsAcross}).shapes);
}
