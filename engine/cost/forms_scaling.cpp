// Sizing a training run by hand, as "How to Scale Your Model" and two other teaching sources do it:
// numbers of 2 bytes (bf16) unless it is said.
#include <cmath>

#include "cost/closed_form.h"

namespace lockstep {
namespace {

using Values = std::span<const Rational>;

constexpr std::string_view kScaling = "scaling-book";
constexpr std::string_view kCookbook = "EleutherAI cookbook";
constexpr std::string_view kPuzzles = "LLM-Training-Puzzles";

constexpr Parameter kLayers = {"layers", "count", "L"};
constexpr Parameter kModelWidth = {"model_width", "count", "D"};
constexpr Parameter kFfnWidth = {"ffn_width", "count", "F, inner width of the MLP",
                                 Domain::positive};
constexpr Parameter kVocabulary = {"vocabulary", "count", "V"};
constexpr Parameter kTokens = {"tokens", "tokens", "B, of a batch", Domain::not_negative};
constexpr Parameter kChips = {"chips", "count", "devices"};
constexpr Parameter kPeak = {"peak", "FLOP/s", "C, of a device", Domain::positive};
constexpr Parameter kBandwidth = {"bandwidth", "bytes/s", "W", Domain::positive};
constexpr Parameter kIntensity = {"intensity", "FLOP/byte", "α = C/W", Domain::positive};
constexpr Parameter kParams = {"params", "count", "parameters", Domain::not_negative};

constexpr std::array kGluFfn = {kLayers, kModelWidth, kFfnWidth};
Rational glu_ffn_parameters(Values values) {
  const auto [layers, width, inner] = take<3>(values);
  return Rational(3) * layers * width * inner;
}

constexpr std::array kAttention = {kLayers, kModelWidth, Parameter{"head_size", "count", "H"},
                                   Parameter{"heads", "count", "N, of queries"},
                                   Parameter{"kv_heads", "count", "K, of keys and values"}};
Rational attention_parameters(Values values) {
  const auto [layers, width, size, heads, kv_heads] = take<5>(values);
  return Rational(2) * layers * width * size * (heads + kv_heads);
}

constexpr std::array kEmbeddings = {kVocabulary, kModelWidth};
Rational embedding_parameters(Values values) {
  const auto [vocabulary, width] = take<2>(values);
  return Rational(2) * vocabulary * width;
}

constexpr std::array kGluModel = {kLayers, kModelWidth, kFfnWidth, kVocabulary};
Rational glu_model_parameters(Values values) {
  const auto [layers, width, inner, vocabulary] = take<4>(values);
  return layers * (Rational(3) * width * inner + Rational(4) * width * width + width) +
         Rational(2) * width * vocabulary;
}

constexpr std::array kActivations = {kLayers, kTokens, kModelWidth, kFfnWidth};
Rational glu_activation_bytes(Values values) {
  const auto [layers, tokens, width, inner] = take<4>(values);
  return Rational(2) * layers * tokens * (width + Rational(2) * inner);
}

constexpr std::array kCheckpoints = {
    kModelWidth, kTokens, kLayers,
    Parameter{"checkpoints", "count", "activations kept for each layer", Domain::positive}};
Rational checkpoint_bytes(Values values) {
  const auto [width, tokens, layers, checkpoints] = take<4>(values);
  return Rational(2) * width * tokens * layers * checkpoints;
}

constexpr std::array kQuotient = {Parameter{"total", "1", "what is shared", Domain::not_negative},
                                  Parameter{"parts", "1", "among so many", Domain::positive}};
Rational share_of(Values values) {
  return values[0] / values[1];
}
Rational parts_needed(Values values) {
  return ceil(values[0] / values[1]);
}

constexpr std::array kProduct = {
    kChips, Parameter{"per_chip", "1", "of each device", Domain::not_negative}};
Rational over_all_chips(Values values) {
  return values[0] * values[1];
}

constexpr std::array kMixed = {kIntensity, kFfnWidth};
Rational mixed_threshold(Values values) {
  const auto [intensity, inner] = take<2>(values);
  return Rational(2) * intensity * intensity / inner;
}

constexpr std::array kFsdpWays = {kTokens, kChips, kFfnWidth,
                                  Parameter{"fsdp_axes", "count", "M_X"},
                                  Parameter{"tensor_axes", "count", "M_Y"}};
/// The one root among the closed forms: rounded to nine decimals.
Rational fsdp_ways(Values values) {
  const auto [tokens, chips, inner, fsdp_axes, tensor_axes] = take<5>(values);
  constexpr std::int64_t kParts = 1'000'000'000;
  constexpr double kLargest = 1e9;
  const double root = std::sqrt(to_double(tokens / inner * fsdp_axes / tensor_axes * chips));
  if (!(root <= kLargest)) return Rational::faulty(Fault::too_large);
  return Rational(std::llround(root * static_cast<double>(kParts))) / Rational(kParts);
}

constexpr std::array kTensorLimit = {kFfnWidth, kIntensity,
                                     Parameter{"axes", "count", "of the mesh", Domain::count, 1}};
Rational tensor_limit(Values values) {
  const auto [inner, intensity, axes] = take<3>(values);
  return inner / intensity * axes;
}

constexpr std::array kRoofline = {kPeak, kBandwidth};
Rational intensity(Values values) {
  return values[0] / values[1];
}
Rational critical_batch_int8(Values values) {
  return values[0] / (Rational(2) * values[1]);
}

constexpr std::array kWeightRead = {kParams, kChips, kBandwidth};
Rational weight_read_time(Values values) {
  const auto [params, chips, bandwidth] = take<3>(values);
  return Rational(2) * params / (chips * bandwidth);
}

constexpr std::array kKvCache = {
    kLayers, kModelWidth, Parameter{"bytes_per_value", "bytes", "of a number", Domain::positive}};
Rational kv_cache_bytes(Values values) {
  const auto [layers, width, bytes] = take<3>(values);
  return Rational(2) * layers * width * bytes;
}

constexpr std::array kArray = {
    Parameter{"rows", "count", "of the array"}, Parameter{"columns", "count", "of the array"},
    kBandwidth, Parameter{"shards", "count", "what else it is split over", Domain::count, 1}};
Rational array_all_gather_time(Values values) {
  const auto [rows, columns, bandwidth, shards] = take<4>(values);
  return Rational(2) * rows * columns / bandwidth / shards;
}
Rational array_all_reduce_time(Values values) {
  return Rational(2) * array_all_gather_time(values);
}

constexpr std::array kRingExchange = {
    Parameter{"size", "count", "N: each of the devices holds N²/D numbers"},
    Parameter{"devices", "count", "D"}};
Rational ring_all_gather_numbers(Values values) {
  const auto [size, devices] = take<2>(values);
  return size * size * (devices - Rational(1)) / devices;
}
template <int Share>
Rational ring_all_to_all_numbers(Values values) {
  return ring_all_gather_numbers(values) / Rational(Share);
}

constexpr std::array kSharding = {
    Parameter{"bytes", "bytes", "of the whole array", Domain::not_negative},
    Parameter{"shards", "count", "ways it is split"},
    Parameter{"copies", "count", "devices that hold the same part"}};
Rational shard_bytes(Values values) {
  return values[0] / values[1];
}
Rational sharded_total_bytes(Values values) {
  return values[0] * values[2];
}

constexpr std::array kWidthOnly = {kModelWidth};
Rational attention_crossover(Values values) {
  return Rational(2) * values[0];
}

constexpr Parameter kHidden = {"hidden", "count", "h"};
constexpr Parameter kSequence = {"seq", "tokens", "s"};
constexpr std::array kGptModel = {kLayers, kHidden, kSequence, kVocabulary};
Rational gpt_parameters(Values values) {
  const auto [layers, hidden, sequence, vocabulary] = take<4>(values);
  return Rational(2) * vocabulary * hidden + hidden * sequence + Rational(8) * hidden * layers +
         Rational(2) * hidden + Rational(12) * layers * hidden * hidden;
}

constexpr std::array kGptFlops = {
    kLayers,
    kHidden,
    kSequence,
    kVocabulary,
    kTokens,
    Parameter{"recompute", "0 or 1", "whether activations are computed again", Domain::flag, 0}};
Rational gpt_training_flops(Values values) {
  const auto [layers, hidden, sequence, vocabulary, tokens, recompute] = take<6>(values);
  const Rational layer = Rational(24) * hidden * hidden + Rational(4) * sequence * hidden;
  return tokens * ((Rational(3) + recompute) * layers * layer + Rational(4) * hidden +
                   Rational(2) * hidden * vocabulary);
}

// A step of the puzzles: a forward and a backward of a layer take 1 each for every batch.
constexpr Parameter kBatches = {"batches", "count", "B"};
constexpr Parameter kRanks = {"devices", "count", "R"};
constexpr Parameter kUpdate = {"update", "1", "time of a layer's update", Domain::not_negative};
constexpr Parameter kCollective = {"collective", "1", "time of a collective of a layer",
                                   Domain::not_negative};
constexpr Parameter kSide = {"p2p", "1", "time of a message at each end", Domain::not_negative};

constexpr std::array kStandard = {kLayers, kBatches, kUpdate};
Rational puzzle_standard(Values values) {
  const auto [layers, batches, update] = take<3>(values);
  return Rational(2) * layers * batches + update * layers;
}

constexpr std::array kShared = {kLayers, kBatches, kRanks, kUpdate, kCollective};
template <int Collectives>
Rational puzzle_data_parallel(Values values) {
  const auto [layers, batches, ranks, update, collective] = take<5>(values);
  return Rational(2) * layers * batches / ranks +
         (update + Rational(Collectives) * collective) * layers;
}

constexpr std::array kPiped = {kLayers, kBatches, kRanks, kUpdate, kSide};
Rational puzzle_pipeline(Values values) {
  const auto [layers, batches, ranks, update, side] = take<5>(values);
  return Rational(2) * layers * batches + Rational(4) * side * (ranks - Rational(1)) +
         update * layers / ranks;
}
Rational puzzle_gpipe(Values values) {
  const auto [layers, batches, ranks, update, side] = take<5>(values);
  const Rational hop = Rational(2) * side;
  return Rational(2) * (layers + hop * (ranks - Rational(1)) +
                        (batches - Rational(1)) * (layers / ranks + hop)) +
         update * layers / ranks;
}

constexpr std::array kForms = {
    ClosedForm{"glu_ffn_parameters", kGluFfn, "count", "gated MLPs: 3LDF", kScaling,
               glu_ffn_parameters},
    ClosedForm{"attention_parameters", kAttention, "count", "2LDH(N+K)", kScaling,
               attention_parameters},
    ClosedForm{"embedding_parameters", kEmbeddings, "count", "in and out: 2VD", kScaling,
               embedding_parameters},
    ClosedForm{"glu_model_parameters", kGluModel, "count", "L(3DF + 4D² + D) + 2DV", kScaling,
               glu_model_parameters},
    ClosedForm{"glu_activation_bytes", kActivations, "bytes", "2LB(D + 2F)", kScaling,
               glu_activation_bytes},
    ClosedForm{"checkpoint_bytes", kCheckpoints, "bytes", "activations kept: 2DBL·checkpoints",
               kScaling, checkpoint_bytes},
    ClosedForm{"share", kQuotient, "1", "total/parts", kScaling, share_of},
    ClosedForm{"parts_needed", kQuotient, "count", "⌈total/parts⌉", kScaling, parts_needed},
    ClosedForm{"over_all_chips", kProduct, "1", "devices · what each has", kScaling,
               over_all_chips},
    ClosedForm{"fsdp_tensor_threshold", kMixed, "tokens",
               "a device needs more for FSDP with tensor parallelism to be compute-bound: 2α²/F",
               kScaling, mixed_threshold},
    ClosedForm{"best_fsdp_ways", kFsdpWays, "count", "√(B/F · M_X/M_Y · N)", kScaling, fsdp_ways,
               "a root of at most 10^9"},
    ClosedForm{"tensor_parallel_limit", kTensorLimit, "count",
               "compute-bound up to so many ways: F/α · axes", kScaling, tensor_limit},
    ClosedForm{"arithmetic_intensity", kRoofline, "FLOP/byte",
               "C/W: tokens a device needs to be compute-bound, or a batch of bf16 weights",
               kScaling, intensity},
    ClosedForm{"critical_batch_int8", kRoofline, "tokens", "weights of a byte: C/(2W)", kScaling,
               critical_batch_int8},
    ClosedForm{"weight_read_time", kWeightRead, "s", "2·params/(devices·W)", kScaling,
               weight_read_time},
    ClosedForm{"kv_cache_bytes", kKvCache, "bytes", "of a token: 2LD·bytes", kScaling,
               kv_cache_bytes},
    ClosedForm{"array_all_gather_time", kArray, "s", "2·rows·columns/(W·shards)", kScaling,
               array_all_gather_time},
    ClosedForm{"array_all_reduce_time", kArray, "s", "4·rows·columns/(W·shards)", kScaling,
               array_all_reduce_time},
    ClosedForm{"ring_all_gather_numbers", kRingExchange, "count",
               "over one link, one way: N²(D−1)/D", kScaling, ring_all_gather_numbers},
    ClosedForm{"ring_all_to_all_numbers", kRingExchange, "count",
               "over one link, one way: half of the all-gather", kScaling,
               ring_all_to_all_numbers<2>},
    ClosedForm{"ring_all_to_all_numbers_both_ways", kRingExchange, "count",
               "over one link, both ways: a quarter of the all-gather", kScaling,
               ring_all_to_all_numbers<4>},
    ClosedForm{"shard_bytes", kSharding, "bytes", "on each device: bytes/shards", kScaling,
               shard_bytes},
    ClosedForm{"sharded_total_bytes", kSharding, "bytes", "on all devices: bytes·copies", kScaling,
               sharded_total_bytes},
    ClosedForm{"attention_crossover", kWidthOnly, "tokens",
               "sequence at which attention takes as long as the rest: 2D", kScaling,
               attention_crossover},
    ClosedForm{"gpt_parameters", kGptModel, "count", "2Vh + hs + 8hL + 2h + 12Lh²", kCookbook,
               gpt_parameters},
    ClosedForm{"gpt_training_flops", kGptFlops, "FLOP",
               "tokens·((3 or 4)·L(24h² + 4sh) + 4h + 2hV)", kCookbook, gpt_training_flops},
    ClosedForm{"puzzle_standard_time", kStandard, "1", "one device: 2LB + L·update", kPuzzles,
               puzzle_standard},
    ClosedForm{"puzzle_data_parallel_time", kShared, "1", "2LB/R + L·(update + collective)",
               kPuzzles, puzzle_data_parallel<1>},
    ClosedForm{"puzzle_fully_sharded_time", kShared, "1", "2LB/R + L·(update + 3 collectives)",
               kPuzzles, puzzle_data_parallel<3>},
    ClosedForm{"puzzle_pipeline_time", kPiped, "1", "2LB + 4·p2p·(R−1) + L/R·update", kPuzzles,
               puzzle_pipeline},
    ClosedForm{"puzzle_gpipe_time", kPiped, "1",
               "2(L + 2·p2p·(R−1) + (B−1)(L/R + 2·p2p)) + L/R·update", kPuzzles, puzzle_gpipe},
};

}  // namespace

std::span<const ClosedForm> scaling_forms() {
  return kForms;
}

}  // namespace lockstep
