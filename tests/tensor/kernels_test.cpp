#include "tensor/kernels.h"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>

#include "core/hash.h"
#include "core/random.h"

using namespace lockstep;

namespace {

template <typename T>
Matrix<T> drawn(std::uint64_t seed, std::uint64_t stream, int rows, int columns) {
  Matrix<T> matrix(rows, columns);
  for (std::size_t i = 0; i < matrix.values.size(); ++i) {
    matrix.values[i] = static_cast<T>(random_symmetric(seed, stream, i));
  }
  return matrix;
}

struct Shape {
  int rows, inner, columns;
};

/// Odd sizes, so that every loop has a remainder whatever the SIMD width.
Shape drawn_shape(std::uint64_t seed) {
  const auto side = [seed](std::uint64_t index) {
    return static_cast<int>(1 + random_below(seed, 9, index, 37));
  };
  return {side(0), side(1), side(2)};
}

/// The definition: one sum at a time, terms in ascending order.
template <typename T>
void add_matmul_by_definition(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& into) {
  for (int row = 0; row < into.rows; ++row) {
    for (int column = 0; column < into.columns; ++column) {
      T sum = into.at(row, column);
      for (int inner = 0; inner < a.columns; ++inner) {
        const volatile T product = a.at(row, inner) * b.at(inner, column);
        sum += product;
      }
      into.at(row, column) = sum;
    }
  }
}

}  // namespace

TEST_CASE("a product worked by hand") {
  Matrix<double> a(2, 3);
  a.values = {1, 2, 3, 4, 5, 6};
  Matrix<double> b(3, 2);
  b.values = {7, 8, 9, 10, 11, 12};
  Matrix<double> into(2, 2);
  into.values = {1000, 0, 0, 0};
  add_matmul<double>(a, b, into);
  // 1*7 + 2*9 + 3*11 = 58, 1*8 + 2*10 + 3*12 = 64, 28 + 45 + 66 = 139, 32 + 50 + 72 = 154
  CHECK(into.values == std::vector<double>{1058, 64, 139, 154});
  std::vector<double> sums{0, 100, 0};
  add_column_sums<double>(a, sums);
  CHECK(sums == std::vector<double>{5, 107, 9});
}

TEMPLATE_TEST_CASE("every product adds its terms one by one in ascending order", "", float,
                   double) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const auto [rows, inner, columns] = drawn_shape(seed);
    const auto a = drawn<TestType>(seed, 0, rows, inner);
    const auto b = drawn<TestType>(seed, 1, inner, columns);
    const auto start = drawn<TestType>(seed, 2, rows, columns);
    auto expected = start;
    add_matmul_by_definition(a, b, expected);

    auto into = start;
    add_matmul<TestType>(a, b, into);
    REQUIRE(same_bits<TestType>(into.values, expected.values));

    into = start;
    add_matmul_transposed_left<TestType>(transpose<TestType>(a), b, into);
    REQUIRE(same_bits<TestType>(into.values, expected.values));

    into = start;
    add_matmul_transposed_right<TestType>(a, transpose<TestType>(b), into);
    REQUIRE(same_bits<TestType>(into.values, expected.values));
  }
}

TEMPLATE_TEST_CASE("microbatch after microbatch gives the bits of the full batch", "", float,
                   double) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const auto [rows, left, right] = drawn_shape(seed);
    const auto x = drawn<TestType>(seed, 0, rows, left);
    const auto dy = drawn<TestType>(seed, 1, rows, right);
    Matrix<TestType> whole(left, right);
    add_matmul_transposed_left<TestType>(x, dy, whole);
    std::vector<TestType> whole_sums(static_cast<std::size_t>(right));
    add_column_sums<TestType>(dy, whole_sums);

    Matrix<TestType> parts(left, right);
    std::vector<TestType> part_sums(static_cast<std::size_t>(right));
    std::uint64_t draw = 0;
    for (int first = 0; first < rows;) {
      const auto rest = static_cast<std::uint64_t>(rows - first);
      const int count = static_cast<int>(1 + random_below(seed, 3, draw++, rest));
      const auto dy_part = copy_rows(dy, first, count);
      add_matmul_transposed_left<TestType>(copy_rows(x, first, count), dy_part, parts);
      add_column_sums<TestType>(dy_part, part_sums);
      first += count;
    }
    REQUIRE(same_bits<TestType>(parts.values, whole.values));
    REQUIRE(same_bits<TestType>(part_sums, whole_sums));
  }
}

TEMPLATE_TEST_CASE("a row's product does not depend on the other rows", "", float, double) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const auto [rows, inner, columns] = drawn_shape(seed);
    const auto a = drawn<TestType>(seed, 0, rows, inner);
    const auto b = drawn<TestType>(seed, 1, inner, columns);
    Matrix<TestType> whole(rows, columns);
    add_matmul<TestType>(a, b, whole);
    for (int row = 0; row < rows; ++row) {
      Matrix<TestType> alone(1, columns);
      add_matmul<TestType>(copy_rows(a, row, 1), b, alone);
      REQUIRE(same_bits<TestType>(alone.values, whole.row(row)));
    }
  }
}

TEST_CASE("products over nothing leave the sums as they are") {
  Matrix<double> into(2, 2);
  into.values = {1, -0.0, 3, 4};
  const Matrix<double> before = into;
  add_matmul<double>(Matrix<double>(2, 0), Matrix<double>(0, 2), into);
  add_matmul_transposed_left<double>(Matrix<double>(0, 2), Matrix<double>(0, 2), into);
  add_matmul_transposed_right<double>(Matrix<double>(2, 0), Matrix<double>(2, 0), into);
  CHECK(same_bits<double>(into.values, before.values));
}
