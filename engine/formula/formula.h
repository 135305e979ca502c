// Formulas of exercise files and of typed expressions: + - * / ^, parentheses, names, exact decimal
// numbers, calls of functions from a table; conditions compare two formulas. Evaluation is exact.
// There is nothing else in the language: no assignment, no loops, no member access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/decimal.h"
#include "core/rational.h"
#include "core/result.h"
#include "formula/functions.h"

namespace lockstep {

/// Limits of one formula (or condition): far above what an exercise needs, low enough that the
/// worst formula costs under a millisecond. Bounded tokens bound the operations below 10,000: one
/// token is at most one power, and a power that fits into Rational at most 24 multiplications.
inline constexpr int kFormulaTokensMax = 256;
inline constexpr int kFormulaDepthMax = 32;

/// Values by name, in the order in which they were first set.
class Environment {
 public:
  /// Sets or replaces a value.
  void set(std::string_view name, const Rational& value);
  /// The value, or nullptr; valid until the next set().
  const Rational* find(std::string_view name) const;
  /// Every name; the views are valid until the next set().
  std::vector<std::string_view> names() const;

 private:
  struct Entry {
    std::string name;
    Rational value;
  };
  std::vector<Entry> entries_;
};

/// What a formula may mention. Only read while parsing.
struct Vocabulary {
  std::span<const std::string_view> names;
  std::span<const Function> functions;
};

/// How a formula is written out.
enum class FormulaText : std::uint8_t {
  source,   ///< can be parsed again: "a * (b - 1)"
  display,  ///< for reading: "a × (b − 1)"
};

/// A parsed formula: the tree in postfix order, so that nothing that reads it has to recurse. A
/// default one is empty: it can be assigned to, not evaluated.
class Formula {
 public:
  enum class Operation : std::uint8_t {
    number,
    name,
    negate,
    add,
    subtract,
    multiply,
    divide,
    power,
    call,
  };
  /// Its operands are the nodes before it: none, one (negate), two, or a function's parameters.
  struct Node {
    Operation operation;
    std::size_t index = 0;   ///< into numbers(), names() or functions(), for those three
    std::size_t column = 1;  ///< of its token
  };

  /// The value in an environment. Errors: unknown_name, division_by_zero, too_large,
  /// exponent_not_whole, outside_domain; `where` is the column ("column 7") of the operation.
  Result<Rational> evaluate(const Environment& environment) const;

  /// The formula with the parentheses that it needs and no others. Numbers in the marks of
  /// `locale`, for display only.
  std::string text(FormulaText form = FormulaText::source, const Locale* locale = nullptr) const;

  std::span<const Node> nodes() const { return nodes_; }
  std::span<const Rational> numbers() const { return numbers_; }
  /// The names it mentions, each once, in order of appearance.
  std::span<const std::string> names() const { return names_; }
  std::span<const Function> functions() const { return functions_; }

 private:
  friend class FormulaParser;

  std::vector<Node> nodes_;
  std::vector<Rational> numbers_;
  std::vector<std::string> names_;
  std::vector<Function> functions_;
};

/// Parses a formula. Errors: bad_utf8, empty_formula, unexpected_character, unexpected_token,
/// unknown_name and unknown_function (with the nearest known one), wrong_argument_count,
/// too_many_tokens, too_deep, and those of rational_from_decimal; `where` is the column, counted
/// in characters from 1.
Result<Formula> parse_formula(std::string_view text, const Vocabulary& vocabulary);

/// Two formulas and how they have to compare.
struct Condition {
  enum class Relation : std::uint8_t {
    less,
    less_or_equal,
    greater,
    greater_or_equal,
    equal,
    not_equal,
  };
  Formula left;
  Relation relation = Relation::less;
  Formula right;

  /// Whether it holds; errors as of Formula::evaluate.
  Result<bool> holds(const Environment& environment) const;
  /// As Formula::text.
  std::string text(FormulaText form = FormulaText::source, const Locale* locale = nullptr) const;
};

/// Parses "a < b" with one of < <= > >= = == !=. Errors as of parse_formula.
Result<Condition> parse_condition(std::string_view text, const Vocabulary& vocabulary);

}  // namespace lockstep
