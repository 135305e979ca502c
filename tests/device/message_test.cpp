#include "device/message.h"

#include <catch2/catch_test_macros.hpp>
#include <cstring>

#include "core/hash.h"
#include "support/programs.h"

using namespace lockstep;
using test::Draw;

namespace {

Message random_message(Draw& draw) {
  Message message;
  message.from = draw.below(64);
  message.to = draw.below(64);
  message.step = static_cast<std::uint32_t>(draw.below(1000));
  message.send = draw.below(5000);
  message.tensor = {static_cast<TensorKind>(draw.below(3)), draw.below(64), draw.below(1024),
                    draw.below(64), 1 + draw.below(64)};
  message.precision = draw.below(2) == 0 ? Precision::float32 : Precision::float64;
  message.rows = draw.below(5);
  message.columns = draw.below(5);
  message.values.resize(static_cast<std::size_t>(message.rows * message.columns) *
                        bytes_per_value(message.precision));
  for (std::byte& byte : message.values) byte = static_cast<std::byte>(draw.below(256));
  return message;
}

/// A buffer whose header words are changed by hand and whose checksum fits.
std::vector<std::byte> with_word(const Message& message, std::size_t at, std::uint32_t word) {
  std::vector<std::byte> buffer = encode_message(message);
  std::memcpy(buffer.data() + at, &word, sizeof word);
  const std::uint32_t checksum = crc32(std::span<const std::byte>(buffer).subspan(12));
  std::memcpy(buffer.data() + 8, &checksum, sizeof checksum);
  return buffer;
}

std::string refusal(std::span<const std::byte> buffer) {
  const Result<Message> decoded = decode_message(buffer);
  return decoded.ok() ? "accepted" : decoded.error().code;
}

/// One to three changes of any kind: a byte, a word, a cut, an extension, a part copied elsewhere.
std::vector<std::byte> mutated(std::vector<std::byte> buffer, Draw& draw) {
  for (int changes = 1 + draw.below(3); changes > 0; --changes) {
    const int size = static_cast<int>(buffer.size());
    if (size == 0) return buffer;
    const auto at = static_cast<std::size_t>(draw.below(size));
    switch (draw.below(5)) {
      case 0:
        buffer[at] ^= static_cast<std::byte>(1 << draw.below(8));
        break;
      case 1:
        buffer[at] = static_cast<std::byte>(draw.below(256));
        break;
      case 2:
        buffer.resize(at);
        break;
      case 3:
        buffer.resize(buffer.size() + 1 + static_cast<std::size_t>(draw.below(16)));
        break;
      default:
        buffer[at] = buffer[static_cast<std::size_t>(draw.below(size))];
    }
  }
  return buffer;
}

const Message kPlain = {1,
                        2,
                        3,
                        4,
                        {TensorKind::gradient, kAllStages, 0, 1, 4, 2},
                        Precision::float32,
                        1,
                        2,
                        to_bytes<float>(std::vector<float>{1.0f, -2.5f})};

}  // namespace

TEST_CASE("a message read from its bytes is the message that was written") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const Message message = random_message(draw);
    const Result<Message> decoded = decode_message(encode_message(message));
    REQUIRE(decoded.ok());
    REQUIRE(decoded.value() == message);
  }
}

TEST_CASE("the bytes of a message lie as its header says") {
  // Written with Python: struct.pack('<13I', …) + struct.pack('<2f', 1.0, -2.5) and zlib.crc32.
  const std::vector<int> expected = {
      0x4c, 0x4b, 0x53, 0x54, 2, 0, 0, 0, 0xc8, 8, 0x6d, 0xb2, 1,    0,    0, 0, 2,    0,
      0,    0,    3,    0,    0, 0, 4, 0, 0,    0, 2,    0,    0,    0,    0, 0, 0,    0,
      0,    0,    0,    0,    1, 0, 0, 0, 4,    0, 0,    0,    2,    0,    0, 0, 0,    0,
      0,    0,    1,    0,    0, 0, 2, 0, 0,    0, 0,    0,    0x80, 0x3f, 0, 0, 0x20, 0xc0};
  const std::vector<std::byte> buffer = encode_message(kPlain);
  REQUIRE(buffer.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(std::to_integer<int>(buffer[i]) == expected[i]);
  }
}

TEST_CASE("every fault of a buffer is refused with its own code") {
  const std::vector<std::byte> buffer = encode_message(kPlain);
  const std::span<const std::byte> bytes = buffer;
  CHECK(refusal({}) == "message_too_short");
  CHECK(refusal(bytes.first(63)) == "message_too_short");
  CHECK(refusal(with_word(kPlain, 0, 0x54534b4d)) == "message_not_ours");
  CHECK(refusal(with_word(kPlain, 4, 1)) == "message_version");
  CHECK(refusal(bytes.first(71)) == "message_checksum");
  std::vector<std::byte> flipped = buffer;
  flipped.back() ^= std::byte{1};
  CHECK(refusal(flipped) == "message_checksum");

  // from, to, send, stage, microbatch, chunk, chunks, count, rows, columns are not negative; the
  // kinds of tensors are six, those of numbers two
  for (const std::size_t at : {12u, 16u, 24u, 32u, 36u, 40u, 44u, 48u, 56u, 60u}) {
    CAPTURE(at);
    CHECK(refusal(with_word(kPlain, at, 0x80000000)) == "message_field");
  }
  CHECK(refusal(with_word(kPlain, 28, 6)) == "message_field");
  CHECK(refusal(with_word(kPlain, 52, 2)) == "message_field");

  CHECK(refusal(with_word(kPlain, 60, 3)) == "message_size");
  CHECK(refusal(with_word(kPlain, 52, 1)) == "message_size");  // two float32 are one float64
  // 2^30 rows of 2^30 columns: must neither overflow nor be allocated
  Message huge = kPlain;
  huge.rows = 1 << 30;
  CHECK(refusal(with_word(huge, 60, 1 << 30)) == "message_size");
}

TEST_CASE("damaged bytes are refused, or say exactly what was sent") {
  for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
    Draw draw(seed);
    const Message message = random_message(draw);
    const Result<Message> decoded = decode_message(mutated(encode_message(message), draw));
    if (decoded.ok() && decoded.value() == message) continue;
    if (!decoded.ok() && decoded.error().where == "message") continue;
    FAIL("seed " << seed);
  }
}
