#include "model/draw.h"

#include <cassert>
#include <cmath>

#include "core/random.h"

namespace lockstep {
namespace {

template <typename T>
Matrix<T> draw_rows(std::uint64_t seed, std::uint64_t stream, int first_row, int rows, int width) {
  assert(first_row >= 0);
  Matrix<T> drawn(rows, width);
  std::uint64_t index = static_cast<std::uint64_t>(first_row) * static_cast<std::uint64_t>(width);
  for (T& value : drawn.values) {
    value = static_cast<T>(random_symmetric(seed, stream, index++));
  }
  return drawn;
}

}  // namespace

double draw_parameter(const MlpSpec& spec, std::uint64_t seed, int layer, std::size_t index) {
  assert(0 <= layer && layer < spec.layer_count());
  const std::uint64_t stream = kParameterStream + static_cast<std::uint64_t>(layer);
  return random_symmetric(seed, stream, index) / std::sqrt(static_cast<double>(spec.inputs(layer)));
}

template <typename T>
Matrix<T> draw_inputs(const MlpSpec& spec, std::uint64_t seed, int first_row, int rows) {
  return draw_rows<T>(seed, kInputStream, first_row, rows, spec.widths.front());
}

template <typename T>
Matrix<T> draw_targets(const MlpSpec& spec, std::uint64_t seed, int first_row, int rows) {
  return draw_rows<T>(seed, kTargetStream, first_row, rows, spec.widths.back());
}

template Matrix<float> draw_inputs(const MlpSpec&, std::uint64_t, int, int);
template Matrix<double> draw_inputs(const MlpSpec&, std::uint64_t, int, int);
template Matrix<float> draw_targets(const MlpSpec&, std::uint64_t, int, int);
template Matrix<double> draw_targets(const MlpSpec&, std::uint64_t, int, int);

}  // namespace lockstep
