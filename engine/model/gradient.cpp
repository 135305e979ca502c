#include "model/gradient.h"

#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "core/hash.h"
#include "model/draw.h"
#include "model/layers.h"

namespace lockstep {
namespace {

template <typename T>
Status check_width(const Matrix<T>& matrix, int width, const std::string& name) {
  if (matrix.columns == width) return fine();
  return Error{"shape_mismatch", name,
               name + " have " + std::to_string(matrix.columns) + " columns, but the model has " +
                   std::to_string(width)};
}

}  // namespace

template <typename T>
Batch<T> draw_batch(const MlpSpec& spec, std::uint64_t seed, int rows) {
  assert(check_rows(spec, rows).ok());
  return {draw_inputs<T>(spec, seed, 0, rows), draw_targets<T>(spec, seed, 0, rows)};
}

template <typename T>
Status check_batch(const MlpSpec& spec, const Batch<T>& batch) {
  if (Status status = check_rows(spec, batch.inputs.rows); !status.ok()) return status;
  if (batch.targets.rows != batch.inputs.rows) {
    return Error{"shape_mismatch", "targets",
                 "targets have " + std::to_string(batch.targets.rows) + " rows, but inputs have " +
                     std::to_string(batch.inputs.rows)};
  }
  Status status = check_width(batch.inputs, spec.widths.front(), "inputs");
  if (status.ok()) status = check_width(batch.targets, spec.widths.back(), "targets");
  if (status.ok()) status = check_finite(batch.inputs, "inputs");
  if (status.ok()) status = check_finite(batch.targets, "targets");
  return status;
}

template <typename T>
Result<LossAndGradient<T>> single_device_gradient(const Stage<T>& model, const Batch<T>& batch) {
  assert(model.is_whole());
  if (Status status = check_batch(model.spec(), batch); !status.ok()) return status.error();

  Stash<T> stash;
  const std::int64_t elements = batch.element_count();
  const Matrix<T> outputs = model.forward(batch.inputs, stash);
  LossAndGradient<T> result;
  result.loss = add_squared_error<T>(outputs, batch.targets, 0.0) / static_cast<double>(elements);
  if (!std::isfinite(result.loss)) {
    return Error{"not_finite", "loss",
                 "the loss is not a finite number: use smaller inputs, targets or parameters"};
  }
  model.backward_input(squared_error_gradient<T>(outputs, batch.targets, elements), stash);
  result.gradient.resize(model.parameters().size());
  model.backward_weight(stash, result.gradient);
  const Status status = check_finite_gradient<T>(model.spec(), result.gradient);
  if (!status.ok()) return status.error();
  return result;
}

template <typename T>
Status check_finite_gradient(const MlpSpec& spec, std::span<const T> gradient) {
  assert(gradient.size() == parameter_count(spec));
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    if (std::isfinite(gradient[i])) continue;
    const std::string where = describe(locate_parameter(spec, i));
    return Error{"not_finite", where,
                 "the gradient of " + where +
                     " is not a finite number: use smaller inputs, targets or parameters"};
  }
  return fine();
}

template <typename T>
std::string gradient_hash(std::span<const T> gradient) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  std::uint64_t hash = kFnvStart;
  for (const T value : gradient) {
    std::array<std::byte, sizeof(T)> bytes;
    auto bits = std::bit_cast<Bits>(value);
    for (std::byte& byte : bytes) {
      byte = static_cast<std::byte>(bits & 0xffu);
      bits >>= 8;
    }
    hash = fnv1a(bytes, hash);
  }
  return hex16(hash);
}

template Batch<float> draw_batch(const MlpSpec&, std::uint64_t, int);
template Status check_batch(const MlpSpec&, const Batch<float>&);
template Result<LossAndGradient<float>> single_device_gradient(const Stage<float>&,
                                                               const Batch<float>&);
template Status check_finite_gradient(const MlpSpec&, std::span<const float>);
template std::string gradient_hash(std::span<const float>);

template Batch<double> draw_batch(const MlpSpec&, std::uint64_t, int);
template Status check_batch(const MlpSpec&, const Batch<double>&);
template Result<LossAndGradient<double>> single_device_gradient(const Stage<double>&,
                                                                const Batch<double>&);
template Status check_finite_gradient(const MlpSpec&, std::span<const double>);
template std::string gradient_hash(std::span<const double>);

}  // namespace lockstep
