#include "cli/exact_value.h"

#include <string>
#include <utility>
#include <vector>

#include "formula/exact_value.h"

namespace lockstep::cli {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// The items between the outer brackets, cut at the commas that stand in no inner bracket.
Result<std::vector<std::string_view>> list_items(const std::string& where, std::string_view text) {
  text = trimmed(text);
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
    return Error{"not_a_list", where, "a list in brackets is needed, such as [1, 2]"};
  }
  const std::string_view inside = text.substr(1, text.size() - 2);
  std::vector<std::string_view> items;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t at = 0; at < inside.size(); ++at) {
    if (inside[at] == '[') ++depth;
    if (inside[at] == ']') --depth;
    if (inside[at] != ',' || depth != 0) continue;
    items.push_back(inside.substr(start, at - start));
    start = at + 1;
  }
  if (!items.empty() || !trimmed(inside).empty()) items.push_back(inside.substr(start));
  return items;
}

/// Reads every item of a list by `read(where, text)`.
template <typename Item, typename Read>
Result<std::vector<Item>> read_items(const std::string& where, std::string_view text, Read read) {
  const Result<std::vector<std::string_view>> items = list_items(where, text);
  if (!items.ok()) return items.error();
  std::vector<Item> values;
  for (const std::string_view item : items.value()) {
    Result<Item> value = read(where + "[" + std::to_string(values.size()) + "]", trimmed(item));
    if (!value.ok()) return value.error();
    values.push_back(std::move(value).value());
  }
  return values;
}

}  // namespace

Result<std::vector<Rational>> read_exact_list(const std::string& where, std::string_view text) {
  return read_items<Rational>(where, text, read_exact);
}

Result<std::vector<std::vector<Rational>>> read_exact_rows(const std::string& where,
                                                           std::string_view text) {
  return read_items<std::vector<Rational>>(where, text, read_exact_list);
}

}  // namespace lockstep::cli
