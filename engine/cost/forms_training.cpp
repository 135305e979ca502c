#include "cost/closed_form.h"

namespace lockstep {
namespace {

using Values = std::span<const Rational>;

constexpr Parameter kDevices = {"devices", "count", "data-parallel devices (replicas)"};
constexpr Parameter kAccumulation = {"accum", "count", "passes accumulated before an update"};
constexpr Parameter kSequence = {"seq", "tokens", "tokens in a sequence"};
constexpr Parameter kMicroBatch = {"micro_batch", "sequences", "sequences in a pass of a replica"};
constexpr Parameter kWorld = {"world", "count", "all devices"};
constexpr Parameter kTensor = {"tp", "count", "tensor-parallel degree", Domain::count, 1};
constexpr Parameter kPipeline = {"pp", "count", "pipeline-parallel degree", Domain::count, 1};
constexpr Parameter kContext = {"cp", "count", "context-parallel degree", Domain::count, 1};

/// Replicas of the model: expert parallelism lies inside them and is no factor.
Rational replicas(const Rational& world, const Rational& tp, const Rational& pp,
                  const Rational& cp) {
  return only_whole(world / (tp * pp * cp));
}

// --- tokens and steps ---

constexpr std::array kGlobalTokens = {
    Parameter{"per_device_batch", "sequences", "sequences in a pass of one device"}, kSequence,
    kAccumulation, kDevices};
Rational global_tokens(Values values) {
  const auto [batch, sequence, passes, devices] = take<4>(values);
  return batch * sequence * passes * devices;
}

constexpr std::array kDataParallelDegree = {kWorld, kTensor, kPipeline, kContext};
Rational data_parallel_degree(Values values) {
  const auto [world, tp, pp, cp] = take<4>(values);
  return replicas(world, tp, pp, cp);
}

constexpr std::array kTokensPerUpdate = {kMicroBatch, kSequence, kAccumulation, kWorld,
                                         kTensor,     kPipeline, kContext};
Rational tokens_per_update(Values values) {
  const auto [batch, sequence, passes, world, tp, pp, cp] = take<7>(values);
  return batch * sequence * passes * replicas(world, tp, pp, cp);
}

constexpr std::array kAccumulationSteps = {
    Parameter{"global_batch", "sequences", "sequences in an update"},
    kMicroBatch,
    kWorld,
    kTensor,
    kPipeline,
    kContext};
Rational accumulation_steps(Values values) {
  const auto [global, micro, world, tp, pp, cp] = take<6>(values);
  return only_whole(global / (micro * replicas(world, tp, pp, cp)));
}

constexpr std::array kOptimizerSteps = {
    Parameter{"total_tokens", "tokens", "tokens of the whole training"},
    Parameter{"tokens_per_update", "tokens", "tokens in an update"}};
Rational optimizer_steps(Values values) {
  const auto [total, per_update] = take<2>(values);
  return total / per_update;
}

constexpr std::array kUpdatesPerEpoch = {
    Parameter{"dataset", "sequences", "sequences in the data set"},
    Parameter{"train_batch", "sequences", "sequences in an update"}};
Rational updates_per_epoch(Values values) {
  const auto [dataset, batch] = take<2>(values);
  return dataset / batch;
}

constexpr std::array kPerDeviceBatch = {
    Parameter{"train_batch", "sequences", "sequences in an update"}, kDevices,
    Parameter{"accum", "count", "passes accumulated before an update", Domain::count, 1}};
Rational per_device_batch(Values values) {
  const auto [batch, devices, passes] = take<3>(values);
  return only_whole(batch / (devices * passes));
}

constexpr std::array kLinearLearningRate = {
    Parameter{"base_lr", "1", "learning rate that suits the base batch", Domain::positive},
    Parameter{"per_rank_batch", "sequences", "sequences in an update of one device"},
    Parameter{"ranks", "count", "devices"},
    Parameter{"lr_base_for", "sequences", "the base batch"}};
Rational linear_learning_rate(Values values) {
  const auto [rate, batch, ranks, base] = take<4>(values);
  return rate * batch * ranks / base;
}

constexpr std::array kAccumulationSumRatio = {
    Parameter{"accum", "count", "passes accumulated"},
    Parameter{"accum_before", "count", "passes accumulated in what it is compared with"}};
Rational accumulation_sum_ratio(Values values) {
  const auto [passes, before] = take<2>(values);
  return passes / before;
}

// --- speedup ---

constexpr Parameter kSingleTime = {"t_single", "s", "time of a pass on one device",
                                   Domain::not_negative};
constexpr Parameter kComputeTime = {"t_compute", "s", "computing time with all devices",
                                    Domain::not_negative};
constexpr Parameter kCommunicationTime = {"t_comm", "s", "communication time",
                                          Domain::not_negative};

constexpr std::array kSpeedup = {
    kSingleTime, kComputeTime, kCommunicationTime,
    Parameter{"overlap", "s", "communication hidden behind computing", Domain::not_negative, 0}};
Rational speedup(Values values) {
  const auto [single, computing, communication, overlap] = take<4>(values);
  if (overlap > minimum(computing, communication)) return undefined();
  return single / (computing + communication - overlap);
}

constexpr std::array kSpeedupFullOverlap = {kSingleTime, kComputeTime, kCommunicationTime};
Rational speedup_full_overlap(Values values) {
  const auto [single, computing, communication] = take<3>(values);
  return single / maximum(computing, communication);
}

constexpr Parameter kSpeedupGiven = {"speedup", "1", "measured speedup", Domain::positive};
constexpr std::array kEfficiency = {kSpeedupGiven, kDevices};
Rational efficiency(Values values) {
  const auto [ratio, devices] = take<2>(values);
  return ratio / devices;
}

constexpr std::array kParallelFraction = {
    Parameter{"parallel_fraction", "1", "share of the run that can be spread", Domain::share},
    kDevices};
Rational amdahl(Values values) {
  const auto [fraction, devices] = take<2>(values);
  return Rational(1) / (Rational(1) - fraction + fraction / devices);
}
Rational gustafson(Values values) {
  const auto [fraction, devices] = take<2>(values);
  return Rational(1) - fraction + fraction * devices;
}

Rational karp_flatt(Values values) {
  const auto [ratio, devices] = take<2>(values);
  if (devices == Rational(1)) return undefined();
  return (Rational(1) / ratio - Rational(1) / devices) / (Rational(1) - Rational(1) / devices);
}

constexpr std::string_view kReplicasWhole = "world divisible by tp·pp·cp";

constexpr std::array kForms = {
    ClosedForm{"global_tokens", kGlobalTokens, "tokens",
               "token positions per optimizer update: batch · length · passes · devices",
               "LightMySky lesson", global_tokens},
    ClosedForm{"data_parallel_degree", kDataParallelDegree, "count",
               "replicas of the model: world/(tp·pp·cp)", "Megatron-LM parallel_state",
               data_parallel_degree, kReplicasWhole},
    ClosedForm{"tokens_per_update", kTokensPerUpdate, "tokens",
               "token positions per optimizer update: batch · length · passes · world/(tp·pp·cp)",
               "DeepSpeed #5410", tokens_per_update, kReplicasWhole},
    ClosedForm{"accumulation_steps", kAccumulationSteps, "count",
               "passes to accumulate: global batch/(micro batch · replicas)", "DeepSpeed #5410",
               accumulation_steps, "a whole number of replicas and of passes"},
    ClosedForm{"optimizer_steps", kOptimizerSteps, "updates",
               "updates of a training: tokens/tokens per update, not rounded", "LightMySky lesson",
               optimizer_steps},
    ClosedForm{"updates_per_epoch", kUpdatesPerEpoch, "updates",
               "updates of a pass over the data: data set/batch, not rounded",
               "DeepSpeed configuration", updates_per_epoch},
    ClosedForm{"per_device_batch", kPerDeviceBatch, "sequences",
               "sequences in a pass of one device: batch/(devices · passes)",
               "DeepSpeed configuration", per_device_batch, "a batch divisible by devices · accum"},
    ClosedForm{"linear_lr", kLinearLearningRate, "1",
               "learning rate in proportion to the total batch: base · batch · ranks/base batch",
               "Goyal et al. 2017", linear_learning_rate},
    ClosedForm{"accumulation_sum_ratio", kAccumulationSumRatio, "1",
               "how many times larger the gradient is when passes are summed, not averaged",
               "DeepSpeed #7773", accumulation_sum_ratio},
    ClosedForm{"speedup", kSpeedup, "1", "t_single/(t_compute + t_comm − overlap)",
               "LightMySky lesson", speedup, "an overlap of at most t_compute and t_comm"},
    ClosedForm{"speedup_full_overlap", kSpeedupFullOverlap, "1",
               "t_single/max(t_compute, t_comm): all that can be hidden is", "scaling-book",
               speedup_full_overlap},
    ClosedForm{"efficiency", kEfficiency, "1", "speedup/devices", "textbook", efficiency},
    ClosedForm{"amdahl", kParallelFraction, "1", "speedup at a fixed size: 1/((1−f) + f/N)",
               "Amdahl 1967", amdahl},
    ClosedForm{"gustafson", kParallelFraction, "1",
               "speedup at a size that grows with the devices: (1−f) + f·N", "Gustafson 1988",
               gustafson},
    ClosedForm{"karp_flatt", kEfficiency, "1",
               "serial fraction from a measured speedup: (1/S − 1/N)/(1 − 1/N)",
               "Karp and Flatt 1990", karp_flatt, "more than one device"},
};

}  // namespace

std::span<const ClosedForm> training_forms() {
  return kForms;
}

}  // namespace lockstep
