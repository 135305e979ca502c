// The latency-bandwidth model: a step takes α plus its bytes over the bandwidth; adding numbers is
// free. S is the size of the whole vector, N the number of devices, lg the logarithm to base 2
// rounded up.
#include "cost/closed_form.h"

namespace lockstep {
namespace {

using Values = std::span<const Rational>;

constexpr Parameter kDevices = {"devices", "count", "devices that take part"};
constexpr Parameter kBytes = {"bytes", "bytes", "size of the whole vector", Domain::not_negative};
constexpr Parameter kLatency = {"latency", "s", "α, time of a message of no bytes",
                                Domain::not_negative};
constexpr Parameter kBandwidth = {"bandwidth", "bytes/s", "of a device's link, one direction",
                                  Domain::positive};
constexpr Parameter kTime = {"time", "s", "measured time of the collective", Domain::positive};

constexpr std::array kSteps = {kDevices};
constexpr std::array kVolume = {kDevices, kBytes};
constexpr std::array kDuration = {kDevices, kBytes, kLatency, kBandwidth};

Rational ceil_log2(const Rational& n) {
  Rational exponent = 0;
  for (Rational reached = 1; reached < n; reached *= Rational(2)) exponent += Rational(1);
  return exponent;
}

/// A function of the number of devices.
using OfDevices = Rational (*)(const Rational& n);

Rational none(const Rational&) {
  return 0;
}
Rational logarithm(const Rational& n) {
  return ceil_log2(n);
}
Rational twice_logarithm(const Rational& n) {
  return Rational(2) * ceil_log2(n);
}
Rational all_but_one(const Rational& n) {
  return n - Rational(1);
}
Rational twice_all_but_one(const Rational& n) {
  return Rational(2) * (n - Rational(1));
}
Rational logarithm_and_all_but_one(const Rational& n) {
  return ceil_log2(n) + n - Rational(1);
}
Rational share_of_others(const Rational& n) {
  return (n - Rational(1)) / n;
}
Rational twice_share_of_others(const Rational& n) {
  return Rational(2) * (n - Rational(1)) / n;
}
Rational in_network_factor(const Rational& n) {
  return (n - Rational(1)) / (n + Rational(1));
}
Rational one(const Rational&) {
  return 1;
}

template <OfDevices Count>
Rational of_devices(Values values) {
  return Count(values[0]);
}

/// Bytes that each device sends, or time spent on them, in units of S.
template <OfDevices Vectors>
Rational volume(Values values) {
  const auto [devices, bytes] = take<2>(values);
  return Vectors(devices) * bytes;
}

template <OfDevices Steps, OfDevices Vectors>
Rational duration(Values values) {
  const auto [devices, bytes, latency, bandwidth] = take<4>(values);
  return Steps(devices) * latency + Vectors(devices) * bytes / bandwidth;
}

constexpr std::array kMessages = {
    kDevices,
    Parameter{"collectives", "count", "how many all-reduces (buckets)", Domain::count, 1}};
Rational ring_messages(Values values) {
  const auto [devices, collectives] = take<2>(values);
  return Rational(2) * (devices - Rational(1)) * devices * collectives;
}

constexpr std::array kWholeVector = {kBytes};
Rational ring_bytes_limit(Values values) {
  return Rational(2) * values[0];
}

Rational twice_ring_bytes(Values values) {
  return Rational(2) * volume<twice_share_of_others>(values);
}

constexpr std::array kCrossover = {kDevices, kLatency, kBandwidth};
/// 2(N−1)α + 2(N−1)/N·S/bw = lg·(α + S/bw), solved for S.
Rational crossover_bytes(Values values) {
  const auto [devices, latency, bandwidth] = take<3>(values);
  const Rational more_steps = twice_all_but_one(devices) - ceil_log2(devices);
  const Rational more_vectors = ceil_log2(devices) - twice_share_of_others(devices);
  if (more_vectors.sign() <= 0) return undefined();
  return more_steps * latency * bandwidth / more_vectors;
}

constexpr std::array kAlgorithmBandwidth = {kBytes, kTime};
Rational algorithm_bandwidth(Values values) {
  const auto [bytes, time] = take<2>(values);
  return bytes / time;
}

constexpr std::array kBusBandwidth = {
    kBytes, kTime, Parameter{"factor", "1", "bus factor of the collective", Domain::not_negative}};
Rational bus_bandwidth(Values values) {
  const auto [bytes, time, factor] = take<3>(values);
  return bytes / time * factor;
}

constexpr std::string_view kThakur = "Thakur et al. 2005";
constexpr std::string_view kNccl = "nccl-tests, PERFORMANCE.md";

constexpr std::array kForms = {
    ClosedForm{"ring_all_reduce_steps", kSteps, "count", "2(N−1)", kThakur,
               of_devices<twice_all_but_one>},
    ClosedForm{"ring_all_reduce_messages", kMessages, "count", "2(N−1)·N for each all-reduce",
               "Horovod", ring_messages},
    ClosedForm{"ring_all_reduce_bytes", kVolume, "bytes", "sent by each device: 2(N−1)/N·S",
               "Patarasuk and Yuan 2009", volume<twice_share_of_others>},
    ClosedForm{"ring_all_reduce_bytes_limit", kWholeVector, "bytes",
               "sent by each device however many there are: below 2S", "Patarasuk and Yuan 2009",
               ring_bytes_limit},
    ClosedForm{"ring_all_reduce_port_bytes", kVolume, "bytes",
               "sent and received by each device: 4(N−1)/N·S", "Patarasuk and Yuan 2009",
               twice_ring_bytes},
    ClosedForm{"ring_all_reduce_time", kDuration, "s", "2(N−1)·α + 2(N−1)/N·S/bw", kThakur,
               duration<twice_all_but_one, twice_share_of_others>},
    ClosedForm{"recursive_doubling_steps", kSteps, "count", "lg N", kThakur, of_devices<logarithm>},
    ClosedForm{"recursive_doubling_bytes", kVolume, "bytes", "sent by each device: lg N·S", kThakur,
               volume<logarithm>},
    ClosedForm{"recursive_doubling_time", kDuration, "s", "lg N·(α + S/bw)", kThakur,
               duration<logarithm, logarithm>},
    ClosedForm{"rabenseifner_steps", kSteps, "count", "2 lg N, N a power of two", kThakur,
               of_devices<twice_logarithm>},
    ClosedForm{"rabenseifner_bytes", kVolume, "bytes", "sent by each device: 2(N−1)/N·S", kThakur,
               volume<twice_share_of_others>},
    ClosedForm{"rabenseifner_time", kDuration, "s", "2 lg N·α + 2(N−1)/N·S/bw, N a power of two",
               kThakur, duration<twice_logarithm, twice_share_of_others>},
    ClosedForm{"tree_all_reduce_steps", kSteps, "count",
               "binomial reduce, then binomial broadcast: 2 lg N", kThakur,
               of_devices<twice_logarithm>},
    ClosedForm{"tree_all_reduce_time", kDuration, "s",
               "binomial reduce, then binomial broadcast: 2 lg N·(α + S/bw)", kThakur,
               duration<twice_logarithm, twice_logarithm>},
    ClosedForm{"central_all_reduce_messages", kSteps, "count",
               "all send to one, it sends back: 2(N−1)", "baidu-allreduce",
               of_devices<twice_all_but_one>},
    ClosedForm{"central_all_reduce_port_bytes", kVolume, "bytes",
               "sent and received by the one: 2(N−1)·S", "baidu-allreduce",
               volume<twice_all_but_one>},
    ClosedForm{"central_all_reduce_time", kDuration, "s",
               "one serial link, latency left out: 2(N−1)·S/bw", "baidu-allreduce",
               duration<none, twice_all_but_one>},
    ClosedForm{"reduce_scatter_time", kDuration, "s", "ring: (N−1)·α + (N−1)/N·S/bw", kThakur,
               duration<all_but_one, share_of_others>},
    ClosedForm{"all_gather_time", kDuration, "s", "ring: (N−1)·α + (N−1)/N·S/bw", kThakur,
               duration<all_but_one, share_of_others>},
    ClosedForm{"all_to_all_time", kDuration, "s",
               "pairwise, S on each device: (N−1)·α + (N−1)/N·S/bw", kThakur,
               duration<all_but_one, share_of_others>},
    ClosedForm{"broadcast_time", kDuration, "s", "binomial: lg N·(α + S/bw)", kThakur,
               duration<logarithm, logarithm>},
    ClosedForm{"broadcast_scatter_all_gather_time", kDuration, "s",
               "(lg N + N−1)·α + 2(N−1)/N·S/bw", kThakur,
               duration<logarithm_and_all_but_one, twice_share_of_others>},
    ClosedForm{"ring_or_doubling_crossover", kCrossover, "bytes",
               "size at which ring and recursive doubling take equally long", kThakur,
               crossover_bytes, "enough devices for the ring to send less"},
    ClosedForm{"algorithm_bandwidth", kAlgorithmBandwidth, "bytes/s", "S/time", kNccl,
               algorithm_bandwidth},
    ClosedForm{"bus_bandwidth", kBusBandwidth, "bytes/s", "S/time · bus factor", kNccl,
               bus_bandwidth},
    ClosedForm{"all_reduce_bus_factor", kSteps, "1", "2(N−1)/N", kNccl,
               of_devices<twice_share_of_others>},
    ClosedForm{"reduce_scatter_bus_factor", kSteps, "1", "(N−1)/N", kNccl,
               of_devices<share_of_others>},
    ClosedForm{"all_gather_bus_factor", kSteps, "1", "(N−1)/N", kNccl, of_devices<share_of_others>},
    ClosedForm{"all_to_all_bus_factor", kSteps, "1", "(N−1)/N", kNccl, of_devices<share_of_others>},
    ClosedForm{"broadcast_bus_factor", kSteps, "1", "1", kNccl, of_devices<one>},
    ClosedForm{"reduce_bus_factor", kSteps, "1", "1", kNccl, of_devices<one>},
    ClosedForm{"all_reduce_in_network_bus_factor", kSteps, "1", "(N−1)/(N+1)", kNccl,
               of_devices<in_network_factor>},
};

}  // namespace

std::span<const ClosedForm> collective_forms() {
  return kForms;
}

}  // namespace lockstep
