// Operators, models and optimizers as PyTorch computed them in float64, and 16-bit rounding: what
// each op of the file is in the engine.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "drivers/answer.h"
#include "model/activations.h"
#include "model/attention.h"
#include "model/gpt_stage.h"
#include "model/gradient.h"
#include "model/layers.h"
#include "model/normalization.h"
#include "model/optimizer.h"
#include "model/tokens.h"
#include "tensor/kernels.h"
#include "tensor/narrow.h"

namespace lockstep::drivers {

using Tensor = Matrix<double>;

/// What an op makes, by the file's names: "output", "loss", "gradient x", …
using Numbers = std::map<std::string, std::vector<double>>;

/// A tensor of the file as a matrix: the last axis are the columns.
inline Tensor tensor(const Json& json) {
  Tensor result;
  result.values = json.at("values").get<std::vector<double>>();
  result.columns = json.at("shape").back().get<int>();
  result.rows = static_cast<int>(result.values.size()) / result.columns;
  return result;
}

inline Tensor rows_of(const Json& json) {
  Tensor result(static_cast<int>(json.size()), static_cast<int>(json.at(0).size()));
  result.values.clear();
  for (const Json& row : json) {
    for (const Json& value : row) result.values.push_back(value.get<double>());
  }
  return result;
}

inline std::vector<int> integers(const Json& json) {
  return json.at("values").get<std::vector<int>>();
}

/// What the ops below look at: the case's inputs by name, and the gradient by the output.
struct OpCase {
  const Json& json;

  Tensor in(const char* name) const { return tensor(json.at("inputs").at(name)); }
  Tensor dy() const { return tensor(json.at("output_gradient")); }
  const Json& attribute(const char* name) const { return json.at("attributes").at(name); }
};

inline Numbers linear_op(const OpCase& c) {
  const Tensor x = c.in("x");
  const Tensor weight = c.in("weight");
  Tensor by_weight(weight.rows, weight.columns);
  std::vector<double> by_bias(static_cast<std::size_t>(weight.rows));
  linear_backward_weight<double>(x, c.dy(), by_weight, by_bias);
  return {{"output", linear_forward<double>(x, weight, c.in("bias").values).values},
          {"gradient x", linear_backward_input<double>(c.dy(), weight).values},
          {"gradient weight", by_weight.values},
          {"gradient bias", by_bias}};
}

inline Numbers relu_op(const OpCase& c) {
  Tensor y = c.in("x");
  relu_forward<double>(y);
  Tensor dx = c.dy();
  relu_backward<double>(y, dx);
  return {{"output", y.values}, {"gradient x", dx.values}};
}

inline Numbers activation_op(const OpCase& c, Activation activation) {
  return {{"output", activation_forward(activation, c.in("x")).values},
          {"gradient x", activation_backward(activation, c.in("x"), c.dy()).values}};
}

inline Numbers gelu_op(const OpCase& c) {
  const bool tanh = c.attribute("approximate") == "tanh";
  return activation_op(c, tanh ? Activation::gelu_tanh : Activation::gelu_erf);
}

inline Numbers silu_op(const OpCase& c) {
  return activation_op(c, Activation::silu);
}

inline Numbers layer_norm_op(const OpCase& c) {
  const Tensor x = c.in("x");
  const std::vector<double> weight = c.in("weight").values;
  const double epsilon = c.attribute("epsilon");
  std::vector<double> by_weight(weight.size());
  std::vector<double> by_bias(weight.size());
  layer_norm_backward_weight<double>(x, epsilon, c.dy(), by_weight, by_bias);
  return {{"output", layer_norm_forward<double>(x, weight, c.in("bias").values, epsilon).values},
          {"gradient x", layer_norm_backward_input<double>(x, weight, epsilon, c.dy()).values},
          {"gradient weight", by_weight},
          {"gradient bias", by_bias}};
}

inline Numbers rms_norm_op(const OpCase& c) {
  const Tensor x = c.in("x");
  const std::vector<double> weight = c.in("weight").values;
  const double epsilon = c.attribute("epsilon");
  std::vector<double> by_weight(weight.size());
  rms_norm_backward_weight<double>(x, epsilon, c.dy(), by_weight);
  return {{"output", rms_norm_forward<double>(x, weight, epsilon).values},
          {"gradient x", rms_norm_backward_input<double>(x, weight, epsilon, c.dy()).values},
          {"gradient weight", by_weight}};
}

inline Numbers softmax_op(const OpCase& c) {
  const Tensor y = softmax(c.in("x"));
  return {{"output", y.values}, {"gradient x", softmax_backward(y, c.dy()).values}};
}

/// The file's (batch, heads, sequence, head size): each head of each sequence is one sequence of
/// one head, since heads do not depend on each other.
inline Numbers causal_attention_op(const OpCase& c) {
  const int sequence = c.json.at("inputs").at("q").at("shape").at(2);
  const AttentionShape shape = {.heads = 1, .sequence_length = sequence};
  const Tensor q = c.in("q");
  const Tensor k = c.in("k");
  const Tensor v = c.in("v");
  const Attention<double> forward = attention_forward(q, k, v, shape);
  const AttentionGradients<double> by =
      attention_backward(q, k, v, forward.probabilities, c.dy(), shape);
  return {{"output", forward.outputs.values},
          {"gradient q", by.q.values},
          {"gradient k", by.k.values},
          {"gradient v", by.v.values}};
}

inline Numbers cross_entropy_op(const OpCase& c) {
  const Tensor logits = c.in("logits");
  const std::vector<int> targets = integers(c.json.at("integer_inputs").at("target"));
  const std::int64_t counted = counted_targets(targets);
  const double loss = add_cross_entropy(logits, targets, 0) / static_cast<double>(counted);
  return {{"loss", {loss}},
          {"gradient logits", cross_entropy_gradient(logits, targets, counted).values}};
}

inline Numbers mean_squared_error_op(const OpCase& c) {
  const Tensor outputs = c.in("prediction");
  const Tensor target = rows_of(c.attribute("target"));
  const auto elements = static_cast<std::int64_t>(outputs.values.size());
  return {
      {"loss", {add_squared_error<double>(outputs, target, 0) / static_cast<double>(elements)}},
      {"gradient prediction", squared_error_gradient<double>(outputs, target, elements).values}};
}

inline Numbers embedding_op(const OpCase& c) {
  const Tensor weight = c.in("weight");
  const std::vector<int> tokens = integers(c.json.at("integer_inputs").at("indices"));
  Tensor by_weight(weight.rows, weight.columns);
  embedding_backward_weight<double>(tokens, c.dy(), by_weight);
  return {{"output", embedding_forward<double>(tokens, weight).values},
          {"gradient weight", by_weight.values}};
}

inline Tensor without_bias(const Tensor& x, const Tensor& weight) {
  return linear_forward<double>(x, weight,
                                std::vector<double>(static_cast<std::size_t>(weight.rows)));
}

inline std::vector<double> by_weight(const Tensor& x, const Tensor& dy) {
  Tensor gradient(dy.columns, x.columns);
  add_matmul_transposed_left<double>(dy, x, gradient);
  return gradient.values;
}

inline Numbers gated_mlp_op(const OpCase& c) {
  const Tensor x = c.in("x");
  const Tensor gate = without_bias(x, c.in("gate"));
  const Tensor up = without_bias(x, c.in("up"));
  const Tensor units = gated_forward(Activation::silu, gate, up);
  const Tensor by_units = linear_backward_input<double>(c.dy(), c.in("down"));
  const GatedGradients<double> by = gated_backward(Activation::silu, gate, up, by_units);
  Tensor dx = linear_backward_input<double>(by.gate, c.in("gate"));
  add_matmul<double>(by.up, c.in("up"), dx);
  return {{"output", without_bias(units, c.in("down")).values},
          {"gradient x", dx.values},
          {"gradient gate", by_weight(x, by.gate)},
          {"gradient up", by_weight(x, by.up)},
          {"gradient down", by_weight(units, c.dy())}};
}

inline LossAndGradient<double> mlp_gradient(const MlpSpec& spec, std::vector<double> parameters,
                                            const Batch<double>& batch) {
  Stage<double> model(spec, 0);
  std::ranges::copy(parameters, model.parameters().begin());
  return must(single_device_gradient(model, batch));
}

/// A linear layer without bias is one with a bias of 0, whose gradient nobody asks for.
inline Numbers linear_mse_op(const OpCase& c) {
  const Batch<double> batch = {rows_of(c.attribute("X")), rows_of(c.attribute("y"))};
  std::vector<double> parameters = c.in("weight").values;
  const std::size_t weights = parameters.size();
  parameters.push_back(0);
  const auto result =
      mlp_gradient({{batch.inputs.columns, batch.targets.columns}}, parameters, batch);
  return {
      {"loss", {result.loss}},
      {"gradient weight",
       {result.gradient.begin(), result.gradient.begin() + static_cast<std::ptrdiff_t>(weights)}}};
}

inline Numbers mlp_op(const OpCase& c) {
  const Batch<double> batch = {rows_of(c.attribute("x")), rows_of(c.attribute("target"))};
  const std::vector<std::string> names = {"w1", "b1", "w2", "b2", "w3", "b3"};
  MlpSpec spec = {{batch.inputs.columns}};
  std::vector<double> parameters;
  for (const std::string& name : names) {
    const Tensor values = c.in(name.c_str());
    parameters.insert(parameters.end(), values.values.begin(), values.values.end());
    if (name[0] == 'w') spec.widths.push_back(values.rows);
  }
  const auto result = mlp_gradient(spec, parameters, batch);
  Numbers numbers = {{"loss", {result.loss}}};
  auto at = result.gradient.begin();
  for (const std::string& name : names) {
    const auto count = static_cast<std::ptrdiff_t>(c.in(name.c_str()).values.size());
    numbers["gradient " + name] = {at, at + count};
    at += count;
  }
  return numbers;
}

/// What the file calls a tensor of ours.
inline std::string file_name(const std::string& ours) {
  static const std::map<std::string, std::string> kNames = {
      {"token embedding", "wte"},      {"position embedding", "wpe"},
      {"norm 1 weight", "ln1.w"},      {"norm 1 bias", "ln1.b"},
      {"qkv weight", "qkv.w"},         {"qkv bias", "qkv.b"},
      {"projection weight", "proj.w"}, {"projection bias", "proj.b"},
      {"norm 2 weight", "ln2.w"},      {"norm 2 bias", "ln2.b"},
      {"inner weight", "fc.w"},        {"inner bias", "fc.b"},
      {"output weight", "out.w"},      {"output bias", "out.b"},
      {"final norm weight", "lnf.w"},  {"final norm bias", "lnf.b"},
  };
  if (!ours.starts_with("layer ")) return kNames.at(ours);
  const std::size_t space = ours.find(' ', 6);
  return "l" + ours.substr(6, space - 6) + "." + kNames.at(ours.substr(space + 1));
}

inline Numbers tiny_gpt_op(const OpCase& c) {
  const GptSpec spec = {.vocabulary = c.attribute("vocabulary"),
                        .sequence_length = c.attribute("sequence"),
                        .hidden = c.attribute("hidden"),
                        .heads = c.attribute("heads"),
                        .layers = c.attribute("layers"),
                        .tied_head = c.attribute("tied_head"),
                        .epsilon = c.attribute("layer_norm_epsilon")};
  GptStage<double> model(spec, 0);
  const std::vector<int> targets = integers(c.json.at("integer_inputs").at("target"));
  Tensor tokens = tensor(c.json.at("integer_inputs").at("tokens"));
  tokens.rows = static_cast<int>(tokens.values.size());
  tokens.columns = 1;

  std::vector<std::string> names;
  auto at = model.parameters().begin();
  for (int block = 0; block < spec.block_count(); ++block) {
    for (const ParameterTensor& part : block_tensors(spec, block)) {
      names.push_back(file_name(part.name));
      at = std::ranges::copy(c.in(names.back().c_str()).values, at).out;
    }
  }
  GptStash<double> stash;
  const Tensor logits = model.forward(tokens, stash);
  const std::int64_t counted = counted_targets(targets);
  model.backward_input(cross_entropy_gradient(logits, targets, counted), stash);
  std::vector<double> gradient(model.parameters().size());
  model.backward_weight(stash, gradient);

  Numbers numbers = {
      {"loss", {add_cross_entropy(logits, targets, 0) / static_cast<double>(counted)}}};
  auto from = gradient.begin();
  for (const std::string& name : names) {
    const auto count = static_cast<std::ptrdiff_t>(c.in(name.c_str()).values.size());
    numbers["gradient " + name] = {from, from + count};
    from += count;
  }
  return numbers;
}

inline OptimizerSpec optimizer_spec(const Json& attributes) {
  OptimizerSpec spec = {.learning_rate = attributes.at("lr"),
                        .weight_decay = attributes.at("weight_decay")};
  if (attributes.contains("betas")) {
    spec.kind = OptimizerKind::adam;
    spec.beta1 = attributes.at("betas").at(0);
    spec.beta2 = attributes.at("betas").at(1);
    spec.epsilon = attributes.at("eps");
  } else {
    spec.momentum = attributes.at("momentum");
    spec.nesterov = attributes.at("nesterov");
  }
  return spec;
}

struct OpRow {
  const char* op;
  Numbers (*numbers)(const OpCase&);
};

inline constexpr OpRow kNumericOps[] = {
    {"linear", linear_op},
    {"relu", relu_op},
    {"gelu", gelu_op},
    {"silu", silu_op},
    {"layer_norm", layer_norm_op},
    {"rms_norm", rms_norm_op},
    {"softmax", softmax_op},
    {"causal_attention", causal_attention_op},
    {"cross_entropy", cross_entropy_op},
    {"mean_squared_error", mean_squared_error_op},
    {"embedding", embedding_op},
    {"gated_mlp", gated_mlp_op},
    {"linear_mse", linear_mse_op},
    {"mlp", mlp_op},
    {"tiny_gpt", tiny_gpt_op},
};

inline double size_of(double value) {
  return std::max(value, -value);
}

/// Relative 1e-9, and no less than the rounding of numbers of the tensor's size.
inline void require_close(const std::vector<double>& got, const std::vector<double>& expected,
                          const std::string& name) {
  if (got.size() != expected.size()) throw std::runtime_error(name + " has another size");
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, size_of(value));
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double allowed = std::max(1e-9 * size_of(expected[i]), 1e-14 * largest);
    if (size_of(got[i] - expected[i]) <= allowed) continue;
    throw std::runtime_error(name + " [" + std::to_string(i) + "] is " + std::to_string(got[i]) +
                             ", not " + std::to_string(expected[i]));
  }
}

inline void check_operator(const Json& test_case) {
  const std::string op = test_case.at("op");
  const auto row = std::ranges::find(kNumericOps, op, &OpRow::op);
  if (row == std::end(kNumericOps)) throw std::runtime_error("unknown op " + op);
  const Numbers numbers = row->numbers(OpCase{test_case});
  for (const char* key : {"output", "loss"}) {
    if (!test_case.contains(key)) continue;
    const Json& expected = test_case.at(key);
    require_close(numbers.at(key),
                  expected.is_number() ? std::vector<double>{expected}
                                       : expected.at("values").get<std::vector<double>>(),
                  key);
  }
  for (const auto& [name, gradient] : test_case.at("gradients").items()) {
    require_close(numbers.at("gradient " + name), gradient.at("values"), "gradient " + name);
  }
}

inline void check_optimizer(const Json& test_case) {
  const OptimizerSpec spec = optimizer_spec(test_case.at("attributes"));
  std::vector<double> parameters = test_case.at("start").at("values");
  OptimizerState<double> state(spec, parameters.size());
  const Json& gradients = test_case.at("step_gradients");
  for (std::size_t step = 0; step < gradients.size(); ++step) {
    const std::vector<double> gradient = gradients[step].at("values");
    update<double>(spec, gradient, parameters, state);
    require_close(parameters, test_case.at("parameters_after_each_step")[step].at("values"),
                  "step " + std::to_string(step));
  }
}

inline void check_rounding(const Json& test_case) {
  const std::vector<std::uint32_t> bits = test_case.at("float32_bits");
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const float value = std::bit_cast<float>(bits[i]);
    const auto require = [&](const char* key, float rounded) {
      if (std::bit_cast<std::uint32_t>(rounded) == test_case.at(key)[i]) return;
      throw std::runtime_error(std::string(key) + " [" + std::to_string(i) + "] differs");
    };
    require("bfloat16_bits", round_to_bfloat16(value));
    require("float16_bits", round_to_float16(value));
  }
}

inline void check_numerics(const Json& test_case) {
  const std::string op = test_case.at("op");
  if (op == "optimizer") return check_optimizer(test_case);
  if (op == "rounding") return check_rounding(test_case);
  check_operator(test_case);
}

}  // namespace lockstep::drivers
