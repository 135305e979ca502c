#include "model/gradient_bound.h"

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

#include "core/random.h"
#include "model/compare.h"
#include "model/drawn_model.h"
#include "model/layers.h"

using namespace lockstep;

namespace {

enum class Scaling { by_batch, by_shard, at_the_end };

/// The gradient sum of some rows, in the order given.
template <typename T>
std::vector<T> shard_gradient(const Stage<T>& model, const Batch<T>& batch,
                              std::span<const int> rows, std::int64_t divisor) {
  Batch<T> shard{Matrix<T>(static_cast<int>(rows.size()), batch.inputs.columns),
                 Matrix<T>(static_cast<int>(rows.size()), batch.targets.columns)};
  for (int i = 0; i < shard.inputs.rows; ++i) {
    const int row = rows[static_cast<std::size_t>(i)];
    std::ranges::copy(batch.inputs.row(row), shard.inputs.row(i).begin());
    std::ranges::copy(batch.targets.row(row), shard.targets.row(i).begin());
  }
  Stash<T> stash;
  const auto outputs = model.forward(shard.inputs, stash);
  model.backward_input(squared_error_gradient<T>(outputs, shard.targets, divisor), stash);
  std::vector<T> gradient(model.parameters().size());
  model.backward_weight(stash, gradient);
  return gradient;
}

/// The batch's gradient with rows shuffled, cut into `parts` shards of drawn sizes (some empty),
/// scaled in one of three ways and summed last shard first.
template <typename T>
std::vector<T> regrouped_gradient(const Stage<T>& model, const Batch<T>& batch, int parts,
                                  Scaling scaling, std::uint64_t seed) {
  const int rows = batch.inputs.rows;
  std::vector<int> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), 0);
  for (std::uint32_t i = static_cast<std::uint32_t>(rows); i > 1; --i) {
    std::swap(order[i - 1], order[random_below(seed, 110, i, i)]);
  }
  std::vector<std::size_t> cuts{0, order.size()};
  for (int part = 1; part < parts; ++part) {
    const auto place = static_cast<std::uint64_t>(part);
    cuts.push_back(random_below(seed, 111, place, order.size() + 1));
  }
  std::ranges::sort(cuts);

  std::vector<T> sum(model.parameters().size());
  for (std::size_t part = cuts.size() - 1; part-- > 0;) {
    const auto shard = std::span(order).subspan(cuts[part], cuts[part + 1] - cuts[part]);
    if (shard.empty()) continue;
    const auto elements = static_cast<std::int64_t>(shard.size()) * batch.targets.columns;
    std::int64_t divisor = batch.element_count();
    if (scaling == Scaling::by_shard) divisor = elements;
    if (scaling == Scaling::at_the_end) divisor = 1;
    auto gradient = shard_gradient<T>(model, batch, shard, divisor);
    const T share = static_cast<T>(elements) / static_cast<T>(batch.element_count());
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += scaling == Scaling::by_shard ? share * gradient[i] : gradient[i];
    }
  }
  if (scaling == Scaling::at_the_end) {
    const T factor = T{1} / static_cast<T>(batch.element_count());
    for (T& value : sum) value *= factor;
  }
  return sum;
}

}  // namespace

TEMPLATE_TEST_CASE("regrouping rows and moving the scaling stays within the bound", "", float,
                   double) {
  double largest_share = 0;
  int differing = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const MlpSpec spec = drawn_spec(seed);
    const int parts = 1 + static_cast<int>(random_below(seed, 112, 0, 8));
    const auto scaling = static_cast<Scaling>(random_below(seed, 113, 0, 3));
    CAPTURE(seed, spec.widths, parts, static_cast<int>(scaling));
    const Stage<TestType> model(spec, seed);
    const auto batch = draw_batch<TestType>(spec, seed, drawn_rows(seed));
    const auto single = single_device_gradient(model, batch);
    REQUIRE(single.ok());
    const auto other = regrouped_gradient(model, batch, parts, scaling, seed);
    const auto comparison = compare_gradients<TestType>(single.value().gradient, other,
                                                        gradient_bound(model, batch, parts));
    CAPTURE(comparison.largest_share_of_bound, comparison.worst);
    REQUIRE(comparison.within_bound());
    largest_share = std::max(largest_share, comparison.largest_share_of_bound);
    differing += comparison.bit_equal ? 0 : 1;
  }
  WARN("largest share of the bound over all seeds: " << largest_share);
  CHECK(differing > 300);        // the evaluations do differ
  CHECK(largest_share > 0.005);  // so the bound is not far too wide
}

TEMPLATE_TEST_CASE("the bound holds where products underflow", "", float, double) {
  // Inputs near the square root of the smallest normal number: products of two are subnormal.
  const double tiny = std::sqrt(static_cast<double>(std::numeric_limits<TestType>::min()));
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const MlpSpec spec{{5, 3, 2}};
    Stage<TestType> model(spec, seed);
    for (TestType& value : model.parameters()) value *= static_cast<TestType>(tiny);
    auto batch = draw_batch<TestType>(spec, seed, 17);
    for (TestType& value : batch.inputs.values) value *= static_cast<TestType>(tiny);
    for (TestType& value : batch.targets.values) value *= static_cast<TestType>(tiny);
    const auto single = single_device_gradient(model, batch);
    REQUIRE(single.ok());
    for (const Scaling scaling : {Scaling::by_batch, Scaling::by_shard, Scaling::at_the_end}) {
      CAPTURE(seed, static_cast<int>(scaling));
      const auto other = regrouped_gradient(model, batch, 4, scaling, seed);
      REQUIRE(compare_gradients<TestType>(single.value().gradient, other,
                                          gradient_bound(model, batch, 4))
                  .within_bound());
    }
  }
}

TEMPLATE_TEST_CASE("a gradient that misses a row is out of the bound", "", float, double) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    const MlpSpec spec{{16, 32, 32, 4}};
    const Stage<TestType> model(spec, seed);
    const auto batch = draw_batch<TestType>(spec, seed, 64);
    const auto single = single_device_gradient(model, batch);
    REQUIRE(single.ok());
    std::vector<int> rows(63);
    std::iota(rows.begin(), rows.end(), 0);
    const auto other = shard_gradient<TestType>(model, batch, rows, batch.element_count());
    REQUIRE_FALSE(
        compare_gradients<TestType>(single.value().gradient, other, gradient_bound(model, batch, 4))
            .within_bound());
  }
}

TEST_CASE("the bound of one product, worked by hand") {
  // One weight, one row: y = 2 * 3 + 0, dy = 2 (6 - 4) / 1 = 4, so S = |x| |dy| = 12 and 4 for the
  // bias, k = 5 + 1 row + 1 part = 7. The underflow allowance is far below the last digit.
  Stage<double> model(MlpSpec{{1, 1}}, 0);
  model.parameters()[0] = 2;
  model.parameters()[1] = 0;
  Batch<double> batch{Matrix<double>(1, 1), Matrix<double>(1, 1)};
  batch.inputs.values = {3};
  batch.targets.values = {4};
  const std::vector<double> bound = gradient_bound(model, batch, 1);
  const double gamma = 7 * 0x1p-53;
  CHECK(bound[0] >= 2 * gamma * 12);
  CHECK(bound[0] < 2 * gamma * 12 * (1 + 1e-8));
  CHECK(bound[1] >= 2 * gamma * 4);
  CHECK(bound[1] < 2 * gamma * 4 * (1 + 1e-8));
}

TEST_CASE("float32 is as near to the exact gradient as its error bound says") {
  double largest_share = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const MlpSpec spec = drawn_spec(seed);
    CAPTURE(seed, spec.widths);
    const Stage<float> narrow(spec, seed);
    const auto batch = draw_batch<float>(spec, seed, drawn_rows(seed));
    // The same numbers in float64, whose gradient is exact but for its own, far smaller bound.
    Stage<double> wide(spec, seed);
    std::ranges::copy(narrow.parameters(), wide.parameters().begin());
    Batch<double> wide_batch{Matrix<double>(batch.inputs.rows, batch.inputs.columns),
                             Matrix<double>(batch.targets.rows, batch.targets.columns)};
    std::ranges::copy(batch.inputs.values, wide_batch.inputs.values.begin());
    std::ranges::copy(batch.targets.values, wide_batch.targets.values.begin());

    const auto computed = single_device_gradient(narrow, batch);
    const auto exact = single_device_gradient(wide, wide_batch);
    REQUIRE(computed.ok());
    REQUIRE(exact.ok());
    const auto bound = gradient_error_bound(narrow, batch);
    const auto exact_bound = gradient_error_bound(wide, wide_batch);
    for (std::size_t i = 0; i < bound.size(); ++i) {
      const double difference =
          std::abs(static_cast<double>(computed.value().gradient[i]) - exact.value().gradient[i]);
      CAPTURE(i, difference, bound[i]);
      REQUIRE(difference <= bound[i] + exact_bound[i]);
      REQUIRE(exact_bound[i] < 1e-7 * bound[i]);
      largest_share = std::max(largest_share, difference / bound[i]);
    }
  }
  WARN("largest share of the error bound over all seeds: " << largest_share);
  CHECK(largest_share > 0.01);
}
