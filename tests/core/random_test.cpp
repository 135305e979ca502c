#include "core/random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdlib>
#include <set>
#include <vector>

#include "core/hash.h"

using namespace lockstep;

namespace {

/// Chi-squared of counts that should be equal. It has mean n - 1 and variance 2 (n - 1).
double chi_squared(const std::vector<int>& counts) {
  double total = 0;
  for (const int count : counts) total += count;
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

/// Within five standard deviations: our draws are fixed, so this passes always or never.
bool looks_uniform(const std::vector<int>& counts) {
  const auto freedom = static_cast<double>(counts.size()) - 1;
  return std::abs(chi_squared(counts) - freedom) < 5 * std::sqrt(2 * freedom);
}

}  // namespace

TEST_CASE("a place in a stream has one value, whatever was drawn before") {
  const std::uint64_t late = random_bits(3, 4, 1000000);
  std::vector<std::uint64_t> forward;
  std::vector<std::uint64_t> backward;
  for (std::uint64_t i = 0; i < 1000; ++i) forward.push_back(random_bits(3, 4, i));
  for (std::uint64_t i = 1000; i-- > 0;) backward.push_back(random_bits(3, 4, i));
  std::ranges::reverse(backward);
  CHECK(forward == backward);
  CHECK(random_bits(3, 4, 1000000) == late);
}

TEST_CASE("seeds, streams and indices that lie close together share no value") {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (std::uint64_t stream = 0; stream < 30; ++stream) {
      for (std::uint64_t index = 0; index < 30; ++index) {
        seen.insert(random_bits(seed, stream, index));
      }
    }
  }
  CHECK(seen.size() == 30 * 30 * 30);
}

TEST_CASE("one step in seed, stream or index flips each bit half of the time") {
  constexpr int kDraws = 4000;
  for (int coordinate = 0; coordinate < 3; ++coordinate) {
    std::array<int, 64> flips{};
    for (std::uint64_t i = 0; i < kDraws; ++i) {
      const std::uint64_t before = random_bits(i, 7, i);
      const std::uint64_t after = random_bits(
          i + (coordinate == 0 ? 1 : 0), coordinate == 1 ? 8 : 7, i + (coordinate == 2 ? 1 : 0));
      for (std::size_t bit = 0; bit < 64; ++bit) {
        flips[bit] += static_cast<int>((before ^ after) >> bit & 1u);
      }
    }
    for (const int count : flips) {
      CAPTURE(coordinate, count);
      CHECK(std::abs(count - kDraws / 2) < 5 * std::sqrt(kDraws) / 2);  // 5 standard deviations
    }
  }
}

TEST_CASE("symmetric numbers are multiples of 2^-52 in [-1, 1), spread evenly") {
  std::vector<int> counts(64);
  double sum = 0;
  double squares = 0;
  constexpr int kDraws = 100000;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const double value = random_symmetric(1, 2, i);
    REQUIRE(value >= -1);
    REQUIRE(value < 1);
    REQUIRE(std::floor(value * 0x1p52) == value * 0x1p52);
    ++counts[static_cast<std::size_t>((value + 1) * 32)];
    sum += value;
    squares += value * value;
  }
  CHECK(looks_uniform(counts));
  CHECK(std::abs(sum) < 5 * std::sqrt(kDraws / 3.0));                          // variance 1/3
  CHECK(std::abs(squares - kDraws / 3.0) < 5 * std::sqrt(kDraws * 4 / 45.0));  // 1/5 - 1/9
}

TEST_CASE("integers below a bound stay below it, reach both ends and are spread evenly") {
  for (const std::uint32_t bound : {1u, 2u, 3u, 7u, 10u, 100u, 257u}) {
    CAPTURE(bound);
    std::vector<int> counts(bound);
    for (std::uint64_t i = 0; i < 40000; ++i) {
      const std::uint32_t value = random_below(5, bound, i, bound);
      REQUIRE(value < bound);
      ++counts[value];
    }
    CHECK((bound == 1 || looks_uniform(counts)));
    CHECK(counts.front() > 0);
    CHECK(counts.back() > 0);
  }
}

TEST_CASE("the largest bound gives all 32 bits") {
  std::uint32_t ones = 0;
  std::uint32_t zeros = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const std::uint32_t value = random_below(5, 1, i, std::uint64_t{1} << 32);
    ones |= value;
    zeros |= ~value;
  }
  CHECK(ones == 0xffffffffu);
  CHECK(zeros == 0xffffffffu);
}

TEST_CASE("the mixing function is SplitMix64's") {
  // The first output of SplitMix64 with state 0 is e220a8397b1dcdaf (Vigna, splitmix64.c); three
  // rounds by hand from its definition, computed with Python's integers.
  CHECK(hex16(random_bits(0, 0, 0)) == "238275bc38fcbe91");
  CHECK(hex16(random_bits(1, 2, 3)) == "d0734750fde362b3");
}
