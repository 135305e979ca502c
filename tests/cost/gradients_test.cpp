#include "cost/gradients.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "support/programs.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

Rational drawn_number(Draw& draw) {
  return {draw.below(41) - 20, 1 + draw.below(4)};
}

LinearFit drawn_fit(Draw& draw, int rows, int features) {
  LinearFit fit;
  for (int i = 0; i < features; ++i) fit.weights.push_back(drawn_number(draw));
  for (int row = 0; row < rows; ++row) {
    RationalVector& numbers = fit.rows.emplace_back();
    for (int i = 0; i < features; ++i) numbers.push_back(drawn_number(draw));
    fit.targets.push_back(drawn_number(draw));
  }
  return fit;
}

/// The mean of the squared residuals.
Rational loss_of(const LinearFit& fit) {
  Rational sum = 0;
  for (std::size_t row = 0; row < fit.rows.size(); ++row) {
    Rational residual = -fit.targets[row];
    for (std::size_t i = 0; i < fit.weights.size(); ++i) {
      residual += fit.rows[row][i] * fit.weights[i];
    }
    sum += residual * residual;
  }
  return sum / Rational(static_cast<std::int64_t>(fit.rows.size()));
}

template <typename T>
void check_error(const Result<T>& result, std::string_view code, std::string_view where) {
  REQUIRE(!result.ok());
  CHECK(result.error().code == code);
  CHECK(result.error().where == where);
}

/// Two rows, one feature: residuals 1 and 2 for w = 1.
const LinearFit kSmall = {{1}, {{2}, {3}}, {1, 1}};

}  // namespace

TEST_CASE("the gradient is the slope of the loss: exact central differences agree") {
  // The loss is a parabola in each weight, so a central difference has no error at any step.
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Draw draw(seed);
    const int rows = 1 + draw.below(6);
    const LinearFit fit = drawn_fit(draw, rows, 1 + draw.below(4));
    const RationalVector gradient = full_gradient(fit).value();
    for (std::size_t i = 0; i < fit.weights.size(); ++i) {
      LinearFit above = fit;
      LinearFit below = fit;
      above.weights[i] += Rational(1, 2);
      below.weights[i] -= Rational(1, 2);
      CAPTURE(seed, i);
      REQUIRE(gradient[i] == loss_of(above) - loss_of(below));
    }
  }
}

TEST_CASE("equal shards give exactly the full gradient as the mean of the devices'") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Draw draw(seed);
    const int devices = 1 + draw.below(5);
    const int rows = devices * (1 + draw.below(3));
    const LinearFit fit = drawn_fit(draw, rows, 1 + draw.below(4));
    CAPTURE(seed, devices);
    REQUIRE(data_parallel_grad(fit, devices).value() == full_gradient(fit).value());
  }
}

TEST_CASE("unequal shards give the full gradient when they are weighted by their rows") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Draw draw(seed);
    std::vector<int> shards;
    RationalVector counts;
    int rows = 0;
    for (int device = 1 + draw.below(4); device > 0; --device) {
      shards.push_back(1 + draw.below(4));
      counts.push_back(shards.back());
      rows += shards.back();
    }
    const LinearFit fit = drawn_fit(draw, rows, 1 + draw.below(3));
    const auto gradients = shard_gradients(fit, shards).value();
    CAPTURE(seed);
    REQUIRE(allreduce_weighted_mean(gradients, counts).value() == full_gradient(fit).value());
  }
}

TEST_CASE("two rows on two devices, by hand") {
  // residuals 2·1 − 1 = 1 and 3·1 − 1 = 2: gradients 2·2·1 = 4 and 2·3·2 = 12, mean 8
  CHECK(shard_gradients(kSmall, std::vector{1, 1}).value() ==
        std::vector<RationalVector>{{4}, {12}});
  CHECK(data_parallel_grad(kSmall, 2).value() == RationalVector{8});
  CHECK(full_gradient(kSmall).value() == RationalVector{8});
}

TEST_CASE("sum, mean and weighted mean differ, element by element") {
  const std::vector<RationalVector> vectors = {{1, 10}, {2, 20}, {6, 60}};
  CHECK(allreduce_sum(vectors).value() == RationalVector{9, 90});
  CHECK(allreduce_mean(vectors).value() == RationalVector{3, 30});
  CHECK(allreduce_weighted_mean(vectors, RationalVector{1, 1, 2}).value() ==
        RationalVector{Rational(15, 4), Rational(75, 2)});
}

TEST_CASE("the mean loss of a token is not the mean of the devices' means") {
  // 12 over 6 tokens and 5 over 1: 17/7, where the means 2 and 5 would give 3.5
  CHECK(token_mean_loss(RationalVector{12, 5}, RationalVector{6, 1}).value() == Rational(17, 7));
}

TEST_CASE("rows that do not divide are refused, not cut or padded") {
  check_error(data_parallel_grad(kSmall, 3), "rows_not_divisible", "devices");
  check_error(data_parallel_grad(kSmall, 0), "out_of_range", "devices");
  check_error(data_parallel_grad(kSmall, -2), "out_of_range", "devices");
  CHECK(equal_shards(6, 3).value() == std::vector{2, 2, 2});
}

TEST_CASE("shards must take every row once") {
  for (const std::vector<int>& shards :
       {std::vector{1}, std::vector{1, 2}, std::vector{2, 0}, std::vector{3, -1}, {}}) {
    check_error(shard_gradients(kSmall, shards), "shards_do_not_fit", "shards");
  }
}

TEST_CASE("numbers that do not fit together are refused at their place") {
  check_error(full_gradient({{1}, {}, {}}), "empty", "rows");
  check_error(full_gradient({{1}, {{1}, {1, 2}}, {1, 1}}), "shapes_differ", "row 1");
  check_error(full_gradient({{1}, {{1}}, {1, 1}}), "shapes_differ", "targets");
  check_error(allreduce_mean({}), "empty", "devices");
  check_error(allreduce_mean(std::vector<RationalVector>{{1}, {1}, {}}), "shapes_differ",
              "device 2");
  check_error(allreduce_weighted_mean(std::vector<RationalVector>{{1}}, RationalVector{1, 1}),
              "shapes_differ", "counts");
  check_error(allreduce_weighted_mean(std::vector<RationalVector>{{1}}, RationalVector{0}),
              "out_of_range", "counts");
  check_error(allreduce_weighted_mean(std::vector<RationalVector>{{1}}, RationalVector{-1}),
              "out_of_range", "counts");
  check_error(token_mean_loss(RationalVector{1}, RationalVector{1, 1}), "shapes_differ", "tokens");
  check_error(token_mean_loss(RationalVector{1}, RationalVector{0}), "out_of_range", "tokens");
  check_error(token_mean_loss(RationalVector{1}, RationalVector{-1}), "out_of_range", "tokens");
}

TEST_CASE("more numbers than a page can show, or larger than exact ones can be, are refused") {
  const std::vector<RationalVector> many(kMaxGradientNumbers + 1, RationalVector{1});
  check_error(allreduce_mean(many), "too_large", "devices");
  const Rational huge = power(Rational(2), 2000);
  check_error(allreduce_sum(std::vector<RationalVector>{
                  {1, huge * Rational(1, 3)}, {1, Rational(1) / power(Rational(3), 900)}}),
              "no_value", "element 1");
}
