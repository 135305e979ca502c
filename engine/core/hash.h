// 64-bit FNV-1a (Fowler, Noll, Vo), the hash by which gradients are compared across machines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace lockstep {

/// Continues `hash` over `bytes`, in order. Start from kFnvStart.
inline constexpr std::uint64_t kFnvStart = 0xcbf29ce484222325u;
std::uint64_t fnv1a(std::span<const std::byte> bytes, std::uint64_t hash = kFnvStart);

/// The CRC-32 of ISO-HDLC (zip, PNG): every message carries it, so that a flipped bit is seen.
std::uint32_t crc32(std::span<const std::byte> bytes);

/// 16 lower-case hexadecimal digits.
std::string hex16(std::uint64_t value);

}  // namespace lockstep
