#include "formula/formula.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include "formula/lexer.h"

namespace lockstep {
namespace {

using Operation = Formula::Operation;
using Node = Formula::Node;

Error evaluation_error(std::string code, const Node& node, std::string message) {
  return {std::move(code), column_text(node.column), std::move(message)};
}

Error fault_error(Fault fault, const Node& node) {
  const char* code = fault == Fault::too_large          ? "too_large"
                     : fault == Fault::division_by_zero ? "division_by_zero"
                                                        : "outside_domain";
  return evaluation_error(code, node,
                          "This gives " + std::string(fault_text(fault)) + ", not a value.");
}

Rational raised(const Rational& base, const Rational& exponent) {
  if (!exponent.is_whole()) return Rational::faulty(Fault::outside_domain);
  const std::optional<std::int64_t> whole = to_int64(exponent);
  return whole ? power(base, *whole) : Rational::faulty(Fault::too_large);
}

Rational combined(Operation operation, const Rational& a, const Rational& b) {
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    default:
      return raised(a, b);
  }
}

std::size_t operands(const Formula& formula, const Node& node) {
  switch (node.operation) {
    case Operation::number:
    case Operation::name:
      return 0;
    case Operation::negate:
      return 1;
    case Operation::call:
      return static_cast<std::size_t>(formula.functions()[node.index].parameters);
    default:
      return 2;
  }
}

/// How tightly a piece of text holds together.
enum class Binding { sum, product, sign, power, operand };

struct Piece {
  std::string text;
  Binding binding;
};

/// Writes the nodes of one formula.
class FormulaWriter {
 public:
  FormulaWriter(FormulaText form, const Locale* locale) : form_(form), locale_(locale) {}

  Piece number(const Rational& value) const {
    const NumberStyle style{
        .locale = locale_, .group = false, .ascii = form_ == FormulaText::source};
    std::string text = shortest_text(value, style);
    // "6×10¹⁴" reads as the product it is.
    const bool product = text.find("\u00d7") != std::string::npos;
    return {std::move(text), product ? Binding::product : Binding::operand};
  }

  Piece call(const Function& function, std::span<const Piece> arguments) const {
    const bool comma_is_decimal =
        form_ == FormulaText::display && locale_ && locale_->decimal_mark == ",";
    std::string text = std::string(function.name) + '(';
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (i > 0) text += comma_is_decimal ? "; " : ", ";
      text += arguments[i].text;
    }
    return {text + ')', Binding::operand};
  }

  Piece negated(const Piece& operand) const {
    return {minus() + bound(operand, Binding::power), Binding::sign};
  }

  Piece joined(Operation operation, const Piece& left, const Piece& right) const {
    switch (operation) {
      case Operation::add:
        return chain(left, " + ", right, Binding::sum);
      case Operation::subtract:
        return chain(left, ' ' + minus() + ' ', right, Binding::sum);
      case Operation::multiply:
        return chain(left, form_ == FormulaText::source ? " * " : " \u00d7 ", right,
                     Binding::product);
      case Operation::divide:
        return chain(left, " / ", right, Binding::product);
      default:
        // Groups to the right: 2^3^2 is 2^(3^2).
        return {bound(left, Binding::operand) + '^' + bound(right, Binding::power), Binding::power};
    }
  }

 private:
  std::string minus() const { return form_ == FormulaText::source ? "-" : "\u2212"; }

  static std::string bound(const Piece& piece, Binding least) {
    return piece.binding >= least ? piece.text : '(' + piece.text + ')';
  }

  /// Groups to the left; a sign may lead but not follow an operator.
  static Piece chain(const Piece& left, const std::string& sign, const Piece& right,
                     Binding binding) {
    const Binding next = binding == Binding::sum ? Binding::product : Binding::power;
    const bool signed_right = right.binding == Binding::sign;
    return {bound(left, binding) + sign + bound(right, signed_right ? Binding::operand : next),
            binding};
  }

  FormulaText form_;
  const Locale* locale_;
};

const char* relation_text(Condition::Relation relation, FormulaText form) {
  const bool source = form == FormulaText::source;
  switch (relation) {
    case Condition::Relation::less:
      return " < ";
    case Condition::Relation::less_or_equal:
      return source ? " <= " : " \u2264 ";
    case Condition::Relation::greater:
      return " > ";
    case Condition::Relation::greater_or_equal:
      return source ? " >= " : " \u2265 ";
    case Condition::Relation::equal:
      return " = ";
    case Condition::Relation::not_equal:
      return source ? " != " : " \u2260 ";
  }
  return "";
}

}  // namespace

void Environment::set(std::string_view name, const Rational& value) {
  const auto at = std::ranges::find(entries_, name, &Entry::name);
  if (at != entries_.end()) {
    at->value = value;
  } else {
    entries_.push_back({std::string(name), value});
  }
}

const Rational* Environment::find(std::string_view name) const {
  const auto at = std::ranges::find(entries_, name, &Entry::name);
  return at == entries_.end() ? nullptr : &at->value;
}

std::vector<std::string_view> Environment::names() const {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries_) names.push_back(entry.name);
  return names;
}

Result<Rational> Formula::evaluate(const Environment& environment) const {
  assert(!nodes_.empty());
  std::vector<Rational> stack;
  for (const Node& node : nodes_) {
    const std::size_t count = operands(*this, node);
    const std::span<const Rational> arguments = std::span(stack).last(count);
    Rational value;
    if (node.operation == Operation::number) {
      value = numbers_[node.index];
    } else if (node.operation == Operation::name) {
      const Rational* bound = environment.find(names_[node.index]);
      if (bound == nullptr) {
        return evaluation_error("unknown_name", node,
                                '"' + names_[node.index] + "\" has no value.");
      }
      value = *bound;
    } else if (node.operation == Operation::call) {
      value = call(functions_[node.index], arguments);
    } else if (node.operation == Operation::negate) {
      value = -arguments[0];
    } else {
      value = combined(node.operation, arguments[0], arguments[1]);
      if (node.operation == Operation::power && !arguments[1].is_whole()) {
        return evaluation_error("exponent_not_whole", node,
                                "Only whole exponents have an exact value.");
      }
    }
    if (!value.ok()) return fault_error(value.fault(), node);
    stack.resize(stack.size() - count);
    stack.push_back(value);
  }
  return stack.back();
}

std::string Formula::text(FormulaText form, const Locale* locale) const {
  assert(!nodes_.empty());
  const FormulaWriter writer(form, locale);
  std::vector<Piece> stack;
  for (const Node& node : nodes_) {
    const std::size_t count = operands(*this, node);
    const std::span<const Piece> arguments = std::span(stack).last(count);
    Piece piece;
    if (node.operation == Operation::number) {
      piece = writer.number(numbers_[node.index]);
    } else if (node.operation == Operation::name) {
      piece = {names_[node.index], Binding::operand};
    } else if (node.operation == Operation::call) {
      piece = writer.call(functions_[node.index], arguments);
    } else if (node.operation == Operation::negate) {
      piece = writer.negated(arguments[0]);
    } else {
      piece = writer.joined(node.operation, arguments[0], arguments[1]);
    }
    stack.resize(stack.size() - count);
    stack.push_back(std::move(piece));
  }
  return std::move(stack.back().text);
}

Result<bool> Condition::holds(const Environment& environment) const {
  const Result<Rational> a = left.evaluate(environment);
  if (!a.ok()) return a.error();
  const Result<Rational> b = right.evaluate(environment);
  if (!b.ok()) return b.error();
  const auto order = a.value() <=> b.value();
  switch (relation) {
    case Relation::less:
      return order < 0;
    case Relation::less_or_equal:
      return order <= 0;
    case Relation::greater:
      return order > 0;
    case Relation::greater_or_equal:
      return order >= 0;
    case Relation::equal:
      return order == 0;
    case Relation::not_equal:
      return order != 0;
  }
  return false;
}

std::string Condition::text(FormulaText form, const Locale* locale) const {
  return left.text(form, locale) + relation_text(relation, form) + right.text(form, locale);
}

}  // namespace lockstep
