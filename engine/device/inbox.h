// What a device lets in: exactly the messages that its program waits for, each once, in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/result.h"
#include "device/layout.h"
#include "device/message.h"
#include "program/messages.h"

namespace lockstep {

class Inbox {
 public:
  /// For device `rank` of a run that passed check_run.
  Inbox(const Program& program, const TrainingSet& data, int rank, std::uint32_t step);

  /// Takes a message in, or refuses it with the reason and changes nothing. A message that was
  /// already taken in is accepted and ignored if every byte is the same. Errors, at "message S from
  /// device D": those of decode_message, and
  /// - wrong_device: it is for another device;
  /// - stale_step: it belongs to another step of training;
  /// - unknown_message: the program has no such send to this device;
  /// - wrong_tensor, wrong_precision, wrong_shape: not what the program says is sent there;
  /// - not_finite: it holds a NaN or an infinity;
  /// - duplicate_differs: it came before with other bytes.
  Status accept(std::span<const std::byte> buffer);

  /// Where the message that instruction `receive` waits for is sent.
  InstructionPlace send_of(int receive) const { return ends_[static_cast<std::size_t>(receive)]; }

  /// Whether the message that instruction `receive` waits for is here.
  bool holds(int receive) const;

  /// Hands over the values of that message; it must be here.
  std::vector<std::byte> take(int receive);

 private:
  struct Expected {
    TensorName tensor;
    TensorShape shape;
    std::optional<std::uint64_t> fingerprint = std::nullopt;      ///< of the buffer, once it came
    std::optional<std::vector<std::byte>> values = std::nullopt;  ///< until they are taken
  };

  Status check(const Message& message) const;
  const Expected& expected(int receive) const;

  int rank_;
  std::uint32_t step_;
  Precision precision_;
  std::vector<InstructionPlace> ends_;                ///< by receive, the send it waits for
  std::map<std::pair<int, int>, Expected> expected_;  ///< by sender and index of its send
};

}  // namespace lockstep
