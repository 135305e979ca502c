#include "question/reading.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include "document/key_table.h"

namespace lockstep {
namespace {

/// The byte that "column 7" means.
std::size_t offset_of(const Error& error) {
  const std::size_t digits = error.where.find_first_of("0123456789");
  if (digits == std::string::npos) return 0;
  std::size_t column = 1;
  std::from_chars(error.where.data() + digits, error.where.data() + error.where.size(), column);
  return column == 0 ? 0 : column - 1;
}

template <typename T>
std::optional<T> value_or_fault(const Result<T>& result, const FileNode& node, FileFaults& faults) {
  if (result.ok()) return result.value();
  faults.add_inside(node, offset_of(result.error()), result.error().code, result.error().message);
  return std::nullopt;
}

}  // namespace

Reading Reading::with(std::string_view name) const {
  Reading more = *this;
  more.names.push_back(name);
  return more;
}

std::optional<Formula> read_formula(const FileNode& node, const Reading& reading) {
  const std::string_view text = text_of(node);
  if (text.empty()) return std::nullopt;
  return value_or_fault(parse_formula(text, reading.vocabulary()), node, reading.faults);
}

std::optional<Condition> read_condition(const FileNode& node, const Reading& reading) {
  const std::string_view text = text_of(node);
  if (text.empty()) return std::nullopt;
  return value_or_fault(parse_condition(text, reading.vocabulary()), node, reading.faults);
}

ProseTemplate read_prose(const FileNode& node, const Reading& reading) {
  if (!node) return {};
  std::vector<FileNode> nodes;
  if (node.value->kind == ValueKind::list) {
    for (std::size_t i = 0; i < node.size(); ++i) nodes.push_back(node.item(i));
  } else {
    nodes.push_back(node);
  }
  std::vector<std::string_view> texts;
  for (const FileNode& one : nodes) texts.push_back(text_of(one));
  std::vector<ProseFault> found;
  ProseTemplate prose = ProseTemplate::parse(texts, reading.vocabulary(), found);
  for (ProseFault& fault : found) {
    reading.faults.add_inside(nodes[fault.text], fault.offset, fault.code,
                              std::move(fault.message));
  }
  return prose;
}

std::vector<ProseTemplate> read_prose_list(const FileNode& node, const Reading& reading) {
  std::vector<ProseTemplate> list;
  for (std::size_t i = 0; i < node.size(); ++i) {
    list.push_back(read_prose(node.item(i), reading));
  }
  return list;
}

std::optional<Rational> read_number(const FileNode& node, FileFaults& faults) {
  if (!node || node.value->kind != ValueKind::number) return std::nullopt;
  const Result<Rational> number = rational_from_decimal(node.value->text);
  if (number.ok()) return number.value();
  faults.add(node, number.error().code, number.error().message);
  return std::nullopt;
}

std::vector<std::pair<std::string, Rational>> read_number_map(const FileNode& node,
                                                              FileFaults& faults) {
  std::vector<std::pair<std::string, Rational>> map;
  for (std::size_t i = 0; i < node.size(); ++i) {
    const std::optional<Rational> number = read_number(node.item(i), faults);
    if (number) map.emplace_back(node.value->keys[i].name, *number);
  }
  return map;
}

std::vector<std::string> read_texts(const FileNode& node) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < node.size(); ++i) texts.emplace_back(text_of(node.item(i)));
  return texts;
}

void check_unique(const FileNode& list, std::string_view key, FileFaults& faults) {
  std::vector<std::string_view> seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const FileNode id = list.item(i)[key];
    const std::string_view text = text_of(id);
    if (text.empty()) continue;
    if (std::find(seen.begin(), seen.end(), text) != seen.end()) {
      faults.add(id, "duplicate_id", "another one before is called " + in_quotes(text) + " too");
    }
    seen.push_back(text);
  }
}

}  // namespace lockstep
