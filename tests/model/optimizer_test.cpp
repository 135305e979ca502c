#include "model/optimizer.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "core/random.h"
#include "tensor/matrix.h"

using namespace lockstep;

namespace {

const std::vector<OptimizerSpec> kSpecs = {
    {},
    {.momentum = 0.9},
    {.weight_decay = 0.1, .momentum = 0.9, .nesterov = true},
    {.kind = OptimizerKind::adam, .learning_rate = 0.01},
    {.kind = OptimizerKind::adam, .learning_rate = 0.01, .weight_decay = 0.1},
};

std::vector<float> drawn(std::uint64_t stream, std::size_t count) {
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(static_cast<float>(random_symmetric(7, stream, i)));
  }
  return values;
}

}  // namespace

TEST_CASE("parts of a model that are updated by themselves get the bits of the whole") {
  for (const OptimizerSpec& spec : kSpecs) {
    constexpr std::size_t kCount = 11;
    constexpr std::size_t kFirst = 4;
    std::vector<float> whole = drawn(0, kCount);
    std::vector<float> parts = whole;
    OptimizerState<float> state(spec, kCount);
    OptimizerState<float> first(spec, kFirst);
    OptimizerState<float> rest(spec, kCount - kFirst);
    for (std::uint64_t step = 1; step <= 5; ++step) {
      const std::vector<float> gradient = drawn(step, kCount);
      const std::span<const float> slopes = gradient;
      update<float>(spec, slopes, whole, state);
      update<float>(spec, slopes.first(kFirst), std::span(parts).first(kFirst), first);
      update<float>(spec, slopes.subspan(kFirst), std::span(parts).subspan(kFirst), rest);
      REQUIRE(same_bits<float>(whole, parts));
    }
  }
}

TEST_CASE("the numbers that an optimizer keeps are those it says") {
  const std::vector<int> expected = {0, 1, 1, 2, 2};
  for (std::size_t i = 0; i < kSpecs.size(); ++i) {
    const OptimizerState<double> state(kSpecs[i], 3);
    CHECK(state_count(kSpecs[i]) == expected[i]);
    CHECK(state.first.size() + state.second.size() == static_cast<std::size_t>(3 * expected[i]));
  }
}

TEST_CASE("plain descent by hand: 1 − 0.1 · 2 = 0.8, with decay 1 − 0.1 · (2 + 0.5 · 1) = 0.75") {
  std::vector<double> parameters = {1};
  OptimizerState<double> state({}, 1);
  update<double>({}, std::vector<double>{2}, parameters, state);
  CHECK(parameters[0] == 0.8);
  parameters = {1};
  update<double>({.weight_decay = 0.5}, std::vector<double>{2}, parameters, state);
  CHECK(parameters[0] == 0.75);
}
