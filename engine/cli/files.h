// Reading and writing files; "-" is standard input or output.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace lockstep::cli {

/// Larger files are refused before they are read: no input of ours comes near.
inline constexpr std::size_t kMaxFileBytes = 64u << 20;

/// The whole file. Errors: file_unreadable, file_too_large; `where` is the path.
Result<std::string> read_file(std::string_view path);

/// Writes the whole file, or says why not (file_unwritable).
Status write_file(std::string_view path, std::string_view bytes);

/// Every regular file called `name` below `path` (or `path` itself when it is a file), sorted.
/// Errors: file_unreadable when the path does not exist.
Result<std::vector<std::string>> find_files(std::string_view path, std::string_view name);

}  // namespace lockstep::cli
