// exp, log and what is made of them.
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/math.h"
#include "core/math_pair.h"

namespace lockstep::math {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

constexpr double kOverflow = 710;    ///< e^710 is above all float64
constexpr double kUnderflow = -746;  ///< e^-746 is below half the smallest

// log(2)/32, the first part of 36 bits, so that its product with a count of steps is exact.
constexpr double kStepHigh = 0x1.62e42fefa0000p-6;
constexpr double kStepLow = 0x1.cf79abc9e3b3ap-45;
constexpr double kStepsPerUnit = 0x1.71547652b82fep+5;  // 32/log(2)

// log(2), the first part of 42 bits, so that its product with an exponent is exact.
constexpr double kLog2High = 0x1.62e42fefa3800p-1;
constexpr double kLog2Low = 0x1.ef35793c76730p-45;

/// 2^(j/32)
constexpr std::array<Pair, 32> kPowers{{
    {0x1.0000000000000p+0, 0},
    {0x1.059b0d3158574p+0, 0x1.d73e2a475b465p-55},
    {0x1.0b5586cf9890fp+0, 0x1.8a62e4adc610bp-54},
    {0x1.11301d0125b51p+0, -0x1.6c51039449b3ap-54},
    {0x1.172b83c7d517bp+0, -0x1.19041b9d78a76p-55},
    {0x1.1d4873168b9aap+0, 0x1.e016e00a2643cp-54},
    {0x1.2387a6e756238p+0, 0x1.9b07eb6c70573p-54},
    {0x1.29e9df51fdee1p+0, 0x1.612e8afad1255p-55},
    {0x1.306fe0a31b715p+0, 0x1.6f46ad23182e4p-55},
    {0x1.371a7373aa9cbp+0, -0x1.63aeabf42eae2p-54},
    {0x1.3dea64c123422p+0, 0x1.ada0911f09ebcp-55},
    {0x1.44e086061892dp+0, 0x1.89b7a04ef80d0p-59},
    {0x1.4bfdad5362a27p+0, 0x1.d4397afec42e2p-56},
    {0x1.5342b569d4f82p+0, -0x1.07abe1db13cadp-55},
    {0x1.5ab07dd485429p+0, 0x1.6324c054647adp-54},
    {0x1.6247eb03a5585p+0, -0x1.383c17e40b497p-54},
    {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54},
    {0x1.71f75e8ec5f74p+0, -0x1.16e4786887a99p-55},
    {0x1.7a11473eb0187p+0, -0x1.41577ee04992fp-55},
    {0x1.82589994cce13p+0, -0x1.d4c1dd41532d8p-54},
    {0x1.8ace5422aa0dbp+0, 0x1.6e9f156864b27p-54},
    {0x1.93737b0cdc5e5p+0, -0x1.75fc781b57ebcp-57},
    {0x1.9c49182a3f090p+0, 0x1.c7c46b071f2bep-56},
    {0x1.a5503b23e255dp+0, -0x1.d2f6edb8d41e1p-54},
    {0x1.ae89f995ad3adp+0, 0x1.7a1cd345dcc81p-54},
    {0x1.b7f76f2fb5e47p+0, -0x1.5584f7e54ac3bp-56},
    {0x1.c199bdd85529cp+0, 0x1.11065895048ddp-55},
    {0x1.cb720dcef9069p+0, 0x1.503cbd1e949dbp-56},
    {0x1.d5818dcfba487p+0, 0x1.2ed02d75b3707p-55},
    {0x1.dfc97337b9b5fp+0, -0x1.1a5cd4f184b5cp-54},
    {0x1.ea4afa2a490dap+0, -0x1.e9c23179c2893p-54},
    {0x1.f50765b6e4540p+0, 0x1.9d3e12dd8a18bp-54},
}};

/// log(j/64) for j from kFirstLog on
constexpr int kFirstLog = 48;
constexpr std::array<Pair, 49> kLogs{{
    {-0x1.269621134db92p-2, -0x1.e0efadd9db02bp-56},
    {-0x1.1178e8227e47cp-2, 0x1.0e63a5f01c691p-57},
    {-0x1.f991c6cb3b379p-3, -0x1.f665066f980a2p-57},
    {-0x1.d1037f2655e7bp-3, -0x1.60629242471a2p-57},
    {-0x1.a93ed3c8ad9e3p-3, -0x1.bcafa9de97203p-57},
    {-0x1.823c16551a3c2p-3, 0x1.1232ce70be781p-57},
    {-0x1.5bf406b543db2p-3, 0x1.1f5b44c0df7e7p-61},
    {-0x1.365fcb0159016p-3, -0x1.7d411a5b944adp-58},
    {-0x1.1178e8227e47cp-3, 0x1.0e63a5f01c691p-58},
    {-0x1.da727638446a2p-4, -0x1.401fa71733019p-58},
    {-0x1.9335e5d594989p-4, 0x1.478a85704ccb7p-58},
    {-0x1.4d3115d207eacp-4, -0x1.769f42c7842ccp-58},
    {-0x1.08598b59e3a07p-4, 0x1.dd7009902bf32p-58},
    {-0x1.894aa149fb343p-5, -0x1.a8be97660a23dp-60},
    {-0x1.0415d89e74444p-5, -0x1.c05cf1d753622p-59},
    {-0x1.0205658935847p-6, -0x1.27c8e8416e71fp-60},
    {0, 0},
    {0x1.fc0a8b0fc03e4p-7, -0x1.83092c59642a1p-62},
    {0x1.f829b0e783300p-6, 0x1.33e3f04f1ef23p-60},
    {0x1.77458f632dcfcp-5, 0x1.18d3ca87b9296p-59},
    {0x1.f0a30c01162a6p-5, 0x1.85f325c5bbacdp-59},
    {0x1.341d7961bd1d1p-4, -0x1.b599f227becbbp-58},
    {0x1.6f0d28ae56b4cp-4, -0x1.906d99184b992p-58},
    {0x1.a926d3a4ad563p-4, 0x1.942f48aa70ea9p-58},
    {0x1.e27076e2af2e6p-4, -0x1.61578001e0162p-60},
    {0x1.0d77e7cd08e59p-3, 0x1.9a5dc5e9030acp-57},
    {0x1.29552f81ff523p-3, 0x1.301771c407dbfp-57},
    {0x1.44d2b6ccb7d1ep-3, 0x1.9f4f6543e1f88p-57},
    {0x1.5ff3070a793d4p-3, -0x1.bc60efafc6f6ep-58},
    {0x1.7ab890210d909p-3, 0x1.be36b2d6a0608p-59},
    {0x1.9525a9cf456b4p-3, 0x1.d904c1d4e2e26p-57},
    {0x1.af3c94e80bff3p-3, -0x1.398cff3641985p-58},
    {0x1.c8ff7c79a9a22p-3, -0x1.4f689f8434012p-57},
    {0x1.e27076e2af2e6p-3, -0x1.61578001e0162p-59},
    {0x1.fb9186d5e3e2bp-3, -0x1.caaae64f21acbp-57},
    {0x1.0a324e27390e3p-2, 0x1.7dcfde8061c03p-56},
    {0x1.1675cababa60ep-2, 0x1.ce63eab883717p-61},
    {0x1.22941fbcf7966p-2, -0x1.76f5eb09628afp-56},
    {0x1.2e8e2bae11d31p-2, -0x1.8f4cdb95ebdf9p-56},
    {0x1.3a64c556945eap-2, -0x1.c68651945f97cp-57},
    {0x1.4618bc21c5ec2p-2, 0x1.f42decdeccf1dp-56},
    {0x1.51aad872df82dp-2, 0x1.3927ac19f55e3p-59},
    {0x1.5d1bdbf5809cap-2, 0x1.4236383dc7fe1p-56},
    {0x1.686c81e9b14afp-2, -0x1.ddea0f7f58e3dp-57},
    {0x1.739d7f6bbd007p-2, -0x1.8c76ceb014b04p-56},
    {0x1.7eaf83b82afc3p-2, 0x1.92ce979ed2950p-56},
    {0x1.89a3386c1425bp-2, -0x1.29639dfbbf0fbp-56},
    {0x1.947941c2116fbp-2, -0x1.16cc8bae0bbe4p-56},
    {0x1.9f323ecbf984cp-2, -0x1.a92e513217f5cp-59},
}};

double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// value · 2^exponent for a value near 1, rounded once if the result is subnormal.
double scaled(double value, int exponent) {
  if (exponent > 1023) return value * power_of_two(exponent - 1023) * 0x1p1023;
  if (exponent < -1022) return value * power_of_two(exponent + 1022) * 0x1p-1022;
  return value * power_of_two(exponent);
}

/// value · 2^exponent
struct ScaledPair {
  Pair value;
  int exponent = 0;
};

/// e^x for |x.high| below 1000: x = k · log(2)/32 + r, so e^x = 2^(k div 32) 2^((k mod 32)/32) e^r
/// with |r| <= 0.011, where the Taylor series is short. Off by less than 2^-64 of itself, and
/// e^x - 1 with it by less than 2^-58 of itself.
ScaledPair exp_pair(Pair x) {
  const double steps = x.high * kStepsPerUnit;
  const int k = static_cast<int>(steps < 0 ? steps - 0.5 : steps + 0.5);
  const Pair r = x + -k * kStepHigh + -k * kStepLow;
  const double h = r.high;
  double series = 1.0 / 720 + h / 5040;
  for (const double coefficient : {1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2}) {
    series = coefficient + h * series;
  }
  const Pair above_one = ordered_sum(h, r.low + h * h * series);
  const Pair power = kPowers[static_cast<std::size_t>(k & 31)];
  return {power + power * above_one, k >> 5};
}

/// log(x) for x > 0 and finite: x = 2^k m with m in [3/4, 3/2), f = j/64 next to m, so
/// log(x) = k log(2) + log(f) + log(1 + r) with r = (m - f)/f, |r| <= 0.0105. Near 1, k and log(f)
/// are 0 and nothing cancels. Off by less than 2^-65 of itself.
Pair log_pair(double x) {
  int k = -1023;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    k -= 54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  k += static_cast<int>(bits >> 52);
  double m = std::bit_cast<double>((bits & 0xfffffffffffffu) | 0x3ff0000000000000u);
  if (m >= 1.5) {
    m /= 2;
    ++k;
  }
  const int j = static_cast<int>(m * 64 + 0.5);
  const double f = j / 64.0;
  const Pair r = Pair{m - f} / Pair{f};
  const double h = r.high;
  double series = 1.0 / 9 - h / 10;
  for (const double coefficient : {-1.0 / 8, 1.0 / 7, -1.0 / 6, 1.0 / 5, -1.0 / 4, 1.0 / 3}) {
    series = coefficient + h * series;
  }
  const Pair log_of_rest = r + r * r * -0.5 + h * h * h * series;
  return Pair{k * kLog2High} + kLogs[static_cast<std::size_t>(j - kFirstLog)] + log_of_rest +
         k * kLog2Low;
}

bool is_integer(double y) {
  return std::floor(y) == y;
}

bool is_odd_integer(double y) {
  return is_integer(y) && !is_integer(y / 2);
}

/// |x|^y for |x| not NaN and x^y not NaN.
double pow_of_magnitude(double x, double y) {
  if (x == 1) return 1;
  const bool grows = (x > 1) == (y > 0);
  // |log x| is at least 2^-54, so from |y| = 2^64 on the result is out of range.
  if (x == 0 || std::isinf(x) || std::abs(y) >= 0x1p64) return grows ? kInfinity : 0;
  if (std::abs(y) < 0x1p-70) return 1;
  const Pair exponent = log_pair(x) * y;
  if (exponent.high > kOverflow) return kInfinity;
  if (exponent.high < kUnderflow) return 0;
  const ScaledPair power = exp_pair(exponent);
  return scaled(power.value.high, power.exponent);
}

}  // namespace

double exp(double x) {
  if (std::isnan(x)) return kNaN;
  if (x > kOverflow) return kInfinity;
  if (x < kUnderflow) return 0;
  const ScaledPair power = exp_pair({x});
  return scaled(power.value.high, power.exponent);
}

double log(double x) {
  if (x == 0) return -kInfinity;
  if (!(x > 0)) return kNaN;
  if (std::isinf(x)) return kInfinity;
  return log_pair(x).high;
}

double tanh(double x) {
  if (std::isnan(x)) return kNaN;
  const double magnitude = std::abs(x);
  if (magnitude < 0x1p-28) return x;                 // tanh x = x - x³/3 + …
  if (magnitude > 22) return std::copysign(1.0, x);  // 1 - 2 e^-44 rounds to 1
  const ScaledPair power = exp_pair({2 * magnitude});
  const double scale = power_of_two(power.exponent);
  const Pair squared{power.value.high * scale, power.value.low * scale};
  return std::copysign(((squared + -1.0) / (squared + 1.0)).high, x);
}

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y)) return kNaN;
  if (x < 0 && std::isfinite(x) && !is_integer(y)) return kNaN;
  const double magnitude = pow_of_magnitude(std::abs(x), y);
  return std::signbit(x) && is_odd_integer(y) ? -magnitude : magnitude;
}

float exp(float x) {
  return static_cast<float>(exp(static_cast<double>(x)));
}

float log(float x) {
  return static_cast<float>(log(static_cast<double>(x)));
}

float tanh(float x) {
  return static_cast<float>(tanh(static_cast<double>(x)));
}

float pow(float x, float y) {
  return static_cast<float>(pow(static_cast<double>(x), static_cast<double>(y)));
}

}  // namespace lockstep::math
