// Which keys an object of a file may have: as tables, so that the reader, the schema for editors
// and the tests speak of the same thing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "document/file_fault.h"
#include "document/limits.h"
#include "document/value.h"

namespace lockstep {

/// What the value of a key must be.
enum class Form {
  text,     ///< a text that is not empty
  line,     ///< a line of code: a text that may be empty
  url,      ///< an address that begins with https://
  id,       ///< lower-case letters, digits and hyphens, beginning with a letter: "real-speedup"
  symbol,   ///< a name in formulas: lower-case letters, digits and underscores: "compute_s"
  prose,    ///< a paragraph, or a list of paragraphs and "- " items (prose/prose.h)
  formula,  ///< a formula as text (formula/)
  number,   ///< a JSON number
  integer,  ///< a JSON number without a fraction, within the row's limits
  flag,     ///< true or false
  object,   ///< an object of the row's table
  list,     ///< a list of the row's item form
  map,      ///< an object whose keys are symbols and whose values have the row's item form
  answers,  ///< an object whose keys are any text and whose values are texts
};

enum class Need { required, optional };

struct KeyTable;

/// One key of an object.
struct KeyRow {
  std::string_view name;
  Form form = Form::text;
  Need need = Need::required;
  Form item = Form::text;           ///< of a list or a map
  const KeyTable* table = nullptr;  ///< of an object, or of the objects in a list or a map
  std::int64_t least = 0;           ///< of an integer
  std::int64_t most = 0;            ///< of an integer
  std::size_t items_least = 1;      ///< of a list, a map or answers
  std::size_t items_most = kMaxItems;
};

/// What an object is when its `selector` names this case: the table's keys and these.
struct KeyCase {
  std::string_view name;
  const KeyTable* table;
};

/// The keys of one kind of object.
struct KeyTable {
  std::string_view name;  ///< its definition in exercises/schema
  std::span<const KeyRow> rows;
  std::string_view selector = {};  ///< the key (a text) that decides between `cases`, or empty
  std::span<const KeyCase> cases = {};
};

/// Notes every way in which `node` differs from `table`: unknown keys (with the nearest known one),
/// missing keys, wrong types, empty texts, malformed names, numbers out of range; all the way down.
void check_keys(const FileNode& node, const KeyTable& table, FileFaults& faults);

/// Whether `text` has the form of an id or of a symbol and is no name that JavaScript reserves.
bool is_id(std::string_view text);
bool is_symbol(std::string_view text);

/// The text of a node, or "" when it is missing or no text (which check_keys has noted).
std::string_view text_of(const FileNode& node);
/// The number of a node that check_keys found to be an integer, or `otherwise`.
std::int64_t integer_of(const FileNode& node, std::int64_t otherwise);
/// Whether a flag is there and true.
bool flag_of(const FileNode& node);

}  // namespace lockstep
