#include "device/tensors.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "device/message.h"
#include "program/instruction.h"

namespace lockstep {
namespace {

TensorName activation(int stage, int microbatch) {
  return {.kind = TensorKind::activation, .stage = stage, .microbatch = microbatch};
}

TensorName activation_gradient(int stage, int microbatch) {
  return {.kind = TensorKind::activation_gradient, .stage = stage, .microbatch = microbatch};
}

}  // namespace

template <typename T>
DeviceTensors<T>::DeviceTensors(const Program& program, const TrainingSet& data, int rank)
    : data_(std::make_shared<const TrainingSet>(data)),
      replica_(program.devices[static_cast<std::size_t>(rank)].replica),
      model_(data.model),
      stage_count_(program.stages),
      shard_(shard_of(program, program.devices[static_cast<std::size_t>(rank)])) {
  const DeviceProgram& device = program.devices[static_cast<std::size_t>(rank)];
  loss_divisor_ = loss_terms(model_, data.replica_row_count(device.replica));
  parts_ = stage_parts(program, data.model, device);
  for (const StagePart& part : parts_) {
    const BlockRange blocks = stage_blocks(data.model, program.stages, part.stage);
    stages_.emplace_back(model_, blocks.first, blocks.last, shard_, data.seed);
    optimizer_.emplace_back(data.optimizer, part.count);
  }
  if (!parts_.empty()) gradient_.resize(parts_.back().first + parts_.back().count);
  draw_rows();
}

template <typename T>
void DeviceTensors<T>::draw_rows() {
  inputs_.clear();
  targets_.clear();
  for (int microbatch = 0; microbatch < data_->microbatches; ++microbatch) {
    const RowRange rows = data_->rows(replica_, microbatch);
    if (holds(0)) inputs_.push_back(input_rows<T>(*data_, rows, step_));
    if (holds(stage_count_ - 1)) targets_.push_back(target_rows<T>(*data_, rows, step_));
  }
}

template <typename T>
void DeviceTensors<T>::update() {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const std::span<const T> all = gradient_;
    lockstep::update<T>(data_->optimizer, all.subspan(parts_[i].first, parts_[i].count),
                        stages_[i].parameters(), optimizer_[i]);
  }
  ++step_;
  is_due_ = true;
}

template <typename T>
void DeviceTensors<T>::begin_step_if_due() {
  if (!is_due_) return;
  is_due_ = false;
  std::ranges::fill(gradient_, T{0});
  loss_sums_.push_back(0);
  draw_rows();
}

template <typename T>
std::vector<T> DeviceTensors<T>::parameters() const {
  std::vector<T> all;
  for (const ModelStage<T>& stage : stages_) {
    const std::span<const T> own = stage.parameters();
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

template <typename T>
Status DeviceTensors<T>::forward(int number, int microbatch) {
  const auto at = static_cast<std::size_t>(microbatch);
  const Matrix<T>& input =
      number == 0 ? inputs_[at] : between_.at(activation(number - 1, microbatch));
  Matrix<T> output = stage(number).forward(input, stashes_[{number, microbatch}]);
  if (number == 0) inputs_[at] = {};
  Status status = check_finite(output, "the output");
  if (status.ok() && number == stage_count_ - 1) status = take_loss(output, microbatch);
  between_.insert_or_assign(activation(number, microbatch), std::move(output));
  return status;
}

template <typename T>
Status DeviceTensors<T>::take_loss(const Matrix<T>& output, int microbatch) {
  const Matrix<T> target = std::exchange(targets_[static_cast<std::size_t>(microbatch)], {});
  double& sum = loss_sums_.back();
  sum = add_loss<T>(model_, output, target, sum);
  if (!std::isfinite(sum)) {
    return Error{"not_finite", "the loss", "the loss is not a finite number"};
  }
  Matrix<T> gradient = loss_gradient<T>(model_, output, target, loss_divisor_);
  Status status = check_finite(gradient, "the gradient of the loss");
  between_.insert_or_assign(activation_gradient(stage_count_ - 1, microbatch), std::move(gradient));
  return status;
}

template <typename T>
Status DeviceTensors<T>::backward_input(int number, int microbatch) {
  Matrix<T> input_gradient = stage(number).backward_input(
      between_.at(activation_gradient(number, microbatch)), stashes_.at({number, microbatch}));
  if (number == 0) return fine();
  Status status = check_finite(input_gradient, "the gradient by the input");
  between_.insert_or_assign(activation_gradient(number - 1, microbatch), std::move(input_gradient));
  return status;
}

template <typename T>
void DeviceTensors<T>::backward_weight(int number, int microbatch) {
  const StagePart& part = parts_[place(number)];
  const auto stash = stashes_.find({number, microbatch});
  stage(number).backward_weight(stash->second,
                                std::span<T>(gradient_).subspan(part.first, part.count));
  stashes_.erase(stash);
}

template <typename T>
void DeviceTensors<T>::scale(int numerator, int denominator) {
  for (T& value : gradient_) {
    value = value * static_cast<T>(numerator) / static_cast<T>(denominator);
  }
}

template <typename T>
std::vector<std::byte> DeviceTensors<T>::read(const TensorName& tensor) const {
  return to_bytes<T>(elements(tensor));
}

template <typename T>
void DeviceTensors<T>::write(const TensorName& tensor, TensorShape shape,
                             std::span<const std::byte> bytes) {
  const std::vector<T> values = from_bytes<T>(bytes);
  if (is_of_microbatch(tensor.kind) && tensor == whole_of(tensor)) {
    between_.insert_or_assign(tensor, Matrix<T>(shape.rows, shape.columns));
  }
  std::ranges::copy(values, elements(tensor).begin());
}

template <typename T>
void DeviceTensors<T>::add(const TensorName& tensor, std::span<const std::byte> bytes) {
  const std::vector<T> values = from_bytes<T>(bytes);
  const std::span<T> into = elements(tensor);
  assert(into.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) into[i] += values[i];
}

template <typename T>
Status DeviceTensors<T>::check_gradient() const {
  for (const StagePart& part : parts_) {
    for (std::size_t j = 0; j < part.count; ++j) {
      if (std::isfinite(gradient_[part.first + j])) continue;
      const BlockRange blocks = stage_blocks(model_, stage_count_, part.stage);
      const std::vector<std::size_t> indices =
          parameter_indices(model_, blocks.first, blocks.last, shard_);
      const std::string where = describe_parameter(model_, indices[j]);
      return Error{"not_finite", where, "the gradient of " + where + " is not a finite number"};
    }
  }
  return fine();
}

template <typename T>
std::size_t DeviceTensors<T>::activation_count() const {
  std::size_t count = 0;
  for (const auto& [work, stash] : stashes_) count += value_count(stash);
  for (const auto& [tensor, matrix] : between_) count += matrix.values.size();
  return count;
}

template <typename T>
bool DeviceTensors<T>::holds(int stage) const {
  return std::ranges::find(parts_, stage, &StagePart::stage) != parts_.end();
}

template <typename T>
std::size_t DeviceTensors<T>::place(int stage) const {
  const auto part = std::ranges::find(parts_, stage, &StagePart::stage);
  assert(part != parts_.end());
  return static_cast<std::size_t>(part - parts_.begin());
}

template <typename T>
std::span<const T> DeviceTensors<T>::elements(const TensorName& tensor) const {
  std::span<const T> whole = gradient_;
  if (is_of_microbatch(tensor.kind)) {
    whole = between_.at(whole_of(tensor)).values;
  } else if (tensor.stage != kAllStages) {
    const StagePart& part = parts_[place(tensor.stage)];
    const bool shared = tensor.kind == TensorKind::shared_gradient;
    const int block = stage_blocks(model_, stage_count_, tensor.stage).first;
    whole = whole.subspan(part.first, shared ? shared_count(model_, block, shard_) : part.count);
  }
  const ElementRange range = element_range(static_cast<std::int64_t>(whole.size()), tensor);
  return whole.subspan(static_cast<std::size_t>(range.first),
                       static_cast<std::size_t>(range.count));
}

template <typename T>
std::span<T> DeviceTensors<T>::elements(const TensorName& tensor) {
  const std::span<const T> found = std::as_const(*this).elements(tensor);
  return {const_cast<T*>(found.data()), found.size()};
}

template class DeviceTensors<float>;
template class DeviceTensors<double>;

}  // namespace lockstep
