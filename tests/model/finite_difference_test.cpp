#include "model/finite_difference.h"

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "model/drawn_model.h"
#include "model/gradient_bound.h"

using namespace lockstep;

namespace {

std::vector<std::size_t> all_parameters(const MlpSpec& spec) {
  return spread_parameters(parameter_count(spec), parameter_count(spec));
}

}  // namespace

TEST_CASE("the difference is exact for numbers that do not round") {
  // loss = (w x + b - t)² = (2 w + b - 1)² at w = 3, b = 0.5: 5.5², by w 2 * 5.5 * 2, by b 11
  Stage<double> model(MlpSpec{{1, 1}}, 0);
  model.parameters()[0] = 3;
  model.parameters()[1] = 0.5;
  Batch<double> batch{Matrix<double>(1, 1), Matrix<double>(1, 1)};
  batch.inputs.values = {2};
  batch.targets.values = {1};
  const auto differences = finite_differences(model, batch, all_parameters(model.spec()));
  REQUIRE(differences.taken.size() == 2);
  CHECK(differences.taken[0].derivative == 22);
  CHECK(differences.taken[1].derivative == 11);
  CHECK(differences.taken[0].step == kLargestStep);
  CHECK(differences.taken[0].tolerance < 1e-11);
}

TEMPLATE_TEST_CASE("the gradient is the one that finite differences give, for many shapes", "",
                   float, double) {
  std::size_t taken = 0;
  std::size_t skipped = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const MlpSpec spec = drawn_spec(seed);
    CAPTURE(seed, spec.widths);
    const Stage<TestType> model(spec, seed);
    const auto batch = draw_batch<TestType>(spec, seed, drawn_rows(seed));
    const auto single = single_device_gradient(model, batch);
    REQUIRE(single.ok());
    const auto differences =
        finite_differences(model, batch, spread_parameters(parameter_count(spec), 100));
    const auto comparison = compare_with_finite_differences<TestType>(
        single.value().gradient, gradient_error_bound(model, batch), differences);
    CAPTURE(comparison.largest_share_of_bound, comparison.worst);
    REQUIRE(comparison.within_bound());
    REQUIRE(comparison.largest_difference < (sizeof(TestType) == 4 ? 1e-4 : 1e-9));
    taken += differences.taken.size();
    skipped += differences.skipped.size();
  }
  WARN("taken " << taken << ", skipped " << skipped);
  CHECK(skipped * 50 < taken);
}

TEST_CASE("every parameter of the default run is checked, and one wrong number is found") {
  const MlpSpec spec{{16, 32, 32, 4}};
  const Stage<double> model(spec, 1);
  const auto batch = draw_batch<double>(spec, 1, 64);
  auto gradient = single_device_gradient(model, batch).value().gradient;
  const auto differences = finite_differences(model, batch, all_parameters(spec));
  CHECK(differences.taken.size() + differences.skipped.size() == parameter_count(spec));
  CHECK(differences.skipped.size() < 20);
  const auto error_bound = gradient_error_bound(model, batch);
  const auto compare = [&] {
    return compare_with_finite_differences<double>(gradient, error_bound, differences);
  };
  CHECK(compare().within_bound());
  WARN("skipped " << differences.skipped.size() << ", largest difference "
                  << compare().largest_difference);
  gradient[700] += 1e-8;
  CHECK_FALSE(compare().within_bound());
  CHECK(compare().worst == 700);
}

TEST_CASE("a parameter whose every step moves a relu across 0 is skipped, not compared") {
  // h = relu(w x + b) with w x + b = 0: any step moves it.
  Stage<double> model(MlpSpec{{1, 1, 1}}, 0);
  const std::vector<double> parameters{1, -1, 1, 0};
  std::ranges::copy(parameters, model.parameters().begin());
  Batch<double> batch{Matrix<double>(1, 1), Matrix<double>(1, 1)};
  batch.inputs.values = {1};
  batch.targets.values = {1};
  const auto at_kink = finite_differences(model, batch, all_parameters(model.spec()));
  CHECK(at_kink.skipped == std::vector<std::size_t>{0, 1});
  CHECK(at_kink.taken.size() == 2);

  model.parameters()[0] = 1 + 0x1p-10;  // the relu's input is 2^-10: smaller steps fit
  const auto beside = finite_differences(model, batch, all_parameters(model.spec()));
  CHECK(beside.skipped.empty());
  CHECK(beside.taken[0].step < 0x1p-10);
}

TEST_CASE("a step too small for a huge parameter skips it") {
  Stage<double> model(MlpSpec{{1, 1}}, 0);
  model.parameters()[0] = 1e30;
  model.parameters()[1] = 0;
  Batch<double> batch{Matrix<double>(1, 1), Matrix<double>(1, 1)};
  batch.inputs.values = {1};
  const auto differences = finite_differences(model, batch, all_parameters(model.spec()));
  for (const FiniteDifference& difference : differences.taken) {
    CHECK(difference.parameter != 0);
  }
}

TEST_CASE("spread parameters are evenly spaced and all different") {
  const MlpSpec spec{{2, 3, 1}};  // 13 parameters
  CHECK(spread_parameters(parameter_count(spec), 4) == std::vector<std::size_t>{0, 3, 6, 9});
  CHECK(spread_parameters(parameter_count(spec), 100).size() == 13);
  CHECK(spread_parameters(parameter_count(spec), 100).back() == 12);
  CHECK(spread_parameters(parameter_count(spec), 0).empty());
}
