#include "cli/files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

Error unreadable(std::string_view path, const char* reason) {
  return Error{"file_unreadable", std::string(path),
               std::string("the file cannot be read: ") + reason};
}

Result<std::string> read_stream(std::FILE* stream, std::string_view path) {
  std::string bytes;
  char block[1 << 16];
  while (const std::size_t count = std::fread(block, 1, sizeof block, stream)) {
    bytes.append(block, count);
    if (bytes.size() > kMaxFileBytes) {
      return Error{"file_too_large", std::string(path), "the file is larger than 64 MiB"};
    }
  }
  if (std::ferror(stream) != 0) return unreadable(path, std::strerror(errno));
  return bytes;
}

Status write_stream(std::FILE* stream, std::string_view path, std::string_view bytes) {
  const bool whole = std::fwrite(bytes.data(), 1, bytes.size(), stream) == bytes.size();
  if (whole && std::fflush(stream) == 0) return fine();
  return Error{"file_unwritable", std::string(path),
               std::string("the file cannot be written: ") + std::strerror(errno)};
}

}  // namespace

Result<std::string> read_file(std::string_view path) {
  if (path == "-") return read_stream(stdin, "standard input");
  const std::string name(path);
  std::error_code fault;
  if (fs::is_directory(name, fault)) return unreadable(path, "it is a folder");
  const File file(std::fopen(name.c_str(), "rb"));
  if (!file) return unreadable(path, std::strerror(errno));
  return read_stream(file.get(), path);
}

Status write_file(std::string_view path, std::string_view bytes) {
  if (path == "-") return write_stream(stdout, "standard output", bytes);
  const File file(std::fopen(std::string(path).c_str(), "wb"));
  if (!file) {
    return Error{"file_unwritable", std::string(path),
                 std::string("the file cannot be written: ") + std::strerror(errno)};
  }
  return write_stream(file.get(), path, bytes);
}

Result<std::vector<std::string>> find_files(std::string_view path, std::string_view name) {
  std::error_code fault;
  const fs::path start{std::string(path)};
  if (!fs::exists(start, fault)) return unreadable(path, "there is no such file or folder");
  if (!fs::is_directory(start, fault)) return std::vector<std::string>{start.string()};
  std::vector<std::string> found;
  for (fs::recursive_directory_iterator entry(start, fault), end; entry != end;
       entry.increment(fault)) {
    if (fault) return unreadable(path, fault.message().c_str());
    if (entry->is_regular_file(fault) && entry->path().filename() == name) {
      found.push_back(entry->path().string());
    }
  }
  if (fault) return unreadable(path, fault.message().c_str());
  std::ranges::sort(found);
  return found;
}

}  // namespace lockstep::cli
