// What an exercise file may hold. A file comes from anyone: every limit is checked while it is
// read.
#pragma once

#include <cstddef>

namespace lockstep {

/// A lesson of 20 questions with 12 mistakes each is about 60 KB.
inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;
/// A lesson needs 8; more would only serve to exhaust the stack of whoever walks the tree.
inline constexpr std::size_t kMaxFileDepth = 64;
/// Values of one file; bounds the memory of the tree at about 8 MB.
inline constexpr std::size_t kMaxFileValues = 50'000;
/// Bytes of one text.
inline constexpr std::size_t kMaxTextBytes = 20'000;
/// Items of one list and keys of one object.
inline constexpr std::size_t kMaxItems = 500;
/// Letters of an id or a name.
inline constexpr std::size_t kMaxNameLength = 64;
/// Faults listed for one file; a file with more is better read from its first ones.
inline constexpr std::size_t kMaxFileFaults = 100;

}  // namespace lockstep
