// The numbers of one device: the parameters and gradients of its stages and what is on its way
// between them, with the work that a program's instructions do on it. T is float or double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/result.h"
#include "device/layout.h"
#include "model/model_stage.h"
#include "tensor/matrix.h"

namespace lockstep {

template <typename T>
class DeviceTensors {
 public:
  /// Draws the parameters of the stages of device `rank`, and the rows of its replica's batch.
  DeviceTensors(const Program& program, const TrainingSet& data, int rank);

  /// Outputs of `stage` for `microbatch`; on the last stage its part of the loss and the gradient
  /// of the loss by them. Refuses results that are not finite, naming row and column.
  Status forward(int stage, int microbatch);
  Status backward_input(int stage, int microbatch);
  void backward_weight(int stage, int microbatch);

  /// Multiplies the gradient by numerator / denominator, product and quotient each rounded once.
  void scale(int numerator, int denominator);

  /// The optimizer's step on all parameters; what comes next belongs to the next step of training.
  void update();

  /// Before each instruction but update: after one, the gradient begins anew, with new rows.
  void begin_step_if_due();

  /// What goes into a message, and what came by one.
  std::vector<std::byte> read(const TensorName& tensor) const;
  void write(const TensorName& tensor, TensorShape shape, std::span<const std::byte> bytes);
  void add(const TensorName& tensor, std::span<const std::byte> bytes);

  /// Forgets an activation or its gradient, if there is one.
  void drop(const TensorName& tensor) { between_.erase(tensor); }

  /// Refuses a NaN or infinity in the gradient, naming the parameter.
  Status check_gradient() const;

  /// The parameters of all stages, laid out like the gradient.
  std::vector<T> parameters() const;

  std::span<const T> gradient() const { return gradient_; }
  /// Σ of the losses of the device's rows, by step; 0 without the last stage.
  const std::vector<double>& loss_sums() const { return loss_sums_; }

  /// Numbers held between instructions for the backward work and the neighbouring stages.
  std::size_t activation_count() const;

 private:
  using Work = std::pair<int, int>;  ///< stage and microbatch

  Status take_loss(const Matrix<T>& output, int microbatch);
  const ModelStage<T>& stage(int number) const { return stages_[place(number)]; }
  bool holds(int stage) const;
  std::size_t place(int stage) const;
  std::span<const T> elements(const TensorName& tensor) const;
  std::span<T> elements(const TensorName& tensor);

  void draw_rows();

  std::shared_ptr<const TrainingSet> data_;  ///< never written, so that copies may share it
  int replica_;
  int step_ = 0;         ///< counts updates
  bool is_due_ = false;  ///< the next step has not begun
  ModelSpec model_;
  int stage_count_;
  Shard shard_;
  std::int64_t loss_divisor_;  ///< terms of the replica's loss
  std::vector<StagePart> parts_;
  std::vector<ModelStage<T>> stages_;         ///< in the order of parts_
  std::vector<T> gradient_;                   ///< of all parts
  std::vector<double> loss_sums_ = {0};       ///< of the microbatches that were forward so far
  std::vector<OptimizerState<T>> optimizer_;  ///< in the order of parts_
  std::vector<Matrix<T>> inputs_;             ///< by microbatch, where stage 0 is held
  std::vector<Matrix<T>> targets_;            ///< by microbatch, where the last stage is held
  std::map<TensorName, Matrix<T>> between_;   ///< activations and their gradients
  std::map<Work, ModelStash<T>> stashes_;
};

}  // namespace lockstep
