// What devices send each other: one tensor a message, as one buffer of bytes that a host can hand
// over without looking inside (an ArrayBuffer between workers, a vector between threads).
//
// The buffer, all fields little-endian and 32 bits wide:
//
//   byte  0  the letters "LKST"           byte 32  stage + 1; 0 for kAllStages
//   byte  4  version of this format       byte 36  microbatch
//   byte  8  CRC-32 of all that follows   byte 40  chunk
//   byte 12  from, the sender's rank      byte 44  chunks
//   byte 16  to, the receiver's rank      byte 48  count of chunks that are meant
//   byte 20  step of training             byte 52  precision: 0 float32, 1 float64
//   byte 24  send, see Message            byte 56  rows
//   byte 28  kind of tensor               byte 60  columns
//                                         byte 64  values, row by row, IEEE 754
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "model/training_set.h"
#include "program/program.h"

namespace lockstep {

inline constexpr std::size_t kMessageHeaderBytes = 64;
inline constexpr std::uint32_t kMessageVersion = 2;

/// One tensor on its way. `from`, `step` and `send` together name it: no two messages of a run
/// share them, whatever order they arrive in.
struct Message {
  int from = 0;            ///< rank of the sender
  int to = 0;              ///< rank of the receiver
  std::uint32_t step = 0;  ///< of training
  int send = 0;            ///< index of the send in the sender's instructions
  TensorName tensor = {};
  Precision precision = Precision::float64;
  int rows = 0;  ///< a chunk of the gradient is one row
  int columns = 0;
  std::vector<std::byte> values;  ///< rows · columns numbers of `precision`, row by row

  bool operator==(const Message&) const = default;
};

/// The bytes of a number: 4 or 8.
std::size_t bytes_per_value(Precision precision);

/// The message as one buffer.
std::vector<std::byte> encode_message(const Message& message);

/// The message in a buffer, which may hold anything: every field is checked against its type and
/// the size of the buffer, not yet against a program. Errors: message_too_short,
/// message_not_ours, message_version, message_checksum, message_field, message_size.
Result<Message> decode_message(std::span<const std::byte> buffer);

/// "message 5 from device 1": how errors speak of a message.
std::string message_place(const Message& message);

/// The numbers as little-endian IEEE 754 bytes; T is float or double.
template <typename T>
std::vector<std::byte> to_bytes(std::span<const T> values);

/// The other way; the size must be a multiple of sizeof(T).
template <typename T>
std::vector<T> from_bytes(std::span<const std::byte> bytes);

}  // namespace lockstep
