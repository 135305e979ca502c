#include "json/durations.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

using namespace lockstep;

namespace {

GivenDurations given(const std::vector<DurationText>& texts) {
  const Result<GivenDurations> result = read_durations(texts);
  if (!result.ok()) FAIL(result.error().where << ": " << result.error().message);
  return result.value();
}

/// "code at where" of a single text, or "fine".
std::string verdict(std::string_view key, std::string_view text) {
  const std::vector<DurationText> texts = {{key, "here", std::string(text)}};
  const Result<GivenDurations> result = read_durations(texts);
  if (result.ok()) return "fine";
  CHECK(!result.error().message.empty());
  return result.error().code + " at " + result.error().where;
}

}  // namespace

TEST_CASE("without any text the durations are the defaults, and no bytes are given") {
  const GivenDurations none = given({});
  CHECK(none.durations.stages.size() == 1);
  CHECK(none.durations.stages[0].forward == Rational(1));
  CHECK(none.durations.link == Link{});
  CHECK(none.bytes.empty());
}

TEST_CASE("one number is for all stages, a list has one for each") {
  const GivenDurations read = given(
      {{"forward", "", "1, 3/2,0.25"}, {"backward_input", "", "2"}, {"activations", "", "7,8"}});
  REQUIRE(read.durations.stages.size() == 3);
  CHECK(read.durations.stages[1].forward == Rational(3, 2));
  CHECK(read.durations.stages[2].forward == Rational(1, 4));
  for (const StageTimes& times : read.durations.stages) {
    CHECK(times.backward_input == Rational(2));
    CHECK(times.backward_weight == Rational(1));
  }
  CHECK(read.bytes == std::vector<StageBytes>{{.activations = 7}, {.activations = 8}});
}

TEST_CASE("a link is as all others but for what is said of it") {
  const GivenDurations read = given({{"latency", "", "1/2"},
                                     {"bandwidth", "", "4"},
                                     {"bytes", "", "6"},
                                     {"link", "", "0-1:latency=2,1-0:bandwidth=3, latency=0"}});
  CHECK(read.durations.bytes.activation == Rational(6));
  CHECK(read.durations.link == Link{.latency = Rational(1, 2), .per_byte = Rational(1, 4)});
  REQUIRE(read.durations.links.size() == 2);
  CHECK(read.durations.links.at({0, 1}) == Link{.latency = 2, .per_byte = Rational(1, 4)});
  CHECK(read.durations.links.at({1, 0}) == Link{.latency = 0, .per_byte = Rational(1, 3)});
}

TEST_CASE("a text that says nothing is refused at its place") {
  CHECK(verdict("forward", "1,,2") == "empty_formula at here, stage 1");
  CHECK(verdict("latency", "fast") == "unknown_name at here");
  CHECK(verdict("overlap", "5/2") == "fine");
  CHECK(verdict("overlap", "x y") == "unknown_name at here");
  CHECK(verdict("bandwidth", "0") == "out_of_range at here");
  CHECK(verdict("bandwidth", "-1") == "out_of_range at here");
  CHECK(verdict("link", "") == "not_a_link at here");
  CHECK(verdict("link", "latency=1") == "not_a_link at here");
  CHECK(verdict("link", "0:latency=1") == "not_a_link at here");
  CHECK(verdict("link", "0-:latency=1") == "not_a_link at here");
  CHECK(verdict("link", "0-x:latency=1") == "not_a_link at here");
  CHECK(verdict("link", "0-1:") == "unknown_key at here");
  CHECK(verdict("link", "0-1:speed=1") == "unknown_key at here");
  CHECK(verdict("link", "0-1:latency") == "empty_formula at here");
  CHECK(verdict("link", "0-1:bandwidth=0") == "out_of_range at here");
  CHECK(verdict("weights", "1/2") == "out_of_range at here");
  CHECK(verdict("weights", "1,-2") == "out_of_range at here, stage 1");
  CHECK(verdict("optimizer", "2^45") == "out_of_range at here");
  const std::vector<DurationText> unlike = {{"forward", "a", "1,2"},
                                            {"backward_weight", "b", "1,2,3"}};
  CHECK(read_durations(unlike).error().code == "different_counts");
  CHECK(read_durations(unlike).error().where == "b");
}
