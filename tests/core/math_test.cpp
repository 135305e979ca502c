#include "core/math.h"

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "core/hash.h"
#include "core/random.h"

using namespace lockstep;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
constexpr double kLargest = std::numeric_limits<double>::max();

using Function = double (*)(double);
const std::map<std::string, Function> kFunctions{{"exp", math::exp},   {"log", math::log},
                                                 {"tanh", math::tanh}, {"erf", math::erf},
                                                 {"sin", math::sin},   {"cos", math::cos}};

constexpr std::array<Function, 3> kOddFunctions{math::tanh, math::erf, math::sin};

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Units in the last place between the computed and the exact result, the latter being `rounded`
/// plus `rest` units.
double error_in_units(double computed, double rounded, double rest) {
  if (std::isinf(rounded)) return computed == rounded ? 0 : kInfinity;
  const int exponent = rounded == 0 ? -1074 : std::max(std::ilogb(rounded) - 52, -1074);
  return std::abs(std::ldexp(computed - rounded, -exponent) - rest);
}

struct Reference {
  std::string function;
  double x = 0;
  double y = 0;  // of pow only
  double rounded = 0;
  double rest = 0;

  double computed() const {
    return function == "pow" ? math::pow(x, y) : kFunctions.at(function)(x);
  }
};

std::vector<Reference> read_references() {
  std::ifstream file(LOCKSTEP_TEST_DATA "/math-reference.txt");
  std::vector<Reference> rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    const auto number = [&words] {
      std::string word;
      words >> word;
      return std::strtod(word.c_str(), nullptr);
    };
    Reference& row = rows.emplace_back();
    words >> row.function;
    row.x = number();
    if (row.function == "pow") row.y = number();
    row.rounded = number();
    row.rest = number();
  }
  return rows;
}

/// Continues a hash by the bytes of a number, lowest first.
std::uint64_t hash_of(double value, std::uint64_t hash) {
  std::array<std::byte, 8> bytes;
  auto bits = std::bit_cast<std::uint64_t>(value);
  for (std::byte& byte : bytes) {
    byte = static_cast<std::byte>(bits & 0xffu);
    bits >>= 8;
  }
  return fnv1a(bytes, hash);
}

/// Half of them any bit pattern (huge, subnormal, NaN), half in ±30.
double any_number(std::uint64_t stream, std::uint64_t index) {
  if (index % 2 == 0) return std::bit_cast<double>(random_bits(1, stream, index));
  return 30 * random_symmetric(1, stream, index);
}

}  // namespace

TEST_CASE("every function is within 0.8 units in the last place of high-precision values") {
  const std::vector<Reference> references = read_references();
  REQUIRE(references.size() > 5000);
  std::map<std::string, double> worst;
  for (const Reference& row : references) {
    const double error = error_in_units(row.computed(), row.rounded, row.rest);
    CAPTURE(row.function, row.x, row.y, row.rounded, error);
    REQUIRE(error < 0.8);
    worst[row.function] = std::max(worst[row.function], error);
  }
  CHECK(worst.size() == 7);
  for (const auto& [function, error] : worst) {
    CAPTURE(function);
    CHECK(error > 0.4);  // half a unit is reached by rounding alone: the table does test
  }
}

TEST_CASE("float32 functions are the exact result rounded") {
  for (const Reference& row : read_references()) {
    const auto x = static_cast<float>(row.x);
    const auto y = static_cast<float>(row.y);
    if (static_cast<double>(x) != row.x || static_cast<double>(y) != row.y) continue;
    const std::map<std::string, float> computed{{"exp", math::exp(x)},   {"log", math::log(x)},
                                                {"tanh", math::tanh(x)}, {"erf", math::erf(x)},
                                                {"sin", math::sin(x)},   {"cos", math::cos(x)},
                                                {"pow", math::pow(x, y)}};
    CAPTURE(row.function, x, y);
    REQUIRE(computed.at(row.function) == static_cast<float>(row.rounded));
  }
  CHECK(math::exp(1.0f) == std::numbers::e_v<float>);
  CHECK(math::log(2.0f) == std::numbers::ln2_v<float>);
  CHECK(math::exp(89.0f) == std::numeric_limits<float>::infinity());
  CHECK(math::pow(2.0f, -149.0f) == std::numeric_limits<float>::denorm_min());
  CHECK(math::pow(2.0f, -151.0f) == 0.0f);
}

TEST_CASE("exact results are exact") {
  for (int n = -1074; n <= 1023; ++n) {
    const double y = n;
    CAPTURE(n);
    REQUIRE(math::pow(2.0, y) == std::ldexp(1.0, n));
    REQUIRE(math::pow(-2.0, y) == std::ldexp(n % 2 == 0 ? 1.0 : -1.0, n));
  }
  double power = 1;
  for (double y = 0; y <= 33; ++y, power *= 3) CHECK(math::pow(3.0, y) == power);  // 3^33 < 2^53
  CHECK(math::pow(10.0, 22.0) == 1e22);
  CHECK(math::pow(0.25, 0.5) == 0.5);
  CHECK(same(math::exp(0.0), 1));
  CHECK(same(math::exp(-0.0), 1));
  CHECK(same(math::log(1.0), 0));
  CHECK(same(math::cos(0.0), 1));
}

TEST_CASE("NaN gives the one NaN, whatever its bits") {
  for (const std::uint64_t bits : {0x7ff8000000000001u, 0xfff8000000000000u, 0x7ff4000000000000u}) {
    const auto nan = std::bit_cast<double>(bits);
    for (const auto& [name, function] : kFunctions) {
      CAPTURE(name);
      CHECK(same(function(nan), kNaN));
    }
    CHECK(same(math::pow(nan, 2.0), kNaN));
    CHECK(same(math::pow(2.0, nan), kNaN));
  }
}

TEST_CASE("infinities, zeros and the ends of the range") {
  CHECK(math::exp(kInfinity) == kInfinity);
  CHECK(same(math::exp(-kInfinity), 0));
  CHECK(math::exp(kLargest) == kInfinity);
  CHECK(same(math::exp(-kLargest), 0));
  CHECK(math::exp(kSmallest) == 1);

  CHECK(math::log(kInfinity) == kInfinity);
  CHECK(math::log(0.0) == -kInfinity);
  CHECK(math::log(-0.0) == -kInfinity);
  CHECK(same(math::log(-kSmallest), kNaN));
  CHECK(same(math::log(-kInfinity), kNaN));

  CHECK(math::tanh(kInfinity) == 1);
  CHECK(math::tanh(-kInfinity) == -1);
  CHECK(math::erf(kInfinity) == 1);
  CHECK(math::erf(-kInfinity) == -1);
  for (const double infinity : {kInfinity, -kInfinity}) {
    CHECK(same(math::sin(infinity), kNaN));
    CHECK(same(math::cos(infinity), kNaN));
  }
  for (const Function odd : kOddFunctions) {
    CHECK(same(odd(0), 0));
    CHECK(same(odd(-0.0), -0.0));
    CHECK(odd(kSmallest) == kSmallest);
  }
}

TEST_CASE("pow has the special cases of C, Annex F") {
  for (const double any : {0.0, -0.0, 1.0, -3.5, kInfinity, -kInfinity, kNaN, kLargest}) {
    CAPTURE(any);
    CHECK(math::pow(any, 0.0) == 1);
    CHECK(math::pow(any, -0.0) == 1);
    CHECK(math::pow(1.0, any) == 1);
  }
  CHECK(math::pow(-1.0, kInfinity) == 1);
  CHECK(math::pow(-1.0, -kInfinity) == 1);
  CHECK(same(math::pow(-2.0, 0.5), kNaN));
  CHECK(same(math::pow(-kLargest, -1.5), kNaN));
  for (const double odd : {1.0, 3.0, 0x1p53 - 1}) {
    CHECK(math::pow(0.0, -odd) == kInfinity);
    CHECK(math::pow(-0.0, -odd) == -kInfinity);
    CHECK(same(math::pow(0.0, odd), 0.0));
    CHECK(same(math::pow(-0.0, odd), -0.0));
    CHECK(math::pow(-kInfinity, odd) == -kInfinity);
    CHECK(same(math::pow(-kInfinity, -odd), -0.0));
  }
  for (const double other : {2.0, 0.5, 1.5, 0x1p53, kLargest, kInfinity}) {
    CHECK(math::pow(0.0, -other) == kInfinity);
    CHECK(math::pow(-0.0, -other) == kInfinity);
    CHECK(same(math::pow(0.0, other), 0.0));
    CHECK(same(math::pow(-0.0, other), 0.0));
    CHECK(math::pow(-kInfinity, other) == kInfinity);
    CHECK(same(math::pow(-kInfinity, -other), 0.0));
    CHECK(math::pow(kInfinity, other) == kInfinity);
    CHECK(same(math::pow(kInfinity, -other), 0.0));
  }
  CHECK(same(math::pow(0.5, kInfinity), 0.0));
  CHECK(math::pow(0.5, -kInfinity) == kInfinity);
  CHECK(math::pow(-2.0, kInfinity) == kInfinity);
  CHECK(same(math::pow(-2.0, -kInfinity), 0.0));
}

TEST_CASE("pow neither misses an overflow nor invents one") {
  CHECK(math::pow(2.0, 1024.0) == kInfinity);
  CHECK(math::pow(-2.0, 1025.0) == -kInfinity);
  CHECK(math::pow(kLargest, 1.0) == kLargest);
  CHECK(math::pow(kSmallest, 1.0) == kSmallest);
  CHECK(math::pow(2.0, -1075.0) == 0);  // half the smallest: a tie, to even
  CHECK(same(math::pow(-2.0, -1077.0), -0.0));
  CHECK(math::pow(1.0 + 0x1p-52, kLargest) == kInfinity);
  CHECK(same(math::pow(1.0 - 0x1p-53, kLargest), 0));
  CHECK(math::pow(kLargest, kSmallest) == 1);
  CHECK(math::pow(kSmallest, kSmallest) == 1);
}

TEST_CASE("odd functions are odd and cos is even, to the bit") {
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const double x = any_number(20, i);
    if (std::isnan(x)) continue;
    CAPTURE(x);
    REQUIRE(same(math::cos(-x), math::cos(x)));
    for (const Function odd : kOddFunctions) {
      const double value = odd(x);
      REQUIRE((std::isnan(value) || same(odd(-x), -value)));
    }
  }
}

TEST_CASE("sin and cos lie on the unit circle for arguments of any size") {
  for (std::uint64_t i = 0; i < 50000; ++i) {
    const double x = any_number(21, i);
    if (!std::isfinite(x)) continue;
    CAPTURE(x);
    const double s = math::sin(x);
    const double c = math::cos(x);
    REQUIRE(std::abs(s * s + c * c - 1) < 4e-16);
  }
}

TEST_CASE("several 100,000 results have the same bits in every build") {
  constexpr std::uint64_t kValues = 60000;
  const std::map<std::string, std::string> expected{
      {"cos", "cc91d073c6dfcf6e"}, {"erf", "3b4df618b8d86c9f"}, {"exp", "113b8c1bbd936fdc"},
      {"log", "a858d1ef96189225"}, {"pow", "8c09b5f85a2fe053"}, {"sin", "0b12301faaec42ac"},
      {"tanh", "9a91b813a943d435"}};
  std::uint64_t stream = 1;
  for (const auto& [name, hash] : expected) {
    std::uint64_t computed = kFnvStart;
    for (std::uint64_t i = 0; i < kValues; ++i) {
      const double x = any_number(stream, i);
      const double y = any_number(stream + 10, i);
      const double result = name == "pow" ? math::pow(x, y) : kFunctions.at(name)(x);
      computed = hash_of(result, computed);
    }
    CAPTURE(name);
    CHECK(hex16(computed) == hash);
    ++stream;
  }
}
