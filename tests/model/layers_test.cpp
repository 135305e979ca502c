#include "model/layers.h"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

using namespace lockstep;

namespace {

Matrix<double> matrix(int rows, int columns, std::vector<double> values) {
  Matrix<double> result(rows, columns);
  result.values = std::move(values);
  return result;
}

}  // namespace

TEST_CASE("a linear layer worked by hand") {
  const auto x = matrix(1, 2, {2, 3});
  const auto weight = matrix(3, 2, {1, 0, 0, 1, 10, 100});
  const std::vector<double> bias{5, 6, 7};
  CHECK(linear_forward<double>(x, weight, bias).values == std::vector<double>{7, 9, 327});

  const auto dy = matrix(1, 3, {1, 2, 3});
  // dy · weight = (1 * 1 + 3 * 10, 2 * 1 + 3 * 100)
  CHECK(linear_backward_input<double>(dy, weight).values == std::vector<double>{31, 302});

  Matrix<double> weight_gradient(3, 2);
  std::vector<double> bias_gradient{0, 0, 1000};
  linear_backward_weight<double>(x, dy, weight_gradient, bias_gradient);
  CHECK(weight_gradient.values == std::vector<double>{2, 3, 4, 6, 6, 9});
  CHECK(bias_gradient == std::vector<double>{1, 2, 1003});
}

TEST_CASE("relu passes what is above 0, and so does its backward") {
  auto values = matrix(1, 5, {-2, -1e-300, 0, 3, 1e-300});
  relu_forward<double>(values);
  CHECK(same_bits<double>(values.values, std::vector<double>{0, 0, 0, 3, 1e-300}));
  auto gradient = matrix(1, 5, {1, 2, 3, 4, 5});
  relu_backward<double>(values, gradient);
  CHECK(gradient.values == std::vector<double>{0, 0, 0, 4, 5});
}

TEMPLATE_TEST_CASE("relu keeps -0 and NaN in every lane, and backward takes -0 as 0", "", float,
                   double) {
  for (int length = 1; length <= 19; ++length) {
    for (int place = 0; place < length; ++place) {
      Matrix<TestType> values(1, length);
      values.at(0, place) = -TestType{0};
      relu_forward<TestType>(values);
      Matrix<TestType> gradient(1, length);
      gradient.at(0, place) = 1;
      relu_backward<TestType>(values, gradient);
      REQUIRE(gradient.at(0, place) == TestType{0});
      REQUIRE(std::signbit(values.at(0, place)));
      values.at(0, place) = std::numeric_limits<TestType>::quiet_NaN();
      relu_forward<TestType>(values);
      REQUIRE(std::isnan(values.at(0, place)));
    }
  }
}

TEST_CASE("the squared error is summed over all elements and its gradient has one divisor") {
  const auto outputs = matrix(2, 2, {1, 2, 3, 4});
  const auto targets = matrix(2, 2, {1, 0, 6, 5});
  // 0 + 4 + 9 + 1
  CHECK(add_squared_error<double>(outputs, targets, 100.0) == 114.0);
  CHECK(squared_error_gradient<double>(outputs, targets, 4).values ==
        std::vector<double>{0, 1, -1.5, -0.5});
}

TEST_CASE("a divisor that no float32 holds is not rounded to one") {
  Matrix<float> outputs(1, 1);
  outputs.values = {16777217.0f * 0.5f};  // 2^23: 2 * 2^23 / (2^24 + 1) is below 1
  CHECK(squared_error_gradient<float>(outputs, Matrix<float>(1, 1), (1 << 24) + 1).at(0, 0) ==
        static_cast<float>(16777216.0 / 16777217.0));
}
