#include "formula/functions.h"

#include <array>

namespace lockstep {
namespace {

using Arguments = std::span<const Rational>;

Rational whole_part(Arguments x) {
  return floor(x[0]);
}
Rational next_whole(Arguments x) {
  return ceil(x[0]);
}
Rational size(Arguments x) {
  return absolute(x[0]);
}
Rational nearest_whole(Arguments x) {
  return round_at(x[0], 0, Rounding::half_away);
}
Rational smaller(Arguments x) {
  return minimum(x[0], x[1]);
}
Rational larger(Arguments x) {
  return maximum(x[0], x[1]);
}
Rational remainder(Arguments x) {
  return x[0] - x[1] * floor(x[0] / x[1]);
}

constexpr std::array kFunctions = {
    Function{"min", 2, smaller, "min(a, b): the smaller of two values"},
    Function{"max", 2, larger, "max(a, b): the larger of two values"},
    Function{"ceil", 1, next_whole, "ceil(x): the smallest whole number that is not below x"},
    Function{"floor", 1, whole_part, "floor(x): the largest whole number that is not above x"},
    Function{"abs", 1, size, "abs(x): x without its sign"},
    Function{"round", 1, nearest_whole, "round(x): the nearest whole number, ties away from zero"},
    Function{"mod", 2, remainder, "mod(a, b): a - b * floor(a / b); 0 when b divides a"},
};

}  // namespace

std::span<const Function> standard_functions() {
  return kFunctions;
}

}  // namespace lockstep
