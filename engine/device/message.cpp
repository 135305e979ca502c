#include "device/message.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>
#include <utility>

#include "core/hash.h"

namespace lockstep {
namespace {

static_assert(std::endian::native == std::endian::little,
              "words and values are copied as they lie in memory");

/// The words of the header in the order of message.h.
enum Word {
  kLettersWord,
  kVersionWord,
  kChecksumWord,
  kFromWord,
  kToWord,
  kStepWord,
  kSendWord,
  kKindWord,
  kStageWord,
  kMicrobatchWord,
  kChunkWord,
  kChunksWord,
  kCountWord,
  kPrecisionWord,
  kRowsWord,
  kColumnsWord,
  kWordCount,
};

using Header = std::array<std::uint32_t, kWordCount>;
static_assert(sizeof(Header) == kMessageHeaderBytes);

constexpr std::uint32_t kLetters = 0x54534b4c;  // "LKST" as a little-endian number
constexpr std::size_t kCheckedFrom = 12;        // the checksum covers all that follows it
constexpr std::uint32_t kLargestInt = std::numeric_limits<int>::max();
constexpr std::uint32_t kLargestKind = static_cast<std::uint32_t>(TensorKind::block);
constexpr std::uint32_t kLargestPrecision = static_cast<std::uint32_t>(Precision::float64);

/// The largest value that a word may have.
std::uint32_t largest(int word) {
  if (word == kKindWord) return kLargestKind;
  if (word == kPrecisionWord) return kLargestPrecision;
  if (word <= kChecksumWord || word == kStepWord) return std::numeric_limits<std::uint32_t>::max();
  return kLargestInt;
}

Error refused(const char* code, const std::string& reason) {
  return Error{code, "message", "a message was refused: " + reason};
}

Status check_header(const Header& header, std::span<const std::byte> buffer) {
  if (header[kLettersWord] != kLetters) {
    return refused("message_not_ours", "it does not begin with the letters LKST");
  }
  if (header[kVersionWord] != kMessageVersion) {
    return refused("message_version",
                   "its format is version " + std::to_string(header[kVersionWord]) +
                       ", this engine reads version " + std::to_string(kMessageVersion));
  }
  if (header[kChecksumWord] != crc32(buffer.subspan(kCheckedFrom))) {
    return refused("message_checksum", "its bytes do not match its checksum");
  }
  for (int word = kFromWord; word < kWordCount; ++word) {
    if (header[static_cast<std::size_t>(word)] > largest(word)) {
      return refused("message_field",
                     "the field at byte " + std::to_string(word * 4) + " is out of range");
    }
  }
  const std::uint64_t per_value = bytes_per_value(static_cast<Precision>(header[kPrecisionWord]));
  const std::uint64_t count = std::uint64_t{header[kRowsWord]} * header[kColumnsWord];  // < 2^62
  const std::uint64_t bytes = buffer.size() - kMessageHeaderBytes;
  if (bytes % per_value != 0 || bytes / per_value != count) {
    return refused("message_size", "it holds " + std::to_string(bytes) + " bytes of values for " +
                                       std::to_string(count) + " numbers of " +
                                       std::to_string(per_value) + " bytes");
  }
  return fine();
}

}  // namespace

std::size_t bytes_per_value(Precision precision) {
  return precision == Precision::float32 ? sizeof(float) : sizeof(double);
}

std::vector<std::byte> encode_message(const Message& message) {
  const auto word = [](auto value) { return static_cast<std::uint32_t>(value); };
  Header header = {
      kLetters,
      kMessageVersion,
      0,
      word(message.from),
      word(message.to),
      message.step,
      word(message.send),
      word(message.tensor.kind),
      word(message.tensor.stage - kAllStages),
      word(message.tensor.microbatch),
      word(message.tensor.chunk),
      word(message.tensor.chunks),
      word(message.tensor.count),
      word(message.precision),
      word(message.rows),
      word(message.columns),
  };
  std::vector<std::byte> buffer(kMessageHeaderBytes + message.values.size());
  std::ranges::copy(message.values, buffer.begin() + kMessageHeaderBytes);
  std::memcpy(buffer.data(), header.data(), sizeof header);
  header[kChecksumWord] = crc32(std::span<const std::byte>(buffer).subspan(kCheckedFrom));
  std::memcpy(buffer.data(), header.data(), sizeof header);
  return buffer;
}

Result<Message> decode_message(std::span<const std::byte> buffer) {
  if (buffer.size() < kMessageHeaderBytes) {
    return refused("message_too_short", "it has " + std::to_string(buffer.size()) +
                                            " bytes, and the header alone has " +
                                            std::to_string(kMessageHeaderBytes));
  }
  Header header;
  std::memcpy(header.data(), buffer.data(), sizeof header);
  if (const Status status = check_header(header, buffer); !status.ok()) return status.error();

  const auto integer = [&header](Word word) { return static_cast<int>(header[word]); };
  Message message;
  message.from = integer(kFromWord);
  message.to = integer(kToWord);
  message.step = header[kStepWord];
  message.send = integer(kSendWord);
  message.tensor = {static_cast<TensorKind>(header[kKindWord]),
                    integer(kStageWord) + kAllStages,
                    integer(kMicrobatchWord),
                    integer(kChunkWord),
                    integer(kChunksWord),
                    integer(kCountWord)};
  message.precision = static_cast<Precision>(header[kPrecisionWord]);
  message.rows = integer(kRowsWord);
  message.columns = integer(kColumnsWord);
  const std::span<const std::byte> values = buffer.subspan(kMessageHeaderBytes);
  message.values.assign(values.begin(), values.end());
  return message;
}

std::string message_place(const Message& message) {
  return "message " + std::to_string(message.send) + " from device " + std::to_string(message.from);
}

template <typename T>
std::vector<std::byte> to_bytes(std::span<const T> values) {
  const std::span<const std::byte> bytes = std::as_bytes(values);
  return {bytes.begin(), bytes.end()};
}

template <typename T>
std::vector<T> from_bytes(std::span<const std::byte> bytes) {
  assert(bytes.size() % sizeof(T) == 0);
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

template std::vector<std::byte> to_bytes<float>(std::span<const float>);
template std::vector<std::byte> to_bytes<double>(std::span<const double>);
template std::vector<float> from_bytes<float>(std::span<const std::byte>);
template std::vector<double> from_bytes<double>(std::span<const std::byte>);

}  // namespace lockstep
