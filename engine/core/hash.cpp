#include "core/hash.h"

#include <array>

namespace lockstep {
namespace {

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) {
      remainder = (remainder >> 1) ^ ((remainder & 1u) != 0 ? 0xedb88320u : 0u);
    }
    table[byte] = remainder;
  }
  return table;
}

constexpr auto kCrcTable = make_crc_table();

}  // namespace

std::uint64_t fnv1a(std::span<const std::byte> bytes, std::uint64_t hash) {
  for (const std::byte byte : bytes) {
    hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3u;
  }
  return hash;
}

std::uint32_t crc32(std::span<const std::byte> bytes) {
  std::uint32_t state = 0xffffffffu;
  for (const std::byte byte : bytes) {
    state = (state >> 8) ^ kCrcTable[(state ^ std::to_integer<std::uint32_t>(byte)) & 0xffu];
  }
  return ~state;
}

std::string hex16(std::uint64_t value) {
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, value >>= 4) {
    *digit = "0123456789abcdef"[value & 0xfu];
  }
  return text;
}

}  // namespace lockstep
