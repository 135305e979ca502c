// Reading formulas, prose and numbers out of a file, with the place of everything that is wrong.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/rational.h"
#include "document/file_fault.h"
#include "document/value.h"
#include "formula/formula.h"
#include "prose/prose.h"

namespace lockstep {

/// What every reader needs: where faults go and what formulas may mention.
struct Reading {
  FileFaults& faults;
  std::vector<std::string_view> names;
  std::span<const Function> functions;

  Vocabulary vocabulary() const { return {names, functions}; }
  /// The same with one more name.
  Reading with(std::string_view name) const;
};

/// Each of these gives an empty value and notes a fault where the node is there but cannot be
/// read; a missing node, or one of the wrong kind (which check_keys has noted), gives an empty
/// value in silence.
std::optional<Formula> read_formula(const FileNode& node, const Reading& reading);
std::optional<Condition> read_condition(const FileNode& node, const Reading& reading);
ProseTemplate read_prose(const FileNode& node, const Reading& reading);
std::vector<ProseTemplate> read_prose_list(const FileNode& node, const Reading& reading);
std::optional<Rational> read_number(const FileNode& node, FileFaults& faults);
std::vector<std::pair<std::string, Rational>> read_number_map(const FileNode& node,
                                                              FileFaults& faults);
std::vector<std::string> read_texts(const FileNode& node);

/// Notes every id in `list` (objects with `key`) that another one before it has.
void check_unique(const FileNode& list, std::string_view key, FileFaults& faults);

}  // namespace lockstep
