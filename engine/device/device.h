// One device of a run: it works through its part of a program on its own numbers. It has no clock,
// no thread and no way out but its outbox: whoever hosts it (a worker, a thread, a test) steps it,
// carries its messages and measures.
//
//   Result<Device> device = Device::make(program, data, rank);
//   loop: device.step(), then carry take_outbox() to the peers, whose hosts call deliver();
//   after Blocked, step again when a message was delivered; after Done, read result().
//
// A device is a value: a copy goes on by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "core/result.h"
#include "device/inbox.h"
#include "device/tensors.h"
#include "model/training_set.h"
#include "program/program.h"

namespace lockstep {

/// What one call of step() did. Instructions count from 0 in the device's list.
struct Ran {
  int instruction = 0;
};
struct Blocked {
  int instruction = 0;  ///< the receive
  int peer = 0;         ///< the rank whose message it waits for
};
struct Done {};
struct Failed {
  Error error;  ///< `where` begins with "device R"
};
using StepResult = std::variant<Ran, Blocked, Done, Failed>;

/// A message on its way out: the bytes of device/message.h and the rank they are for.
struct Outgoing {
  int to = 0;
  std::vector<std::byte> bytes;
};

/// What a device did and held, the same for every order of arrival. Bytes are those of the numbers,
/// without message headers and without messages that wait in the inbox.
struct DeviceCounters {
  int messages_sent = 0;
  std::int64_t bytes_sent = 0;
  std::int64_t weight_bytes = 0;
  std::int64_t gradient_bytes = 0;
  std::int64_t optimizer_bytes = 0;
  std::int64_t activation_bytes_peak = 0;  ///< most held between two instructions
  int in_flight_peak = 0;        ///< microbatches (times stages) whose weight gradient is to come
  int in_flight_input_peak = 0;  ///< the same, counted until their input gradient is there

  bool operator==(const DeviceCounters&) const = default;
};

/// What a device ends with.
struct DeviceResult {
  Precision precision = Precision::float64;
  std::vector<std::byte> gradient;  ///< of the last step, stage by stage, little-endian IEEE 754
  std::vector<double>
      loss_sums;  ///< by step, Σ of the losses of its rows; 0 without the last stage
  std::vector<std::byte> parameters = {};  ///< laid out like the gradient; none without an update

  bool operator==(const DeviceResult&) const = default;
};

class Device {
 public:
  /// Device `rank` of a run, with its parameters and rows drawn. `step` numbers the step of
  /// training and marks its messages. Errors: those of check_run; unknown_device.
  static Result<Device> make(const Program& program, const TrainingSet& data, int rank,
                             std::uint32_t step = 0);

  /// Takes in a message, or refuses it and stays as it was (Inbox::accept lists the errors; `where`
  /// begins with "device R"). Any bytes may be given.
  Status deliver(std::span<const std::byte> message);

  /// Runs the next instruction. Failed is for good: a number was not finite (`not_finite`).
  StepResult step();

  /// The messages sent since the last call, in the order they were sent.
  std::vector<Outgoing> take_outbox() { return std::exchange(outbox_, {}); }

  int rank() const { return rank_; }
  const DeviceCounters& counters() const { return counters_; }

  /// The instruction it stands at, or that it failed at; none when it is done.
  const Instruction* next_instruction() const;

  /// All that it is to do, and the index of the one it stands at.
  std::span<const Instruction> instructions() const { return instructions_; }
  int position() const { return next_; }

  /// The send whose message it waits for; none when it could go on or is done.
  std::optional<InstructionPlace> awaited_send() const;

  /// Of a device that is done.
  DeviceResult result() const;

 private:
  using Tensors = std::variant<DeviceTensors<float>, DeviceTensors<double>>;

  Device(const Program& program, const TrainingSet& data, int rank, std::uint32_t step);
  Status run(const Instruction& instruction);
  void send(const Instruction& instruction);
  void count_in_flight(Op op);
  Error located(const Error& error) const;

  int rank_;
  std::uint32_t step_;
  Precision precision_;
  std::vector<Instruction> instructions_;
  std::vector<TensorShape> shapes_;                  ///< of what each send and receive carries
  std::vector<std::vector<TensorName>> dead_after_;  ///< by instruction: no later one uses them
  int next_ = 0;
  Inbox inbox_;
  Tensors tensors_;
  bool updates_ = false;  ///< whether it trains: its parameters are part of the result
  std::vector<Outgoing> outbox_;
  DeviceCounters counters_;
  int in_flight_ = 0;
  int in_flight_input_ = 0;
  std::optional<Error> failure_;
};

/// The results of devices that are all done, by rank.
std::vector<DeviceResult> results_of(const std::vector<Device>& devices);

}  // namespace lockstep
