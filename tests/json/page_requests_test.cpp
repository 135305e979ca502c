// What the page asks for and is told, apart from lessons and runs.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "json/compute_json.h"
#include "json/picture_json.h"
#include "json/progress_json.h"
#include "json/schedule_json.h"

using namespace lockstep;

TEST_CASE("a request for a schedule is read exactly, with its defaults") {
  const auto request = read_schedule_request(
      R"({"schedule": "1F1B", "stages": 4, "microbatches": 8,
          "forward": "0.1", "latency": "3/2"})");
  REQUIRE(request.ok());
  CHECK(request.value().schedule == "1F1B");
  CHECK(request.value().shape.ranks == 4);
  CHECK(request.value().shape.chunks == 1);
  CHECK(request.value().shape.microbatches == 8);
  CHECK(request.value().durations.stages[0].forward == Rational(1, 10));
  CHECK(request.value().durations.stages[0].backward_weight == Rational(1));
  CHECK(request.value().durations.link.latency == Rational(3, 2));
}

TEST_CASE("a request has the chunks of its schedule's row, and times and bytes a stage") {
  const auto request = read_schedule_request(
      R"({"schedule": "zbv", "stages": 2, "microbatches": 4, "forward": "1,2,1,1",
          "bandwidth": "2", "link": "0-1:latency=1", "weights": "5", "activations": "3"})");
  REQUIRE(request.ok());
  CHECK(request.value().shape.chunks == 2);
  CHECK(request.value().durations.stages.size() == 4);
  CHECK(request.value().durations.links.size() == 1);
  CHECK(request.value().bytes == std::vector<StageBytes>{{.weights = 5, .activations = 3}});
}

TEST_CASE("a schedule is written with the memory of each device, point by point") {
  // F 0–1, I 1–2, W 2–3
  Schedule schedule{
      .stage_rank = {0},
      .ranks = {
          {{ActionKind::forward}, {ActionKind::backward_input}, {ActionKind::backward_weight}}}};
  const StageBytes bytes = {.weights = 1, .gradients = 2, .optimizer = 3, .activations = 4};
  const auto timed = timed_schedule(schedule, {}, {&bytes, 1});
  REQUIRE(timed.ok());
  const auto json = nlohmann::json::parse(write_timed_schedule(timed.value()));
  CHECK(json.at("devices").at(0).at("memory") == nlohmann::json::parse(R"(
      {"weights": 1, "gradients": 2, "optimizer": 3,
       "points": [["0", 1, 4, 1, 4], ["2", 1, 4, 0, 0], ["3", 0, 0, 0, 0]]})"));
  CHECK(!json.contains("second_half_rank"));
  const auto dual = timed_schedule(make_schedule("dualpipe", {2, 1, 4}).value(), {});
  CHECK(nlohmann::json::parse(write_timed_schedule(dual.value())).at("second_half_rank") ==
        nlohmann::json::parse("[1, 0]"));
}

TEST_CASE("a request for a closed form is read with exact values by name") {
  const auto request = read_compute_request(
      R"({"name": "speedup", "values": {"t_single": "1e+2", "t_comm": ".5"}})");
  REQUIRE(request.ok());
  CHECK(request.value().name == "speedup");
  REQUIRE(request.value().values.size() == 2);
  CHECK(request.value().values[0].name == "t_single");
  CHECK(request.value().values[0].value == Rational(100));
  CHECK(request.value().values[1].value == Rational(1, 2));
}

TEST_CASE("a request that keeps not to its form is refused at its place") {
  const auto schedule = read_schedule_request(
      R"({"schedule": "gpipe", "stages": 4, "microbatches": 8, "forward": "1 +"})");
  REQUIRE_FALSE(schedule.ok());
  CHECK(schedule.error().where == "/forward");
  const auto form = read_compute_request(R"({"name": "speedup", "values": {"t_comm": 2}})");
  REQUIRE_FALSE(form.ok());
  CHECK(form.error().code == "wrong_type");
  CHECK(form.error().where == "/values/t_comm");
  const auto moment = read_moment(R"({"ms": 1})");
  REQUIRE_FALSE(moment.ok());
  CHECK(moment.error().code == "missing_key");
}

TEST_CASE("a shape is written with the fields of its kind and no others") {
  Picture picture{.width = 20, .height = 10.5, .title = "T", .description = "D", .shapes = {}};
  picture.shapes.push_back({.kind = ShapeKind::rect,
                            .classes = "forward",
                            .x = 1,
                            .y = 2,
                            .width = 3,
                            .height = 4,
                            .title = "forward of 0",
                            .rank = 0,
                            .instruction = 5});
  picture.shapes.push_back({.kind = ShapeKind::line, .x = 1, .y = 2, .width = 0, .height = 4});
  picture.shapes.push_back({.kind = ShapeKind::path, .classes = "idle", .text = "M0 0L8 8"});
  picture.shapes.push_back({.kind = ShapeKind::text, .x = 1, .y = 2, .text = "<F>"});
  CHECK(nlohmann::json::parse(write_picture(picture)) == nlohmann::json::parse(R"({
    "width": 20, "height": 10.5, "title": "T", "description": "D", "shapes": [
      {"kind": "rect", "classes": "forward", "x": 1, "y": 2, "width": 3, "height": 4,
       "title": "forward of 0", "rank": 0, "instruction": 5},
      {"kind": "line", "classes": "", "x": 1, "y": 2, "width": 0, "height": 4},
      {"kind": "path", "classes": "idle", "path": "M0 0L8 8"},
      {"kind": "text", "classes": "", "x": 1, "y": 2, "text": "<F>"}]})"));
}

TEST_CASE("an attempt is read with every kind of verdict, and its rating written") {
  for (const VerdictKind kind : {VerdictKind::correct, VerdictKind::incorrect, VerdictKind::partial,
                                 VerdictKind::invalid, VerdictKind::needs_precision}) {
    const std::string name(verdict_kind_name(kind));
    const auto attempt = read_attempt(R"({"verdict": ")" + name + R"(", "hints": 2, "flags": 33})");
    REQUIRE(attempt.ok());
    CHECK(attempt.value().verdict == kind);
    CHECK(attempt.value().hints == 2);
    CHECK(attempt.value().flags == (kRetryFlag | kChoiceFlag));
    CHECK(attempt.value().confidence == Confidence::not_asked);
  }
  CHECK(write_rating(Rating::good) == R"({"rating":3})");
  CHECK(write_rating(std::nullopt) == R"({"rating":null})");
}

TEST_CASE("a log is read event by event, an answer without a rating too") {
  const auto request = read_replay_request(R"({"now": {"ms": 5, "offset_min": -60},
      "events": [{"id": "a-1", "skill": "s", "ms": 1, "day": -1, "rating": 4},
                 {"id": "a-2", "skill": "t", "ms": 2, "day": 0}],
      "renamings": [{"from": "s", "to": "u"}]})");
  REQUIRE(request.ok());
  CHECK(request.value().now.offset_min == -60);
  REQUIRE(request.value().events.size() == 2);
  CHECK(request.value().events[0].day == -1);
  CHECK(request.value().events[0].rating == Rating::easy);
  CHECK_FALSE(request.value().events[1].rating);
  CHECK(request.value().renamings[0].to == "u");
}

TEST_CASE("a replay takes in as many events as it says, and a form may need no numbers") {
  std::string events;
  for (std::size_t n = 0; n < kMaxLogEvents; ++n) {
    events += std::string(n == 0 ? "" : ",") + R"({"id":"a-)" + std::to_string(n) +
              R"(","skill":"s","ms":1,"day":0})";
  }
  const std::string now = R"({"now":{"ms":5,"offset_min":0},"events":[)";
  CHECK(read_replay_request(now + events + "]}").ok());
  const auto longer = read_replay_request(now + events + R"(,{"id":"b-1"}]})");
  REQUIRE(!longer.ok());
  CHECK(longer.error().code == "too_many_items");
  CHECK(read_compute_request(R"({"name": "speedup", "values": {}})").ok());
}
