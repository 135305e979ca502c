// Thousands of broken lessons made from the shipped one: each is refused at the right place.
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/text.h"
#include "document/key_table.h"
#include "json/load.h"
#include "json/parse.h"
#include "support/exercises.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// The shipped lesson, taken apart.
struct Original {
  Original() : bytes(file_bytes(kLessonPath)), text(bytes), faults("lesson.json", text) {
    root = *parse_json(faults);
  }

  std::string bytes;
  FileText text;
  FileFaults faults;
  FileValue root;
};

/// The byte behind the value that starts at `offset`.
std::size_t end_of(const std::string& bytes, std::size_t offset) {
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t i = offset; i < bytes.size(); ++i) {
    const char byte = bytes[i];
    if (in_text) {
      if (byte == '\\') ++i;
      if (byte == '"') in_text = false;
      if (byte == '"' && depth == 0) return i + 1;
    } else if (byte == '"') {
      in_text = true;
    } else if (byte == '[' || byte == '{') {
      ++depth;
    } else if (byte == ']' || byte == '}') {
      if (depth == 0) return i;
      if (--depth == 0) return i + 1;
    } else if (depth == 0 && (byte == ',' || byte == ' ' || byte == '\n')) {
      return i;
    }
  }
  return bytes.size();
}

/// Every value below (and with) `node`.
void walk(const FileNode& node, const std::function<void(const FileNode&)>& visit) {
  visit(node);
  for (std::size_t i = 0; i < node.size(); ++i) walk(node.item(i), visit);
}

/// The faults of a file put together from the original with bytes `from` … `to` replaced.
std::vector<FileFault> faults_with(const Original& original, std::size_t from, std::size_t to,
                                   const std::string& replacement) {
  std::string bytes = original.bytes;
  bytes.replace(from, to - from, replacement);
  return load_lesson("lesson.json", bytes).faults;
}

bool has(const std::vector<FileFault>& faults, std::string_view code, std::string_view pointer,
         Place place) {
  for (const FileFault& fault : faults) {
    if (fault.code == code && fault.pointer == pointer && fault.place == place) return true;
  }
  return false;
}

/// Whether the keys of this object are the author's own.
bool has_free_keys(const std::string& pointer) {
  for (const char* name : {"/canonical", "/parameters", "/given", "/answers", "/with"}) {
    if (pointer.ends_with(name) && !pointer.starts_with("/functions")) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("null in the place of any value is refused there") {
  const Original original;
  std::size_t broken = 0;
  walk({&original.root, ""}, [&](const FileNode& node) {
    const std::size_t offset = node.value->offset;
    const auto faults = faults_with(original, offset, end_of(original.bytes, offset), "null");
    CAPTURE(node.pointer);
    REQUIRE(has(faults, "wrong_type", node.pointer, original.text.place(offset)));
    ++broken;
  });
  CHECK(broken > 600);
}

TEST_CASE("a mistyped key is refused where it stands, with the right one as suggestion") {
  const Original original;
  std::size_t broken = 0;
  walk({&original.root, ""}, [&](const FileNode& node) {
    for (const FileKey& key : node.value->keys) {
      if (has_free_keys(node.pointer)) continue;
      const auto faults = faults_with(original, key.offset + 1, key.offset + 1, "x");
      CAPTURE(node.pointer, key.name);
      REQUIRE(has(faults, "unknown_key", node.pointer + "/x" + key.name,
                  original.text.place(key.offset)));
      ++broken;
    }
  });
  CHECK(broken > 300);
}

TEST_CASE("a key given twice is refused at the second one, at every depth") {
  const Original original;
  walk({&original.root, ""}, [&](const FileNode& node) {
    for (const FileKey& key : node.value->keys) {
      const std::string again = '"' + key.name + "\": 1, ";
      const auto faults = faults_with(original, key.offset, key.offset, again);
      const Place first = original.text.place(key.offset);
      const Place second{first.line, first.column + character_count(again)};
      CAPTURE(node.pointer, key.name);
      REQUIRE(has(faults, "duplicate_key", pointer_to(node.pointer, key.name), second));
    }
  });
}

TEST_CASE("a reserved name as a key is refused in every object") {
  const Original original;
  walk({&original.root, ""}, [&](const FileNode& node) {
    if (node.value->kind != ValueKind::object) return;
    for (const std::string name : {"__proto__", "constructor", "prototype"}) {
      const std::size_t inside = node.value->offset + 1;
      const auto faults = faults_with(original, inside, inside, '"' + name + "\": {},");
      CAPTURE(node.pointer, name);
      REQUIRE(has(faults, "forbidden_key", node.pointer + "/" + name, original.text.place(inside)));
    }
  });
}

TEST_CASE("a file cut off anywhere is refused at its end") {
  const Original original;
  for (std::size_t size = 0; size + 2 < original.bytes.size(); size += 61) {
    CAPTURE(size);
    const std::string bytes = original.bytes.substr(0, size);
    const Loaded<Lesson> loaded = load_lesson("lesson.json", bytes);
    REQUIRE_FALSE(loaded.value);
    REQUIRE(loaded.faults.size() >= 1);
    const FileFault& last = loaded.faults.back();
    REQUIRE(last.code == "not_json");
    REQUIRE(last.place.line == FileText(bytes).place(size).line);
  }
}

TEST_CASE("random damage never crashes the reader, and every fault lies inside the file") {
  const Original original;
  constexpr std::string_view kBytes = "\"{}[],:\\*`$0-9eE\x01\x80\xFF ";
  std::size_t refused = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    std::string bytes = original.bytes;
    for (std::uint64_t i = 0; i < 1 + seed % 5; ++i) {
      const std::size_t at = random_below(seed, 1, i, bytes.size());
      const char byte = kBytes[random_below(seed, 2, i, kBytes.size())];
      switch (random_below(seed, 3, i, 3)) {
        case 0:
          bytes[at] = byte;
          break;
        case 1:
          bytes.insert(at, 1, byte);
          break;
        default:
          bytes.erase(at, 1 + random_below(seed, 4, i, 40));
      }
    }
    CAPTURE(seed);
    const Loaded<Lesson> loaded = load_lesson("lesson.json", bytes);
    REQUIRE(loaded.value.has_value() == loaded.faults.empty());
    const Place end = FileText(bytes).place(bytes.size());
    for (const FileFault& fault : loaded.faults) {
      REQUIRE(fault.place.line <= end.line);
      REQUIRE_FALSE(fault.message.empty());
      REQUIRE_FALSE(first_bad_utf8(fault.message).has_value());
    }
    if (!loaded.value) ++refused;
  }
  CHECK(refused > 2000);
}
