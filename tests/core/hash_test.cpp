#include "core/hash.h"

#include <catch2/catch_test_macros.hpp>
#include <string_view>
#include <vector>

using namespace lockstep;

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

}  // namespace

TEST_CASE("FNV-1a gives its authors' values") {
  // Landon Curt Noll's test suite, http://www.isthe.com/chongo/src/fnv/test_fnv.c
  CHECK(hex16(fnv1a(bytes_of(""))) == "cbf29ce484222325");
  CHECK(hex16(fnv1a(bytes_of("a"))) == "af63dc4c8601ec8c");
  CHECK(hex16(fnv1a(bytes_of("b"))) == "af63df4c8601f1a5");
  CHECK(hex16(fnv1a(bytes_of("foobar"))) == "85944171f73967e8");
}

TEST_CASE("hashing piece by piece is hashing the whole") {
  const std::string_view text = "gradients of layer 0, then of layer 1";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const auto first = fnv1a(bytes_of(text.substr(0, cut)));
    CHECK(fnv1a(bytes_of(text.substr(cut)), first) == fnv1a(bytes_of(text)));
  }
}

TEST_CASE("CRC-32 gives the check value of ISO-HDLC") {
  // The catalogue of parametrised CRC algorithms: check of CRC-32/ISO-HDLC
  CHECK(crc32(bytes_of("123456789")) == 0xcbf43926u);
  CHECK(crc32(bytes_of("")) == 0u);
  // RFC 3720 and PNG: a chunk IEND without data
  CHECK(crc32(bytes_of("IEND")) == 0xae426082u);
}

TEST_CASE("CRC-32 tells apart a message and all its one- and two-bit errors") {
  std::vector<std::byte> message(20, std::byte{0x5a});
  const std::size_t bits = message.size() * 8;
  const auto flip = [&message](std::size_t bit) { message[bit / 8] ^= std::byte{1} << (bit % 8); };
  const std::uint32_t whole = crc32(message);
  int unseen = 0;
  for (std::size_t first = 0; first < bits; ++first) {
    flip(first);
    unseen += crc32(message) == whole ? 1 : 0;
    for (std::size_t second = 0; second < first; ++second) {
      flip(second);
      unseen += crc32(message) == whole ? 1 : 0;
      flip(second);
    }
    flip(first);
  }
  CHECK(unseen == 0);
}

TEST_CASE("16 hexadecimal digits keep leading zeros") {
  CHECK(hex16(0) == "0000000000000000");
  CHECK(hex16(0x0123456789abcdefu) == "0123456789abcdef");
  CHECK(hex16(~std::uint64_t{0}) == "ffffffffffffffff");
}
