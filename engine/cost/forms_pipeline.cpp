// Pipelines of balanced stages without communication time. Three measures of the bubble are in use;
// each row names its own. A backward is the full one unless it says input or weight.
#include "cost/closed_form.h"

namespace lockstep {
namespace {

using Values = std::span<const Rational>;

constexpr Parameter kStages = {"stages", "count", "p, pipeline stages, one a device"};
constexpr Parameter kMicrobatches = {"microbatches", "count", "m, microbatches per update"};
constexpr Parameter kChunks = {"chunks", "count", "v, model chunks a device", Domain::count, 1};
constexpr Parameter kForward = {"forward", "s", "forward of a microbatch on a stage",
                                Domain::not_negative};
constexpr Parameter kBackward = {"backward", "s", "full backward of a microbatch on a stage",
                                 Domain::not_negative};
constexpr Parameter kBackwardInput = {"backward_input", "s", "its input-gradient part",
                                      Domain::not_negative};
constexpr Parameter kBackwardWeight = {"backward_weight", "s", "its weight-gradient part",
                                       Domain::not_negative};

// --- shares of the time ---

constexpr std::array kBubble = {kStages, kMicrobatches, kChunks};
Rational bubble_of_ideal(Values values) {
  const auto [p, m, v] = take<3>(values);
  return (p - Rational(1)) / (m * v);
}
/// x/(1 + x) of the share x of the ideal.
Rational pipeline_bubble(Values values) {
  const Rational of_ideal = bubble_of_ideal(values);
  return of_ideal / (Rational(1) + of_ideal);
}
Rational pipeline_utilisation(Values values) {
  return Rational(1) - pipeline_bubble(values);
}

constexpr std::array kMinMicrobatches = {
    kStages, Parameter{"bubble", "1", "largest idle share of the total", Domain::share}};
Rational min_microbatches(Values values) {
  const auto [p, share] = take<2>(values);
  const Rational enough = ceil((p - Rational(1)) * (Rational(1) - share) / share);
  return maximum(enough, Rational(1));
}

constexpr std::array kMicrobatchesFromBatch = {
    Parameter{"global_batch", "sequences", "sequences in an update"},
    Parameter{"devices", "count", "data-parallel replicas"},
    Parameter{"micro_batch", "sequences", "sequences in a microbatch"}};
Rational microbatches_from_batch(Values values) {
  const auto [global, replicas, micro] = take<3>(values);
  return only_whole(global / (replicas * micro));
}

// --- times ---

constexpr std::array kFullBackward = {kBackwardInput, kBackwardWeight};
Rational full_backward(Values values) {
  const auto [input, weight] = take<2>(values);
  return input + weight;
}

constexpr std::array kBubbleTime = {kStages, kForward, kBackward, kChunks};
Rational bubble_time(Values values) {
  const auto [p, forward, backward, v] = take<4>(values);
  return (p - Rational(1)) * (forward + backward) / v;
}

constexpr std::array kPipelineTime = {kStages, kMicrobatches, kForward, kBackward, kChunks};
Rational pipeline_time(Values values) {
  const auto [p, m, forward, backward, v] = take<5>(values);
  return (m + (p - Rational(1)) / v) * (forward + backward);
}

constexpr std::array kHalves = {kStages, kForward, kBackwardInput, kBackwardWeight};
Rational zb_h1_bubble_time(Values values) {
  const auto [p, forward, input, weight] = take<4>(values);
  return (p - Rational(1)) * (forward + input - weight);
}
Rational zb_h2_bubble_time(Values values) {
  const auto [p, forward, input, weight] = take<4>(values);
  return (p - Rational(1)) * (forward + input - Rational(2) * weight);
}

constexpr std::array kFullAndWeight = {kStages, kForward, kBackward, kBackwardWeight};
Rational zb1p_bubble_time(Values values) {
  const auto [p, forward, backward, weight] = take<4>(values);
  return (p - Rational(1)) * (forward + backward - Rational(2) * weight);
}

constexpr std::array kDualPipe = {
    kStages,
    Parameter{"forward_backward", "s", "a forward and a backward that overlap",
              Domain::not_negative},
    kBackward, kBackwardWeight};
Rational dualpipe_bubble_time(Values values) {
  const auto [p, pair, backward, weight] = take<4>(values);
  const Rational half = only_whole(p / Rational(2));
  return (half - Rational(1)) * (pair + backward - Rational(3) * weight);
}

// --- activations in flight, in microbatches of one stage ---

constexpr std::array kMicrobatchesOnly = {kMicrobatches};
Rational gpipe_in_flight(Values values) {
  return values[0];
}

constexpr std::array kOneFOneBInFlight = {
    kStages, kMicrobatches, Parameter{"rank", "count", "r, the device, from 0", Domain::whole, 0}};
Rational one_f_one_b_in_flight(Values values) {
  const auto [p, m, rank] = take<3>(values);
  if (rank >= p) return undefined();
  return minimum(m, p - rank);
}

constexpr std::array kStagesOnly = {kStages};
Rational zb_h1_in_flight(Values values) {
  return values[0];
}
Rational zb_h2_in_flight(Values values) {
  return Rational(2) * values[0] - Rational(1);
}
Rational dualpipe_in_flight(Values values) {
  if (!(values[0] / Rational(2)).is_whole()) return undefined();
  return values[0] + Rational(1);
}
Rational dualpipe_parameters(Values) {
  return 2;
}

// --- messages between stages ---

constexpr std::array kBoundaryMessage = {
    Parameter{"micro_batch", "sequences", "b, sequences in a microbatch"},
    Parameter{"seq", "tokens", "s, tokens in a sequence"},
    Parameter{"hidden", "count", "h, width of the model"},
    Parameter{"element_bytes", "bytes", "bytes of a number", Domain::count, 2}};
Rational boundary_message_bytes(Values values) {
  const auto [b, s, h, bytes] = take<4>(values);
  return b * s * h * bytes;
}

Rational boundary_messages(Values values) {
  return Rational(2) * values[0];
}

constexpr std::array kBoundaryBytes = {kMicrobatches, kBoundaryMessage[0], kBoundaryMessage[1],
                                       kBoundaryMessage[2], kBoundaryMessage[3]};
Rational boundary_bytes(Values values) {
  return boundary_messages(values) * boundary_message_bytes(values.subspan(1));
}

constexpr std::array kBoundaries = {kStages, kChunks};
Rational boundaries(Values values) {
  const auto [p, v] = take<2>(values);
  return p * v - Rational(1);
}
Rational boundaries_ratio(Values values) {
  return boundaries(values) / (values[0] - Rational(1));
}

constexpr std::string_view kZeroBubble = "Qi et al. 2023 (Zero Bubble)";
constexpr std::string_view kMegatron = "Narayanan et al. 2021";
constexpr std::string_view kDeepSeek = "DeepSeek DualPipe README";

constexpr std::array kForms = {
    ClosedForm{
        "pipeline_bubble", kBubble, "1",
        "idle share of the total time, GPipe and 1F1B: (p−1)/(m+p−1); chunks: (p−1)/(mv+p−1)",
        "Huang et al. 2019 (GPipe)", pipeline_bubble},
    ClosedForm{"pipeline_bubble_of_ideal", kBubble, "1",
               "idle time over the ideal time, GPipe and 1F1B: (p−1)/m; with chunks (p−1)/(mv)",
               kMegatron, bubble_of_ideal},
    ClosedForm{"pipeline_utilisation", kBubble, "1",
               "working share of the total time: 1 − pipeline_bubble", "Huang et al. 2019 (GPipe)",
               pipeline_utilisation},
    ClosedForm{"min_microbatches", kMinMicrobatches, "count",
               "fewest microbatches for an idle share x of the total: ⌈(p−1)(1−x)/x⌉",
               "from pipeline_bubble", min_microbatches},
    ClosedForm{"microbatches_from_batch", kMicrobatchesFromBatch, "count",
               "m = global batch/(replicas · micro batch)", kMegatron, microbatches_from_batch,
               "a batch divisible by devices · micro_batch"},
    ClosedForm{"full_backward", kFullBackward, "s", "input part + weight part", kZeroBubble,
               full_backward},
    ClosedForm{"pipeline_time", kPipelineTime, "s",
               "total of GPipe and 1F1B: (m+p−1)(F+B); with chunks (m+(p−1)/v)(F+B)", kMegatron,
               pipeline_time},
    ClosedForm{"pipeline_bubble_time", kBubbleTime, "s",
               "idle time of a device, GPipe and 1F1B: (p−1)(F+B); with chunks over v", kMegatron,
               bubble_time},
    ClosedForm{"zb_h1_bubble_time", kHalves, "s",
               "(p−1)(F+I−W), B being the input part I as in the paper", kZeroBubble,
               zb_h1_bubble_time},
    ClosedForm{"zb_h2_bubble_time", kHalves, "s", "(p−1)(F+I−2W) in the longest device's own span",
               kZeroBubble, zb_h2_bubble_time},
    ClosedForm{"zb1p_bubble_time", kFullAndWeight, "s",
               "(p−1)(F+B−2W), B being the full backward: the same time as zb_h1", kDeepSeek,
               zb1p_bubble_time},
    ClosedForm{"dualpipe_bubble_time", kDualPipe, "s",
               "(p/2−1)(FB+B−3W), B being the full backward", kDeepSeek, dualpipe_bubble_time,
               "an even number of stages"},
    ClosedForm{"gpipe_in_flight", kMicrobatchesOnly, "microbatches",
               "activations kept on every stage: m", "Huang et al. 2019 (GPipe)", gpipe_in_flight},
    ClosedForm{"one_f_one_b_in_flight", kOneFOneBInFlight, "microbatches",
               "activations kept on device r: min(m, p−r)", kMegatron, one_f_one_b_in_flight,
               "a rank below the number of stages"},
    ClosedForm{"zb_h1_in_flight", kStagesOnly, "microbatches", "activations kept until W, m ≥ p: p",
               kZeroBubble, zb_h1_in_flight},
    ClosedForm{"zb_h2_in_flight", kStagesOnly, "microbatches",
               "activations kept until W, m ≥ 2p−1: 2p−1", kZeroBubble, zb_h2_in_flight},
    ClosedForm{"dualpipe_in_flight", kStagesOnly, "microbatches", "activations kept: p+1",
               kDeepSeek, dualpipe_in_flight, "an even number of stages"},
    ClosedForm{"dualpipe_parameter_copies",
               {},
               "count",
               "every device holds two stages' parameters: 2",
               kDeepSeek,
               dualpipe_parameters},
    ClosedForm{"boundary_message_bytes", kBoundaryMessage, "bytes",
               "one activation, or its gradient, between two stages: b·s·h·bytes", kMegatron,
               boundary_message_bytes},
    ClosedForm{"boundary_messages", kMicrobatchesOnly, "count",
               "messages over one boundary in an update: 2m", kMegatron, boundary_messages},
    ClosedForm{"boundary_bytes", kBoundaryBytes, "bytes",
               "bytes over one boundary in an update: 2m·b·s·h·bytes", kMegatron, boundary_bytes},
    ClosedForm{"pipeline_boundaries", kBoundaries, "count", "boundaries between chunks: pv−1",
               kMegatron, boundaries},
    ClosedForm{"pipeline_boundaries_ratio", kBoundaries, "1",
               "traffic of interleaving against one chunk a device: (pv−1)/(p−1)", kMegatron,
               boundaries_ratio},
};

}  // namespace

std::span<const ClosedForm> pipeline_forms() {
  return kForms;
}

}  // namespace lockstep
