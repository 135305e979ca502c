// What a device has to hold. GB are 10^9 bytes, GiB 2^30.
#include "cost/closed_form.h"

namespace lockstep {
namespace {

using Values = std::span<const Rational>;

constexpr Parameter kParams = {"params", "count", "Ψ, parameters", Domain::positive};
constexpr Parameter kDevices = {"devices", "count", "N, data-parallel devices"};
constexpr Parameter kParamBytes = {"param_bytes", "bytes", "bytes of a parameter",
                                   Domain::not_negative, 2};
constexpr Parameter kGradBytes = {"grad_bytes", "bytes", "bytes of a gradient",
                                  Domain::not_negative, 2};
constexpr Parameter kOptimizerBytes = {"optimizer_bytes", "bytes",
                                       "bytes of optimizer state a parameter: master, two moments",
                                       Domain::not_negative, 12};
constexpr Parameter kBytesPerParam = {"bytes_per_param", "bytes", "all state of a parameter",
                                      Domain::positive};
constexpr Parameter kTensor = {"tp", "count", "tensor-parallel degree", Domain::count, 1};
constexpr Parameter kPipeline = {"pp", "count", "pipeline-parallel degree", Domain::count, 1};

// --- units ---

constexpr std::array kBytes = {Parameter{"bytes", "bytes", "a size", Domain::not_negative}};
Rational bytes_to_mib(Values values) {
  return values[0] / Rational(std::int64_t{1} << 20);
}
Rational bytes_to_gib(Values values) {
  return values[0] / Rational(std::int64_t{1} << 30);
}

// --- model state ---

constexpr std::array kBytesPerParameter = {
    Parameter{"weights", "bytes", "of a weight", Domain::not_negative},
    Parameter{"gradients", "bytes", "of a gradient", Domain::not_negative},
    Parameter{"master", "bytes", "of a float32 master copy", Domain::not_negative, 0},
    Parameter{"momentum", "bytes", "of the first moment", Domain::not_negative, 0},
    Parameter{"variance", "bytes", "of the second moment", Domain::not_negative, 0}};
Rational bytes_per_parameter(Values values) {
  Rational sum = 0;
  for (const Rational& value : values) sum += value;
  return sum;
}

constexpr std::array kModelState = {kParams, kBytesPerParam};
Rational model_state(Values values) {
  const auto [params, bytes] = take<2>(values);
  return params * bytes;
}

constexpr std::array kLargestModel = {
    Parameter{"memory", "bytes", "memory of a device", Domain::positive}, kBytesPerParam,
    Parameter{"devices", "count", "N, devices that share the state", Domain::count, 1}};
Rational largest_model(Values values) {
  const auto [memory, bytes, devices] = take<3>(values);
  return memory * devices / bytes;
}

constexpr std::array kZeroState = {kParams, kDevices, kParamBytes, kGradBytes, kOptimizerBytes};
Rational zero_0_state(Values values) {
  const auto [params, n, a, b, k] = take<5>(values);
  return (a + b + k) * params;
}
Rational zero_1_state(Values values) {
  const auto [params, n, a, b, k] = take<5>(values);
  return (a + b + k / n) * params;
}
Rational zero_2_state(Values values) {
  const auto [params, n, a, b, k] = take<5>(values);
  return (a + (b + k) / n) * params;
}
Rational zero_3_state(Values values) {
  return zero_0_state(values) / values[1];
}

constexpr std::array kShardGradient = {kParams, kGradBytes, kTensor, kPipeline};
Rational model_parallel_gradient(Values values) {
  const auto [params, bytes, tp, pp] = take<4>(values);
  return params * bytes / (tp * pp);
}

constexpr std::array kShardParameters = {kParams, kParamBytes,
                                         Parameter{"world", "count", "all devices"}};
Rational zero_3_parameters(Values values) {
  const auto [params, bytes, world] = take<3>(values);
  return params * bytes / world;
}

// --- traffic of ZeRO, the factor (N−1)/N left out unless a row says otherwise ---

constexpr Parameter kZeroStage = {"stage", "count", "ZeRO stage, 0 to 3", Domain::whole};
constexpr std::array kZeroTraffic = {kZeroStage, kParams};
Rational zero_traffic(Values values) {
  const auto [stage, params] = take<2>(values);
  if (stage > Rational(3)) return undefined();
  return (stage == Rational(3) ? Rational(3) : Rational(2)) * params;
}

constexpr std::array kZeroTrafficBytes = {kZeroStage, kParams, kParamBytes};
Rational zero_traffic_bytes(Values values) {
  return zero_traffic(values) * values[2];
}

constexpr std::array kZeroStageOnly = {kZeroStage};
Rational zero_traffic_ratio(Values values) {
  const std::array with_one_parameter = {values[0], Rational(1)};
  return zero_traffic(with_one_parameter) / Rational(2);
}

constexpr std::array kZero3Traffic = {kParams, kDevices, kParamBytes};
Rational zero_3_traffic_bytes(Values values) {
  const auto [params, n, bytes] = take<3>(values);
  return Rational(3) * (n - Rational(1)) / n * params * bytes;
}

constexpr std::array kParamsOnly = {kParams};
Rational all_reduce_then_all_gather(Values values) {
  return Rational(3) * values[0];
}

Rational all_reduce_then_all_gather_ratio(Values) {
  return Rational(3, 2);
}

// --- DeepSpeed's estimators ---

constexpr std::array kDeepSpeed2 = {
    kParams, kDevices,
    Parameter{"offload", "1", "whether the optimizer lives in CPU memory", Domain::flag, 0}};
Rational deepspeed_zero2(Values values) {
  const auto [params, n, offload] = take<3>(values);
  if (offload == Rational(1)) return Rational(2) * params;
  return Rational(4) * params + Rational(16) * params / n;
}

constexpr std::array kDeepSpeed3 = {
    kParams,
    Parameter{"largest_layer", "count", "parameters of the largest layer", Domain::positive},
    kDevices,
    Parameter{"offload_optimizer", "1", "whether the optimizer lives in CPU memory", Domain::flag,
              0},
    Parameter{"offload_params", "1", "whether the parameters do, too", Domain::flag, 0}};
Rational deepspeed_zero3(Values values) {
  const auto [params, largest, n, offload_optimizer, offload_params] = take<5>(values);
  if (offload_params > offload_optimizer) return undefined();
  const Rational shard_bytes = offload_params == Rational(1)      ? Rational(0)
                               : offload_optimizer == Rational(1) ? Rational(2)
                                                                  : Rational(18);
  return Rational(4) * largest + shard_bytes * params / n;
}

constexpr std::string_view kZero = "Rajbhandari et al. 2020 (ZeRO)";
constexpr std::string_view kEstimator = "DeepSpeed memory estimators";

constexpr std::array kForms = {
    ClosedForm{"bytes_to_mib", kBytes, "MiB", "bytes/2^20", "IEC 80000-13", bytes_to_mib},
    ClosedForm{"bytes_to_gib", kBytes, "GiB", "bytes/2^30", "IEC 80000-13", bytes_to_gib},
    ClosedForm{"bytes_per_parameter", kBytesPerParameter, "bytes",
               "state of one parameter: the sum of its parts", kZero, bytes_per_parameter},
    ClosedForm{"model_state", kModelState, "bytes",
               "state of a whole model: parameters · bytes; replicas do not change it", kZero,
               model_state},
    ClosedForm{"largest_model", kLargestModel, "count",
               "parameters that fit: memory · devices/bytes", kZero, largest_model},
    ClosedForm{"zero_0_state", kZeroState, "bytes", "on each device, nothing sharded: (a+b+K)Ψ",
               kZero, zero_0_state},
    ClosedForm{"zero_1_state", kZeroState, "bytes", "on each device, optimizer sharded: (a+b+K/N)Ψ",
               kZero, zero_1_state},
    ClosedForm{"zero_2_state", kZeroState, "bytes", "on each device, gradients too: (a+(b+K)/N)Ψ",
               kZero, zero_2_state},
    ClosedForm{"zero_3_state", kZeroState, "bytes", "on each device, parameters too: (a+b+K)/N·Ψ",
               kZero, zero_3_state},
    ClosedForm{"model_parallel_gradient", kShardGradient, "bytes",
               "gradient on each device up to ZeRO 1: Ψ·bytes/(tp·pp)", kZero,
               model_parallel_gradient},
    ClosedForm{"zero_3_parameters", kShardParameters, "bytes",
               "parameters on each device: Ψ·bytes/world", kZero, zero_3_parameters},
    ClosedForm{"zero_traffic", kZeroTraffic, "elements",
               "moved by each device, for (N−1)/N ≈ 1: 2Ψ, with stage 3 3Ψ", kZero, zero_traffic,
               "a stage of 0 to 3"},
    ClosedForm{"zero_traffic_bytes", kZeroTrafficBytes, "bytes",
               "moved by each device, for (N−1)/N ≈ 1: 2Ψ or 3Ψ times the bytes of a parameter",
               kZero, zero_traffic_bytes, "a stage of 0 to 3"},
    ClosedForm{"zero_traffic_ratio", kZeroStageOnly, "1",
               "against plain data parallelism: 1, with stage 3 3/2", kZero, zero_traffic_ratio,
               "a stage of 0 to 3"},
    ClosedForm{"zero_3_traffic_bytes", kZero3Traffic, "bytes",
               "moved by each device, exactly: 3(N−1)/N·Ψ·bytes", kZero, zero_3_traffic_bytes},
    ClosedForm{"all_reduce_then_all_gather", kParamsOnly, "elements",
               "ZeRO 1 done wastefully, all-reduce and all-gather: 3Ψ where 2Ψ suffice", kZero,
               all_reduce_then_all_gather},
    ClosedForm{"all_reduce_then_all_gather_ratio",
               {},
               "1",
               "that waste against ZeRO 1: 3/2",
               kZero,
               all_reduce_then_all_gather_ratio},
    ClosedForm{"deepspeed_zero2", kDeepSpeed2, "bytes", "4Ψ+16Ψ/N; with the optimizer offloaded 2Ψ",
               kEstimator, deepspeed_zero2},
    ClosedForm{"deepspeed_zero3", kDeepSpeed3, "bytes",
               "4·largest layer + 18Ψ/N; optimizer offloaded 2Ψ/N; parameters too, nothing",
               kEstimator, deepspeed_zero3,
               "an offloaded optimizer where parameters are offloaded"},
};

}  // namespace

std::span<const ClosedForm> memory_forms() {
  return kForms;
}

}  // namespace lockstep
