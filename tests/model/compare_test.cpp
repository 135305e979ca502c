#include "model/compare.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <vector>

using namespace lockstep;

namespace {

GradientComparison compare(const std::vector<double>& a, const std::vector<double>& b,
                           const std::vector<double>& bound) {
  return compare_gradients<double>(a, b, bound);
}

}  // namespace

TEST_CASE("equal gradients differ by nothing and are bit-equal") {
  const GradientComparison same = compare({1, 2, 0, 4, 5}, {1, 2, 0, 4, 5}, {1, 1, 1, 1, 1});
  CHECK(same.bit_equal);
  CHECK(same.within_bound());
  CHECK(same.largest_difference == 0);
  CHECK(same.largest_relative_difference == 0);
  CHECK(same.largest_share_of_bound == 0);
}

TEST_CASE("the worst place is where the difference is largest against its bound") {
  const GradientComparison apart = compare({8, 2, 0, 4, 5}, {4, 2, 0, 3, 5}, {16, 1, 1, 2, 1});
  CHECK_FALSE(apart.bit_equal);
  CHECK(apart.within_bound());
  CHECK(apart.largest_difference == 4);
  CHECK(apart.largest_relative_difference == 0.5);
  CHECK(apart.largest_share_of_bound == 0.5);  // 1 of 2, not 4 of 16
  CHECK(apart.worst == 3);
}

TEST_CASE("a difference above its bound is not within it") {
  CHECK(compare({1, 0, 0, 0, 0}, {2, 0, 0, 0, 0}, {1, 1, 1, 1, 1}).within_bound());
  CHECK_FALSE(compare({1, 0, 0, 0, 0}, {2.25, 0, 0, 0, 0}, {1, 1, 1, 1, 1}).within_bound());
}

TEST_CASE("against 0 the relative difference is 1, against the opposite 2") {
  CHECK(compare({3, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {9, 9, 9, 9, 9}).largest_relative_difference ==
        1);
  CHECK(compare({3, 0, 0, 0, 0}, {-3, 0, 0, 0, 0}, {9, 9, 9, 9, 9}).largest_relative_difference ==
        2);
}

TEST_CASE("0 and -0 do not differ, but are not bit-equal") {
  const GradientComparison signs = compare({0, 0, 0, 0, 0}, {-0.0, 0, 0, 0, 0}, {1, 1, 1, 1, 1});
  CHECK(signs.largest_difference == 0);
  CHECK_FALSE(signs.bit_equal);
}

TEST_CASE("a NaN or infinity, on one side or on both, is out of every bound") {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, infinity}) {
    for (const double other : {0.0, bad}) {
      const GradientComparison broken =
          compare({0, 0, bad, 0, 0}, {0, 0, other, 0, 0}, {1, 1, infinity, 1, 1});
      CHECK_FALSE(broken.within_bound());
      CHECK(broken.largest_difference == infinity);
      CHECK(broken.worst == 2);
    }
  }
  CHECK_FALSE(compare({1, 0, 0, 0, 0}, {2, 0, 0, 0, 0}, {nan, 1, 1, 1, 1}).within_bound());
}
