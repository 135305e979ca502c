#include "document/key_table.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "core/nearest.h"
#include "document/limits.h"

namespace lockstep {
namespace {

constexpr std::string_view kReservedNames[] = {"constructor", "prototype"};

bool is_name(std::string_view text, char joint) {
  if (text.empty() || text.size() > kMaxNameLength) return false;
  if (text.front() < 'a' || text.front() > 'z' || text.back() == joint) return false;
  const auto allowed = [joint](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == joint;
  };
  return std::all_of(text.begin(), text.end(), allowed) &&
         std::find(std::begin(kReservedNames), std::end(kReservedNames), text) ==
             std::end(kReservedNames);
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

ValueKind kind_of(Form form) {
  switch (form) {
    case Form::number:
    case Form::integer:
      return ValueKind::number;
    case Form::flag:
      return ValueKind::flag;
    case Form::list:
      return ValueKind::list;
    case Form::object:
    case Form::map:
    case Form::answers:
      return ValueKind::object;
    default:
      return ValueKind::text;
  }
}

std::string found(const FileNode& node) {
  return std::string(", found ").append(kind_name(node.value->kind));
}

/// The keys that an object may have, its case's included.
std::vector<KeyRow> rows_of(const FileNode& node, const KeyTable& table) {
  std::vector<KeyRow> rows(table.rows.begin(), table.rows.end());
  const std::string_view chosen = text_of(node[table.selector]);
  for (const KeyCase& one : table.cases) {
    if (one.name == chosen) {
      rows.insert(rows.end(), one.table->rows.begin(), one.table->rows.end());
    }
  }
  return rows;
}

void check_value(const FileNode& node, const KeyRow& row, FileFaults& faults);

void check_case(const FileNode& node, const KeyTable& table, FileFaults& faults) {
  const FileNode selector = node[table.selector];
  const std::string_view chosen = text_of(selector);
  if (table.cases.empty() || chosen.empty()) return;
  std::vector<std::string_view> names;
  std::string list;
  for (const KeyCase& one : table.cases) {
    if (one.name == chosen) return;
    names.push_back(one.name);
    if (!list.empty()) list += ", ";
    list += one.name;
  }
  faults.add(selector, "unknown_" + std::string(table.selector),
             in_quotes(chosen) + " is not one of: " + list, nearest(chosen, names));
}

void check_known(const FileNode& node, std::span<const KeyRow> rows, FileFaults& faults) {
  std::vector<std::string_view> names;
  for (const KeyRow& row : rows) names.push_back(row.name);
  for (const FileKey& key : node.value->keys) {
    if (std::find(names.begin(), names.end(), key.name) != names.end()) continue;
    faults.add(Spot{key.offset, pointer_to(node.pointer, key.name)}, "unknown_key",
               "no key " + in_quotes(key.name) + " belongs here", nearest(key.name, names));
  }
}

void check_text(const FileNode& node, Form form, FileFaults& faults) {
  const std::string& text = node.value->text;
  if (form == Form::line) return;
  if (text.empty()) {
    faults.add(node, "empty_text", "a text is expected here, this one is empty");
  } else if (form == Form::url && !text.starts_with("https://")) {
    faults.add(node, "bad_url", "an address begins with https://");
  } else if (form == Form::id && !is_id(text)) {
    faults.add(node, "bad_id",
               "an id has only lower-case letters, digits and hyphens, begins with a letter and "
               "is at most 64 long");
  } else if (form == Form::symbol && !is_symbol(text)) {
    faults.add(node, "bad_name",
               "a name in formulas has only lower-case letters, digits and underscores, begins "
               "with a letter and is at most 64 long");
  }
}

void check_integer(const FileNode& node, const KeyRow& row, FileFaults& faults) {
  const std::optional<std::int64_t> value = parse_integer(node.value->text);
  if (value && row.least <= *value && *value <= row.most) return;
  faults.add(node, "out_of_range",
             "a whole number from " + std::to_string(row.least) + " to " +
                 std::to_string(row.most) + " is expected, found " +
                 node.value->text.substr(0, kMaxNameLength));
}

void check_count(const FileNode& node, const KeyRow& row, FileFaults& faults) {
  const std::string found_count = ", here are " + std::to_string(node.size());
  if (node.size() < row.items_least) {
    faults.add(node, "too_few_items",
               "at least " + std::to_string(row.items_least) + " are expected" + found_count);
  } else if (node.size() > row.items_most) {
    faults.add(node, "too_many_items",
               "at most " + std::to_string(row.items_most) + " are expected" + found_count);
  }
}

void check_prose(const FileNode& node, FileFaults& faults) {
  if (node.value->kind == ValueKind::text) return check_text(node, Form::text, faults);
  if (node.value->kind != ValueKind::list) {
    faults.add(node, "wrong_type", "a text or a list of texts is expected" + found(node));
    return;
  }
  check_count(node, KeyRow{}, faults);
  for (std::size_t i = 0; i < node.size(); ++i) check_value(node.item(i), KeyRow{}, faults);
}

void check_items(const FileNode& node, const KeyRow& row, FileFaults& faults) {
  check_count(node, row, faults);
  KeyRow item = row;
  item.form = row.form == Form::answers ? Form::text : row.item;
  for (std::size_t i = 0; i < node.size(); ++i) {
    if (row.form == Form::map && !is_symbol(node.value->keys[i].name)) {
      const FileKey& key = node.value->keys[i];
      faults.add(Spot{key.offset, pointer_to(node.pointer, key.name)}, "bad_name",
                 "a name in formulas has only lower-case letters, digits and underscores and "
                 "begins with a letter");
    }
    check_value(node.item(i), item, faults);
  }
}

void check_value(const FileNode& node, const KeyRow& row, FileFaults& faults) {
  if (row.form == Form::prose) return check_prose(node, faults);
  const ValueKind expected = kind_of(row.form);
  if (node.value->kind != expected) {
    faults.add(node, "wrong_type", std::string(kind_name(expected)) + " is expected" + found(node));
    return;
  }
  switch (row.form) {
    case Form::integer:
      return check_integer(node, row, faults);
    case Form::object:
      return check_keys(node, *row.table, faults);
    case Form::list:
    case Form::map:
    case Form::answers:
      return check_items(node, row, faults);
    case Form::number:
    case Form::flag:
      return;
    default:
      return check_text(node, row.form, faults);
  }
}

}  // namespace

void check_keys(const FileNode& node, const KeyTable& table, FileFaults& faults) {
  if (node.value->kind != ValueKind::object) {
    faults.add(node, "wrong_type", "an object is expected" + found(node));
    return;
  }
  const std::vector<KeyRow> rows = rows_of(node, table);
  check_case(node, table, faults);
  check_known(node, rows, faults);
  for (const KeyRow& row : rows) {
    const FileNode member = node[row.name];
    if (member) {
      check_value(member, row, faults);
    } else if (row.need == Need::required) {
      faults.add(node, "missing_key", "the key " + in_quotes(row.name) + " is missing");
    }
  }
}

bool is_id(std::string_view text) {
  return is_name(text, '-');
}

bool is_symbol(std::string_view text) {
  return is_name(text, '_');
}

std::string_view text_of(const FileNode& node) {
  const bool is_text = node && node.value->kind == ValueKind::text;
  return is_text ? std::string_view(node.value->text) : std::string_view();
}

std::int64_t integer_of(const FileNode& node, std::int64_t otherwise) {
  if (!node || node.value->kind != ValueKind::number) return otherwise;
  return parse_integer(node.value->text).value_or(otherwise);
}

bool flag_of(const FileNode& node) {
  return node && node.value->kind == ValueKind::flag && node.value->flag;
}

}  // namespace lockstep
