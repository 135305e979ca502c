#include "device/device.h"

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <limits>
#include <string>

#include "core/hash.h"
#include "device/message.h"
#include "model/gradient.h"
#include "support/programs.h"
#include "support/runs.h"

using namespace lockstep;
using test::Draw;

namespace {

/// Widths 2-3-1, 4 rows, one microbatch: stage 0 is the layer 2-3, stage 1 the layer 3-1.
TrainingSet small_set(Precision precision = Precision::float64) {
  return {.model = MlpSpec{{2, 3, 1}}, .seed = 5, .precision = precision, .row_ranges = {{0, 4}}};
}

Program small_pipeline() {
  return test::program_from(test::kSmallPipeline);
}

Device small_device(int rank, const TrainingSet& data = small_set()) {
  return std::move(test::make_devices(small_pipeline(), data)[static_cast<std::size_t>(rank)]);
}

/// The one message that device 0 sends to device 1.
Message activation_message() {
  Device device = small_device(0);
  test::step_until_stopped(device);
  const std::vector<Outgoing> sent = device.take_outbox();
  REQUIRE(sent.size() == 1);
  return decode_message(sent[0].bytes).value();
}

std::string refusal(Device& device, const Message& message) {
  const Status status = device.deliver(encode_message(message));
  if (status.ok()) return "accepted";
  CHECK(status.error().where == "device " + std::to_string(device.rank()) + ", message " +
                                    std::to_string(message.send) + " from device " +
                                    std::to_string(message.from));
  return status.error().code;
}

Error make_error(const Program& program, const TrainingSet& data, int rank = 0) {
  const Result<Device> device = Device::make(program, data, rank);
  REQUIRE(!device.ok());
  return device.error();
}

template <typename T>
void check_small_pipeline(Precision precision) {
  const TrainingSet data = small_set(precision);
  const std::vector<DeviceResult> results =
      test::run_to_end(test::make_devices(small_pipeline(), data));
  std::vector<T> gradient = from_bytes<T>(results[0].gradient);
  const std::vector<T> rest = from_bytes<T>(results[1].gradient);
  gradient.insert(gradient.end(), rest.begin(), rest.end());

  const Stage<T> model(std::get<MlpSpec>(data.model), data.seed);
  const auto single =
      single_device_gradient(model, draw_batch<T>(std::get<MlpSpec>(data.model), data.seed, 4));
  REQUIRE(single.ok());
  CHECK(same_bits<T>(gradient, single.value().gradient));
  CHECK(results[0].loss_sums[0] == 0.0);
  CHECK(results[1].loss_sums[0] / 4 == single.value().loss);  // 4 rows of one output
}

}  // namespace

TEST_CASE("two stages on two devices give the gradient and loss of one device, bit for bit") {
  check_small_pipeline<double>(Precision::float64);
  check_small_pipeline<float>(Precision::float32);
}

TEST_CASE("a device goes on until it needs a message, and says whose") {
  Device first = small_device(0);
  Device second = small_device(1);
  const StepResult early = second.step();
  REQUIRE(std::holds_alternative<Blocked>(early));
  CHECK(std::get<Blocked>(early).instruction == 0);
  CHECK(std::get<Blocked>(early).peer == 0);

  CHECK(std::get<Ran>(first.step()).instruction == 0);
  CHECK(first.take_outbox().empty());
  CHECK(std::get<Ran>(first.step()).instruction == 1);
  const std::vector<Outgoing> sent = first.take_outbox();
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].to == 1);
  CHECK(first.take_outbox().empty());
  CHECK(std::holds_alternative<Blocked>(first.step()));

  REQUIRE(second.deliver(sent[0].bytes).ok());
  CHECK(std::holds_alternative<Done>(test::step_until_stopped(second)));
  CHECK(second.next_instruction() == nullptr);
  CHECK(std::holds_alternative<Done>(second.step()));
}

TEST_CASE("a message names its sender, step, send and tensor") {
  const Message message = activation_message();
  CHECK(message.from == 0);
  CHECK(message.to == 1);
  CHECK(message.step == 0);
  CHECK(message.send == 1);
  CHECK(message.tensor == TensorName{.kind = TensorKind::activation});
  CHECK(message.precision == Precision::float64);
  CHECK(message.rows == 4);
  CHECK(message.columns == 3);
}

TEST_CASE("a message that is not what the program waits for is refused by its own code") {
  const Message good = activation_message();
  Device device = small_device(1);
  const auto with = [&good](auto change) {
    Message message = good;
    change(message);
    return message;
  };
  CHECK(refusal(device, with([](Message& m) { m.to = 0; })) == "wrong_device");
  CHECK(refusal(device, with([](Message& m) { m.step = 1; })) == "stale_step");
  CHECK(refusal(device, with([](Message& m) { m.send = 0; })) == "unknown_message");
  CHECK(refusal(device, with([](Message& m) { m.from = 1; })) == "unknown_message");
  CHECK(refusal(device, with([](Message& m) { m.from = 63; })) == "unknown_message");
  CHECK(refusal(device, with([](Message& m) { m.tensor.stage = 1; })) == "wrong_tensor");
  CHECK(refusal(device, with([](Message& m) { m.tensor.microbatch = 1; })) == "wrong_tensor");
  CHECK(refusal(device, with([](Message& m) { m.tensor.kind = TensorKind::gradient; })) ==
        "wrong_tensor");
  CHECK(refusal(device, with([](Message& m) {
                  m.precision = Precision::float32;
                  m.values.resize(4 * 3 * 4);
                })) == "wrong_precision");
  CHECK(refusal(device, with([](Message& m) { std::swap(m.rows, m.columns); })) == "wrong_shape");
  CHECK(refusal(device, with([](Message& m) {
                  m.rows = 0;
                  m.values.clear();
                })) == "wrong_shape");

  REQUIRE(device.deliver(encode_message(good)).ok());
  CHECK(std::holds_alternative<Done>(test::step_until_stopped(device)));
}

TEST_CASE("a NaN or infinity in a message is refused with its row and column") {
  const Message good = activation_message();
  Device device = small_device(1);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    Message message = good;
    std::memcpy(message.values.data() + (2 * 3 + 1) * sizeof bad, &bad, sizeof bad);
    const Status status = device.deliver(encode_message(message));
    REQUIRE(!status.ok());
    CHECK(status.error().code == "not_finite");
    CHECK(status.error().message.find("row 2, column 1") != std::string::npos);
  }
}

TEST_CASE("a message that comes twice counts once; with other values it is refused") {
  const Message good = activation_message();
  Message other = good;
  other.values[0] ^= std::byte{1};
  Device device = small_device(1);
  const DeviceResult expected = [&] {
    Device undisturbed = small_device(1);
    REQUIRE(undisturbed.deliver(encode_message(good)).ok());
    test::step_until_stopped(undisturbed);
    return undisturbed.result();
  }();

  REQUIRE(device.deliver(encode_message(good)).ok());
  CHECK(device.deliver(encode_message(good)).ok());
  CHECK(refusal(device, other) == "duplicate_differs");
  CHECK(std::holds_alternative<Done>(test::step_until_stopped(device)));
  CHECK(device.deliver(encode_message(good)).ok());
  CHECK(refusal(device, other) == "duplicate_differs");
  CHECK(device.result() == expected);
}

TEST_CASE("whatever bytes come, a device gives the right numbers afterwards") {
  const Message good = activation_message();
  const std::vector<std::byte> good_bytes = encode_message(good);
  const Device fresh = small_device(1);
  const DeviceResult expected = [&] {
    Device undisturbed = fresh;
    REQUIRE(undisturbed.deliver(good_bytes).ok());
    test::step_until_stopped(undisturbed);
    return undisturbed.result();
  }();

  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    // A peer that lies: some header words are others, and the checksum fits.
    std::vector<std::byte> lie = good_bytes;
    for (int changes = 1 + draw.below(3); changes > 0; --changes) {
      const auto at = static_cast<std::size_t>(12 + 4 * draw.below(12));
      const auto word =
          static_cast<std::uint32_t>(draw.below(2) == 0 ? draw.below(5) : draw.below(1 << 30));
      std::memcpy(lie.data() + at, &word, sizeof word);
    }
    if (draw.below(4) == 0) lie.resize(60 + static_cast<std::size_t>(draw.below(100)));
    const std::uint32_t checksum = crc32(std::span<const std::byte>(lie).subspan(12));
    std::memcpy(lie.data() + 8, &checksum, sizeof checksum);

    Device device = fresh;
    const bool lied = lie != good_bytes;
    REQUIRE(device.deliver(lie).ok() != lied);
    REQUIRE(device.deliver(good_bytes).ok());
    REQUIRE(std::holds_alternative<Done>(test::step_until_stopped(device)));
    REQUIRE(device.result() == expected);
  }
}

TEST_CASE("a device counts its messages, bytes and memory") {
  std::vector<Device> devices = test::make_devices(small_pipeline(), small_set());
  const LocalRun run = run_local_cluster(std::move(devices), {});
  REQUIRE(!run.error);
  const DeviceCounters& first = run.devices[0].counters();
  CHECK(first.messages_sent == 1);
  CHECK(first.bytes_sent == 4 * 3 * 8);          // 4 rows, 3 features
  CHECK(first.weight_bytes == (2 * 3 + 3) * 8);  // weight and bias
  CHECK(first.gradient_bytes == (2 * 3 + 3) * 8);
  // after its forward: the input (4 by 2) and the relu's output (4 by 3), kept for the backward,
  // and the same output for the send; after the receive, the gradient by the output in its place
  CHECK(first.activation_bytes_peak == (4 * 2 + 4 * 3 + 4 * 3) * 8);
  const DeviceCounters& second = run.devices[1].counters();
  CHECK(second.weight_bytes == (3 * 1 + 1) * 8);
  // after its forward: the input (4 by 3), the gradient of the loss (4 by 1)
  CHECK(second.activation_bytes_peak == (4 * 3 + 4 * 1) * 8);
  CHECK(second.in_flight_peak == 1);
}

TEST_CASE("a split backward frees the microbatch in two steps") {
  const Program program = test::program_from(
      "program split\n"
      "stages 1\n"
      "microbatches 2\n"
      "device 0 replica 0 stages 0\n"
      "  forward stage 0 microbatch 0\n"
      "  backward_input stage 0 microbatch 0\n"
      "  forward stage 0 microbatch 1\n"
      "  backward_input stage 0 microbatch 1\n"
      "  backward_weight stage 0 microbatch 0\n"
      "  backward_weight stage 0 microbatch 1\n");
  TrainingSet data = small_set();
  data.row_ranges = {{0, 2}, {2, 2}};
  data.microbatches = 2;
  const LocalRun run = run_local_cluster(test::make_devices(program, data), {});
  REQUIRE(!run.error);
  CHECK(run.devices[0].counters().in_flight_peak == 2);        // until the weight gradient
  CHECK(run.devices[0].counters().in_flight_input_peak == 1);  // until the input gradient
  const Stage<double> model(std::get<MlpSpec>(data.model), data.seed);
  const auto single = single_device_gradient(
      model, draw_batch<double>(std::get<MlpSpec>(data.model), data.seed, 4));
  CHECK(run.devices[0].result().gradient == to_bytes<double>(single.value().gradient));
}

TEST_CASE("a learner's own rows are used, and refused with their place when they cannot be") {
  TrainingSet data = small_set();
  data.own_batch = draw_batch<double>(std::get<MlpSpec>(data.model), data.seed, 4);
  const std::vector<DeviceResult> drawn =
      test::run_to_end(test::make_devices(small_pipeline(), small_set()));
  CHECK(test::run_to_end(test::make_devices(small_pipeline(), data)) == drawn);

  data.own_batch->inputs.at(3, 1) = 0.25;
  CHECK(test::run_to_end(test::make_devices(small_pipeline(), data)) != drawn);

  data.own_batch->inputs.at(3, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK(make_error(small_pipeline(), data).code == "not_finite");
  CHECK(make_error(small_pipeline(), data).where == "inputs row 3, column 1");

  data.own_batch->inputs.at(3, 1) = 1e300;  // finite, but not in float32
  CHECK(Device::make(small_pipeline(), data, 0).ok());
  data.precision = Precision::float32;
  CHECK(make_error(small_pipeline(), data).where == "inputs row 3, column 1");
}

TEST_CASE("numbers that overflow on the way stop the device that made them, with the place") {
  TrainingSet data = small_set();
  data.own_batch = draw_batch<double>(std::get<MlpSpec>(data.model), data.seed, 4);
  data.own_batch->targets.at(2, 0) = 1e200;  // squared it is no float64
  const LocalRun run = run_local_cluster(test::make_devices(small_pipeline(), data), {});
  REQUIRE(run.error);
  CHECK(run.error->code == "not_finite");
  CHECK(run.error->where == "device 1, instruction 1 (forward stage 1 microbatch 0), the loss");
}

TEST_CASE("a program and rows that do not belong together are refused") {
  TrainingSet data = small_set();
  CHECK(make_error(small_pipeline(), data, 2).code == "unknown_device");
  CHECK(make_error(small_pipeline(), data, -1).code == "unknown_device");

  data.row_ranges = {{0, 2}, {2, 2}};  // of two replicas, but there is one
  CHECK(make_error(small_pipeline(), data).code == "wrong_rows");
  data.microbatches = 2;  // of two microbatches, but there is one
  CHECK(make_error(small_pipeline(), data).code == "wrong_rows");
  data = small_set();
  std::get<MlpSpec>(data.model).widths = {2, 1};
  CHECK(make_error(small_pipeline(), data).code == "too_many_stages");
  data = small_set();
  std::get<MlpSpec>(data.model).widths = {2, 0, 1};
  CHECK(make_error(small_pipeline(), data).code == "width_out_of_range");
  for (const std::vector<RowRange>& ranges :
       {std::vector<RowRange>{}, {{1, 4}}, {{0, 0}}, {{0, -1}}, {{0, 2}, {3, 1}}, {{0, 65537}}}) {
    data = small_set();
    data.row_ranges = ranges;
    CHECK(make_error(small_pipeline(), data).code == "rows_out_of_order");
  }
  data = small_set();
  data.microbatches = 0;
  CHECK(make_error(small_pipeline(), data).code == "rows_out_of_order");

  Program unsound = small_pipeline();
  unsound.devices[1].instructions.erase(unsound.devices[1].instructions.begin());
  CHECK(!Device::make(unsound, small_set(), 0).ok());
}
