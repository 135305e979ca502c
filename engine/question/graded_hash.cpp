#include "question/graded_hash.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash.h"

namespace lockstep {
namespace {

/// Keys whose values are words for the learner or tests for the author.
constexpr std::array<std::string_view, 6> kWords = {"prompt", "hints",    "solution",
                                                    "say",    "examples", "text"};

/// Feeds values into a hash, each with its kind and size, so that no two trees read alike.
class Hashing {
 public:
  void add(const FileValue& value) {
    add(kind_name(value.kind));
    switch (value.kind) {
      case ValueKind::null:
        break;
      case ValueKind::flag:
        add(value.flag ? "true" : "false");
        break;
      case ValueKind::number:
      case ValueKind::text:
        add(value.text);
        break;
      case ValueKind::list:
        add(std::to_string(value.items.size()));
        for (const FileValue& item : value.items) add(item);
        break;
      case ValueKind::object:
        add_members(value);
        break;
    }
  }

  std::uint64_t hash() const { return hash_; }

 private:
  void add(std::string_view text) {
    const std::string sized = std::to_string(text.size()) + ":" + std::string(text);
    hash_ = fnv1a(std::as_bytes(std::span(sized)), hash_);
  }

  /// In the order of their names.
  void add_members(const FileValue& object) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < object.keys.size(); ++i) {
      if (std::ranges::find(kWords, object.keys[i].name) == kWords.end()) order.push_back(i);
    }
    std::ranges::sort(order, {}, [&object](std::size_t i) { return object.keys[i].name; });
    add(std::to_string(order.size()));
    for (const std::size_t i : order) {
      add(object.keys[i].name);
      add(object.items[i]);
    }
  }

  std::uint64_t hash_ = kFnvStart;
};

}  // namespace

std::uint64_t graded_hash(const FileValue& question) {
  Hashing hashing;
  hashing.add(question);
  return hashing.hash();
}

}  // namespace lockstep
