// Floating-point operations of training and how well the hardware is used.
#include "cost/closed_form.h"

namespace lockstep {
namespace {

using Values = std::span<const Rational>;

constexpr std::int64_t kSecondsPerDay = 86'400;

constexpr Parameter kParams = {"params", "count", "N, parameters", Domain::positive};
constexpr Parameter kTokens = {"tokens", "tokens", "D, training tokens", Domain::positive};
constexpr Parameter kDevices = {"devices", "count", "devices"};
constexpr Parameter kPeak = {"peak", "FLOP/s", "peak of a device", Domain::positive};
constexpr Parameter kFlops = {"flops", "FLOP", "floating-point operations", Domain::not_negative};
constexpr Parameter kLayers = {"layers", "count", "L, layers"};
constexpr Parameter kHidden = {"hidden", "count", "h, width of the model"};
constexpr Parameter kSequence = {"seq", "tokens", "s, tokens in a sequence"};
constexpr Parameter kRecompute = {"full_recompute", "1", "whether activations are computed again",
                                  Domain::flag, 0};

// --- operations ---

constexpr std::array kTrainingFlops = {kParams, kTokens, kRecompute};
Rational training_flops(Values values) {
  const auto [params, tokens, recompute] = take<3>(values);
  return (Rational(6) + Rational(2) * recompute) * params * tokens;
}

constexpr std::array kAttention = {
    kLayers, kHidden, kSequence,
    Parameter{"causal", "1", "whether tokens look back only", Domain::flag, 0}};
Rational attention_flops(Values values) {
  const auto [layers, hidden, sequence, causal] = take<4>(values);
  return (Rational(12) - Rational(6) * causal) * layers * hidden * sequence;
}

constexpr std::array kFlopsPerToken = {kParams, kLayers, kHidden, kSequence};
Rational flops_per_token(Values values) {
  const auto [params, layers, hidden, sequence] = take<4>(values);
  return Rational(6) * params + Rational(12) * layers * hidden * sequence;
}

constexpr std::array kMegatronModel = {Parameter{"batch", "sequences", "B, sequences in an update"},
                                       kLayers, kHidden, kSequence,
                                       Parameter{"vocabulary", "count", "V, words"}};
Rational megatron_flops(Values values) {
  const auto [b, l, h, s, v] = take<5>(values);
  const Rational rest = Rational(1) + s / (Rational(6) * h) + v / (Rational(12) * h * l);
  return Rational(72) * b * l * s * h * h * rest;
}

// --- times ---

constexpr std::array kTrainingDays = {
    kTokens, kParams, kDevices,
    Parameter{"flops_per_device", "FLOP/s", "what a device really does", Domain::positive}};
Rational training_days(Values values) {
  const auto [tokens, params, devices, rate] = take<4>(values);
  return Rational(8) * tokens * params / (devices * rate) / Rational(kSecondsPerDay);
}

constexpr Parameter kMfu = {"mfu", "1", "used share of the peak", Domain::share};
constexpr std::array kTrainingDaysMfu = {kFlops, kDevices, kPeak, kMfu};
Rational training_days_mfu(Values values) {
  const auto [flops, devices, peak, mfu] = take<4>(values);
  return flops / (devices * peak * mfu) / Rational(kSecondsPerDay);
}

constexpr std::array kTrainingYears = {kFlops, kDevices, kPeak};
Rational training_years(Values values) {
  const auto [flops, devices, peak] = take<3>(values);
  return flops / (devices * peak) / Rational(365 * kSecondsPerDay);
}

constexpr std::array kTokenTime = {kParams, kPeak};
Rational token_ms(Values values) {
  const auto [params, peak] = take<2>(values);
  return Rational(6000) * params / peak;
}

constexpr Parameter kForward = {"forward", "s", "time of the forward pass", Domain::not_negative};
constexpr Parameter kBackward = {"backward", "s", "time of the backward pass",
                                 Domain::not_negative};
constexpr Parameter kCommunication = {"comm", "s", "communication time", Domain::not_negative};

constexpr std::array kStepTime = {
    kForward, kBackward, kCommunication,
    Parameter{"overlap", "s", "communication hidden behind computing", Domain::not_negative, 0}};
Rational step_time(Values values) {
  const auto [forward, backward, communication, overlap] = take<4>(values);
  if (overlap > minimum(forward + backward, communication)) return undefined();
  return forward + backward + communication - overlap;
}

constexpr std::array kStepTimeOverlap = {kForward, kBackward, kCommunication};
Rational step_time_full_overlap(Values values) {
  const auto [forward, backward, communication] = take<3>(values);
  return forward + maximum(backward, communication);
}

constexpr std::array kForwardOnly = {kForward};
Rational backward_time(Values values) {
  return Rational(2) * values[0];
}
Rational pass_time(Values values) {
  return values[0] + backward_time(values);
}

constexpr std::array kRelativeGain = {
    Parameter{"before", "s", "time of a step before", Domain::not_negative},
    Parameter{"after", "s", "time of a step after", Domain::positive}};
Rational relative_gain(Values values) {
  const auto [before, after] = take<2>(values);
  return before / after - Rational(1);
}

// --- utilisation ---

constexpr std::array kMfuPalm = {
    Parameter{"tokens_per_s", "tokens/s", "tokens of all devices in a second", Domain::positive},
    kParams,
    kLayers,
    kHidden,
    kSequence,
    kDevices,
    kPeak};
Rational mfu_palm(Values values) {
  const Rational rate = values[0];
  const Rational peak = values[5] * values[6];
  return rate * flops_per_token(values.subspan(1, 4)) / peak;
}

constexpr std::array kMfuMegatron = {
    kMegatronModel[0],
    kLayers,
    kHidden,
    kSequence,
    kMegatronModel[4],
    kDevices,
    kPeak,
    Parameter{"step_time", "s", "time of a step", Domain::positive}};
Rational mfu_megatron(Values values) {
  return megatron_flops(values.first(5)) / (values[5] * values[6] * values[7]);
}

constexpr std::array kMfuHours = {
    kParams, kTokens, Parameter{"device_hours", "h", "hours of all devices", Domain::positive},
    kPeak};
Rational mfu_device_hours(Values values) {
  const auto [params, tokens, hours, peak] = take<4>(values);
  return Rational(6) * params * tokens / (hours * Rational(3600) * peak);
}

constexpr std::string_view kScaling = "Kaplan et al. 2020";
constexpr std::string_view kMegatron = "Narayanan et al. 2021";
constexpr std::string_view kPalm = "Chowdhery et al. 2022 (PaLM)";

constexpr std::array kForms = {
    ClosedForm{"training_flops", kTrainingFlops, "FLOP",
               "6ND; 8ND when activations are computed again", kScaling, training_flops},
    ClosedForm{"attention_flops", kAttention, "FLOP",
               "of a token beside 6N: 12·L·h·s, causal half of it", kPalm, attention_flops},
    ClosedForm{"flops_per_token", kFlopsPerToken, "FLOP", "6N + 12·L·h·s", kPalm, flops_per_token},
    ClosedForm{"megatron_flops", kMegatronModel, "FLOP",
               "of an update: 72·B·L·s·h²(1 + s/(6h) + V/(12hL))", kMegatron, megatron_flops},
    ClosedForm{"training_days", kTrainingDays, "days",
               "with recomputation: 8·tokens·parameters/(devices·rate)", kMegatron, training_days},
    ClosedForm{"training_days_mfu", kTrainingDaysMfu, "days",
               "operations/(devices·peak·used share)", "scaling-book", training_days_mfu},
    ClosedForm{"training_years", kTrainingYears, "years",
               "operations/(devices·peak), 365 days a year", "scaling-book", training_years},
    ClosedForm{"token_ms", kTokenTime, "ms", "one token on one device at its peak: 6N/peak",
               "scaling-book", token_ms},
    ClosedForm{"step_time", kStepTime, "s", "forward + backward + communication − overlap",
               "scaling-book", step_time, "an overlap of at most comm and forward + backward"},
    ClosedForm{"step_time_full_overlap", kStepTimeOverlap, "s",
               "buckets sent while the backward runs: forward + max(backward, communication)",
               "Li et al. 2020 (PyTorch DDP)", step_time_full_overlap},
    ClosedForm{"backward_time", kForwardOnly, "s", "twice the forward", kScaling, backward_time},
    ClosedForm{"pass_time", kForwardOnly, "s", "forward and backward: three forwards", kScaling,
               pass_time},
    ClosedForm{"relative_gain", kRelativeGain, "1", "before/after − 1", "Korthikanti et al. 2022",
               relative_gain},
    ClosedForm{"mfu_palm", kMfuPalm, "1", "tokens/s · (6N + 12·L·h·s)/(devices·peak)", kPalm,
               mfu_palm},
    ClosedForm{"mfu_megatron", kMfuMegatron, "1", "megatron_flops/(devices·peak·step time)",
               "Korthikanti et al. 2022", mfu_megatron},
    ClosedForm{"mfu_device_hours", kMfuHours, "1", "6ND/(device hours·3600·peak)", "scaling-book",
               mfu_device_hours},
};

}  // namespace

std::span<const ClosedForm> compute_forms() {
  return kForms;
}

}  // namespace lockstep
