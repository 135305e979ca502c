// The words after `lockstep COMMAND`, checked against what the command declares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace lockstep::cli {

/// "1 file", "2 files".
std::string counted(std::size_t count, std::string_view noun);

/// One `--name VALUE` (or `--name` alone) that a command takes.
struct Option {
  std::string_view name;         ///< with its dashes: "--seed"
  std::string_view placeholder;  ///< "N"; empty: a switch without a value
  std::string_view description;  ///< one line, with the default where there is one
  bool required = false;
};

/// What the command was called with.
class Arguments {
 public:
  /// Reads `words` (all after the command). Operands are the words that begin no option; `-o` is
  /// short for `--output`; after `--` everything is an operand.
  /// Errors (code bad_use): unknown option with the nearest name, a value missing, an option given
  /// twice, a required option missing, too few or too many operands.
  static Result<Arguments> parse(std::span<const std::string_view> words,
                                 std::span<const Option> options, int operands_min,
                                 int operands_max);

  const std::vector<std::string>& operands() const { return operands_; }
  bool has(std::string_view name) const { return values_.contains(name); }

  /// The value as text, or `fallback` when the option was not given.
  std::string text(std::string_view name, std::string_view fallback = "") const;

  /// A whole number within [least, most], or `fallback` when the option was not given.
  Result<long> integer(std::string_view name, long fallback, long least, long most) const;

  /// A seed: any 64-bit unsigned number.
  Result<std::uint64_t> seed(std::uint64_t fallback) const;

  /// One of `words`, or the first of them when the option was not given.
  Result<std::string> word(std::string_view name, std::span<const std::string_view> words) const;

 private:
  std::vector<std::string> operands_;
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace lockstep::cli
