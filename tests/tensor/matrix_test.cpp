#include "tensor/matrix.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>

using namespace lockstep;

TEST_CASE("a matrix is row-major and starts as zeros") {
  Matrix<double> matrix(2, 3);
  CHECK(matrix.values == std::vector<double>(6, 0.0));
  matrix.at(1, 2) = 5;
  matrix.row(0)[1] = 7;
  CHECK(matrix.values == std::vector<double>{0, 7, 0, 0, 0, 5});
}

TEST_CASE("copied rows are the rows of the original and their own storage") {
  Matrix<float> matrix(3, 2);
  matrix.values = {1, 2, 3, 4, 5, 6};
  Matrix<float> middle = copy_rows(matrix, 1, 2);
  CHECK(middle.rows == 2);
  CHECK(middle.values == std::vector<float>{3, 4, 5, 6});
  middle.at(0, 0) = 9;
  CHECK(matrix.at(1, 0) == 3.0f);
  CHECK(copy_rows(matrix, 3, 0).values.empty());
}

TEST_CASE("same_bits tells 0 from -0 and takes a NaN as equal to itself") {
  const std::vector<double> zero{0.0};
  const std::vector<double> minus_zero{-0.0};
  const std::vector<double> nan{std::numeric_limits<double>::quiet_NaN()};
  CHECK(same_bits<double>(zero, zero));
  CHECK_FALSE(same_bits<double>(zero, minus_zero));
  CHECK(same_bits<double>(nan, nan));
  CHECK_FALSE(same_bits<double>(zero, {}));
}

TEST_CASE("a NaN or an infinity is refused with its place, rows and columns from 0") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity}) {
    Matrix<double> inputs(5, 4);
    CHECK(check_finite(inputs, "inputs").ok());
    inputs.at(3, 2) = bad;
    const Status status = check_finite(inputs, "inputs");
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().code == "not_finite");
    CHECK(status.error().where == "inputs row 3, column 2");
    CHECK(status.error().message.starts_with("inputs row 3, column 2 is not a finite number"));
  }
}
