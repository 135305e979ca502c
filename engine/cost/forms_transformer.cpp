// What the layers of a GPT-style transformer keep and send: 16-bit numbers, dropout masks of one
// byte, attention scores kept (no flash attention), as in Korthikanti et al. 2022.
#include "cost/closed_form.h"

namespace lockstep {
namespace {

using Values = std::span<const Rational>;

constexpr Parameter kSequence = {"seq", "tokens", "s, tokens in a sequence"};
constexpr Parameter kMicroBatch = {"micro_batch", "sequences", "b, sequences in a microbatch"};
constexpr Parameter kHidden = {"hidden", "count", "h, width of the model"};
constexpr Parameter kHeads = {"heads", "count", "a, attention heads"};
constexpr Parameter kLayers = {"layers", "count", "L, layers"};
constexpr Parameter kTensor = {"tp", "count", "t, tensor-parallel degree", Domain::count, 1};
constexpr Parameter kStages = {"stages", "count", "p, pipeline stages, one a device", Domain::count,
                               1};
constexpr Parameter kChunks = {"chunks", "count", "v, model chunks a device", Domain::count, 1};
constexpr Parameter kElementBytes = {"element_bytes", "bytes", "bytes of a number", Domain::count,
                                     2};

// --- activations of a layer: s·b·h times a sum of three parts ---

constexpr std::array kLayer = {kSequence, kMicroBatch, kHidden, kHeads, kTensor};

/// s·b·h of values that begin as kLayer does.
Rational layer_width(Values values) {
  return values[0] * values[1] * values[2];
}

constexpr std::array kScores = {kSequence, kHidden, kHeads};
/// 5·a·s/h, what the attention scores add to the 34.
Rational score_bytes(Values values) {
  const auto [s, h, a] = take<3>(values);
  return Rational(5) * a * s / h;
}
Rational scores_of_layer(Values values) {
  const std::array arguments = {values[0], values[2], values[3]};
  return score_bytes(arguments);
}

Rational tensor_parallel(Values values) {
  const Rational& t = values[4];
  return layer_width(values) * (Rational(10) + Rational(24) / t + scores_of_layer(values) / t);
}
Rational sequence_parallel(Values values) {
  return layer_width(values) * (Rational(34) + scores_of_layer(values)) / values[4];
}
Rational tensor_parallel_selective(Values values) {
  return layer_width(values) * (Rational(10) + Rational(24) / values[4]);
}
Rational sequence_parallel_selective(Values values) {
  return layer_width(values) * Rational(34) / values[4];
}

Rational full_recompute(Values values) {
  return layer_width(values) * Rational(2);
}
Rational sequence_parallel_full(Values values) {
  return full_recompute(values) / values[4];
}

Rational attention_share(Values values) {
  const Rational scores = score_bytes(values);
  return scores / (Rational(34) + scores);
}

// --- activations of the first pipeline stage, which keeps the most ---

constexpr std::array kInterleaving = {kStages, kChunks};
Rational interleave_factor(Values values) {
  const auto [p, v] = take<2>(values);
  if (v == Rational(1)) return 1;
  return Rational(1) + (p - Rational(1)) / (p * v);
}

constexpr std::array kFirstStage = {kSequence, kMicroBatch, kHidden, kHeads,
                                    kTensor,   kLayers,     kStages, kChunks};
using OfLayer = Rational (*)(Values values);
template <OfLayer Layer>
Rational first_stage(Values values) {
  return Layer(values.first(5)) * values[5] * interleave_factor(values.subspan(6));
}

// --- parameters ---

constexpr std::array kParameters = {
    kLayers, kHidden, kTensor,
    Parameter{"pp", "count", "pipeline-parallel degree", Domain::count, 1}};
Rational layer_parameters(Values values) {
  const auto [layers, h, t, p] = take<4>(values);
  return Rational(12) * layers * h * h / (t * p);
}

constexpr std::array kState = {
    kLayers, kHidden, kTensor, kParameters[3],
    Parameter{"bytes_per_param", "bytes", "all state of a parameter", Domain::positive}};
Rational layer_state(Values values) {
  return layer_parameters(values) * values[4];
}

// --- traffic ---

constexpr std::array kAllReduce = {kMicroBatch, kSequence, kHidden, kElementBytes};
Rational all_reduce_bytes(Values values) {
  const auto [b, s, h, bytes] = take<4>(values);
  return b * s * h * bytes;
}
Rational all_reduces_each_way(Values) {
  return 2;
}

constexpr std::array kTensorTraffic = {kMicroBatch, kSequence, kHidden, kElementBytes, kTensor};
Rational tensor_traffic(Values values) {
  const Rational& t = values[4];
  return Rational(4) * Rational(2) * (t - Rational(1)) / t * all_reduce_bytes(values);
}

constexpr std::array kRingAttention = {kMicroBatch,
                                       kSequence,
                                       Parameter{"kv_heads", "count", "key and value heads"},
                                       Parameter{"head_dim", "count", "d, width of a head"},
                                       Parameter{"cp", "count", "context-parallel degree"},
                                       kElementBytes};
Rational ring_attention_hop(Values values) {
  const auto [b, s, heads, d, c, bytes] = take<6>(values);
  return Rational(2) * (s / c) * b * heads * d * bytes;
}
Rational ring_attention_bytes(Values values) {
  return (values[4] - Rational(1)) * ring_attention_hop(values);
}

constexpr std::array kRingHops = {kRingAttention[4]};
Rational ring_attention_hops(Values values) {
  return values[0] - Rational(1);
}

constexpr std::array kExperts = {Parameter{"tokens", "tokens", "tokens of a device"},
                                 Parameter{"topk", "count", "experts that a token goes to"},
                                 kHidden, Parameter{"ep", "count", "e, expert-parallel degree"},
                                 kElementBytes};
Rational expert_bytes(Values values) {
  const auto [tokens, topk, h, e, bytes] = take<5>(values);
  return tokens * topk * h * bytes * (e - Rational(1)) / e;
}
Rational expert_exchanges(Values) {
  return 4;
}

constexpr std::array kWorld = {
    kTensor, kParameters[3], Parameter{"cp", "count", "context-parallel degree", Domain::count, 1},
    Parameter{"dp", "count", "data-parallel degree"}};
Rational world_size(Values values) {
  const auto [tp, pp, cp, dp] = take<4>(values);
  return tp * pp * cp * dp;
}

constexpr std::string_view kReducing = "Korthikanti et al. 2022";
constexpr std::string_view kMegatron = "Shoeybi et al. 2019 (Megatron-LM)";
constexpr std::string_view kRing = "Liu et al. 2023 (Ring Attention)";
constexpr std::string_view kSwitch = "Fedus et al. 2021 (Switch Transformer)";

constexpr std::array kForms = {
    ClosedForm{"layer_activations", kLayer, "bytes",
               "tensor parallel: sbh(10 + 24/t + 5as/(ht)); t = 1 is no parallelism", kReducing,
               tensor_parallel},
    ClosedForm{"layer_activations_sp", kLayer, "bytes",
               "with sequence parallelism: sbh(34 + 5as/h)/t", kReducing, sequence_parallel},
    ClosedForm{"layer_activations_selective", kLayer, "bytes",
               "attention computed again: sbh(10 + 24/t)", kReducing, tensor_parallel_selective},
    ClosedForm{"layer_activations_sp_selective", kLayer, "bytes", "both: sbh·34/t", kReducing,
               sequence_parallel_selective},
    ClosedForm{"layer_activations_full", kLayer, "bytes", "only the layer's input is kept: 2sbh",
               kReducing, full_recompute},
    ClosedForm{"layer_activations_sp_full", kLayer, "bytes",
               "the same with sequence parallelism: 2sbh/t", kReducing, sequence_parallel_full},
    ClosedForm{"attention_scores_factor", kScores, "1",
               "what attention scores add to the 34 bytes: 5as/h", kReducing, score_bytes},
    ClosedForm{"attention_scores_share", kScores, "1",
               "their share of a layer's activations: q/(34+q), q = 5as/h", kReducing,
               attention_share},
    ClosedForm{"interleave_factor", kInterleaving, "1",
               "more activations by interleaving: 1 + (p−1)/(pv), 1 for v = 1", kReducing,
               interleave_factor},
    ClosedForm{"first_stage_activations", kFirstStage, "bytes",
               "layer_activations · L · interleave_factor", kReducing,
               first_stage<tensor_parallel>},
    ClosedForm{"first_stage_activations_sp_selective", kFirstStage, "bytes",
               "layer_activations_sp_selective · L · interleave_factor", kReducing,
               first_stage<sequence_parallel_selective>},
    ClosedForm{"layer_parameters", kParameters, "count", "on each device: 12Lh²/(t·p)", kMegatron,
               layer_parameters},
    ClosedForm{"layer_state", kState, "bytes", "on each device: 12Lh²/(t·p)·bytes", kReducing,
               layer_state},
    ClosedForm{"tensor_all_reduce_bytes", kAllReduce, "bytes",
               "of one all-reduce of a tensor-parallel layer: b·s·h·bytes", kMegatron,
               all_reduce_bytes},
    ClosedForm{"tensor_all_reduces",
               {},
               "count",
               "of a tensor-parallel layer, each way: one for attention, one for the MLP: 2",
               kMegatron,
               all_reduces_each_way},
    ClosedForm{"tensor_traffic", kTensorTraffic, "bytes",
               "sent by each device for a layer, both ways: 4·2(t−1)/t·b·s·h·bytes", kMegatron,
               tensor_traffic},
    ClosedForm{"ring_attention_hops", kRingHops, "count", "of keys and values: c−1", kRing,
               ring_attention_hops},
    ClosedForm{"ring_attention_hop_bytes", kRingAttention, "bytes",
               "keys and values of a hop: 2(s/c)·b·heads·d·bytes", kRing, ring_attention_hop},
    ClosedForm{"ring_attention_bytes", kRingAttention, "bytes",
               "of a layer's forward: (c−1)·2(s/c)·b·heads·d·bytes", kRing, ring_attention_bytes},
    ClosedForm{"expert_all_to_all_bytes", kExperts, "bytes",
               "sent by each device in one exchange: tokens·topk·h·bytes·(e−1)/e", kSwitch,
               expert_bytes},
    ClosedForm{"expert_all_to_alls",
               {},
               "count",
               "of a layer: two forward, two backward",
               kSwitch,
               expert_exchanges},
    ClosedForm{"world_size", kWorld, "count",
               "all devices: tp·pp·cp·dp; expert parallelism lies inside dp", kMegatron,
               world_size},
};

}  // namespace

std::span<const ClosedForm> transformer_forms() {
  return kForms;
}

}  // namespace lockstep
