// Recursive descent, each rule writing its nodes in postfix order:
//   condition = sum relation sum
//   sum       = product { (+|-) product }
//   product   = signed { (*|/) signed }
//   signed    = { + | - } power
//   power     = operand [ ^ signed ]          -2^2 is -4, 2^3^2 is 2^9
//   operand   = number | name | name ( sum { , sum } ) | ( sum )
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/nearest.h"
#include "core/text.h"
#include "formula/formula.h"
#include "formula/lexer.h"

namespace lockstep {

/// Parses one text. A rule that fails sets error_ and returns false; nothing is read after that.
class FormulaParser {
 public:
  FormulaParser(std::string_view text, const Vocabulary& vocabulary)
      : lexer_(text), vocabulary_(vocabulary) {}

  Result<Formula> formula() {
    Formula result;
    if (!start() || !whole_sum(result)) return *std::move(error_);
    if (token_.kind != TokenKind::end && !unexpected("an operator or the end")) {
      return *std::move(error_);
    }
    return result;
  }

  Result<Condition> condition() {
    Condition result;
    if (!start() || !whole_sum(result.left)) return *std::move(error_);
    if (token_.kind != TokenKind::relation && !unexpected("one of < <= > >= = !=")) {
      return *std::move(error_);
    }
    result.relation = relation_of(token_.text);
    if (!advance() || !whole_sum(result.right)) return *std::move(error_);
    if (token_.kind != TokenKind::end && !unexpected("an operator or the end")) {
      return *std::move(error_);
    }
    return result;
  }

 private:
  using Operation = Formula::Operation;

  /// One level of nesting; refuses the level past the limit.
  class Level {
   public:
    explicit Level(FormulaParser& parser) : parser_(parser) { ++parser_.depth_; }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    bool fits() const {
      return parser_.depth_ <= kFormulaDepthMax ||
             parser_.fail("too_deep", parser_.token_.column,
                          "Nested deeper than " + std::to_string(kFormulaDepthMax) + " levels.");
    }

   private:
    FormulaParser& parser_;
  };

  static Condition::Relation relation_of(std::string_view sign) {
    using Relation = Condition::Relation;
    if (sign == "<") return Relation::less;
    if (sign == "<=") return Relation::less_or_equal;
    if (sign == ">") return Relation::greater;
    if (sign == ">=") return Relation::greater_or_equal;
    return sign == "!=" ? Relation::not_equal : Relation::equal;
  }

  bool fail(std::string code, std::size_t column, std::string message) {
    error_ = Error{std::move(code), column_text(column), std::move(message)};
    return false;
  }

  bool unexpected(std::string_view expected) {
    const std::string found =
        token_.kind == TokenKind::end ? "the formula ends" : '"' + std::string(token_.text) + '"';
    return fail("unexpected_token", token_.column,
                "Expected " + std::string(expected) + ", but here is " + found + ".");
  }

  bool start() {
    if (!advance()) return false;
    return token_.kind != TokenKind::end || fail("empty_formula", 1, "A formula is missing here.");
  }

  bool advance() {
    Result<Token> next = lexer_.next();
    if (!next.ok()) {
      error_ = next.error();
      return false;
    }
    token_ = next.value();
    if (token_.kind != TokenKind::end && ++tokens_ > kFormulaTokensMax) {
      return fail("too_many_tokens", token_.column,
                  "A formula has at most " + std::to_string(kFormulaTokensMax) +
                      " numbers, names and signs.");
    }
    return true;
  }

  void emit(Operation operation, std::size_t column, std::size_t index = 0) {
    out_->nodes_.push_back({operation, index, column});
  }

  bool whole_sum(Formula& out) {
    out_ = &out;
    return sum();
  }

  bool sum() {
    if (!product()) return false;
    while (token_.kind == TokenKind::plus || token_.kind == TokenKind::minus) {
      const Token sign = token_;
      if (!advance() || !product()) return false;
      emit(sign.kind == TokenKind::plus ? Operation::add : Operation::subtract, sign.column);
    }
    return true;
  }

  bool product() {
    if (!signed_power()) return false;
    while (token_.kind == TokenKind::times || token_.kind == TokenKind::divided) {
      const Token sign = token_;
      if (!advance() || !signed_power()) return false;
      emit(sign.kind == TokenKind::times ? Operation::multiply : Operation::divide, sign.column);
    }
    return true;
  }

  bool signed_power() {
    const Level level(*this);
    if (!level.fits()) return false;
    if (token_.kind != TokenKind::plus && token_.kind != TokenKind::minus) return power();
    const Token sign = token_;
    if (!advance() || !signed_power()) return false;
    if (sign.kind == TokenKind::minus) emit(Operation::negate, sign.column);
    return true;
  }

  bool power() {
    if (!operand()) return false;
    if (token_.kind != TokenKind::power) return true;
    const std::size_t column = token_.column;
    if (!advance() || !signed_power()) return false;
    emit(Operation::power, column);
    return true;
  }

  bool operand() {
    if (token_.kind == TokenKind::number) return number();
    if (token_.kind == TokenKind::name) return name_or_call();
    if (token_.kind != TokenKind::left_parenthesis) {
      return unexpected("a number, a name or \"(\"");
    }
    if (!advance() || !sum()) return false;
    if (token_.kind != TokenKind::right_parenthesis) return unexpected("an operator or \")\"");
    return advance();
  }

  bool number() {
    const Result<Rational> value = rational_from_decimal(token_.text);
    if (!value.ok()) {
      return fail(value.error().code, token_.column,
                  '"' + std::string(token_.text) + "\": " + value.error().message);
    }
    emit(Operation::number, token_.column, out_->numbers_.size());
    out_->numbers_.push_back(value.value());
    return advance();
  }

  bool name_or_call() {
    const Token name = token_;
    if (!advance()) return false;
    return token_.kind == TokenKind::left_parenthesis ? call(name) : variable(name);
  }

  bool variable(const Token& name) {
    if (std::ranges::find(vocabulary_.names, name.text) == vocabulary_.names.end()) {
      return fail("unknown_name", name.column,
                  '"' + std::string(name.text) + "\" is not defined here" +
                      did_you_mean(name.text, vocabulary_.names) + '.');
    }
    std::vector<std::string>& names = out_->names_;
    const auto at = std::ranges::find(names, name.text);
    emit(Operation::name, name.column, static_cast<std::size_t>(at - names.begin()));
    if (at == names.end()) names.emplace_back(name.text);
    return true;
  }

  bool call(const Token& name) {
    const auto function = std::ranges::find(vocabulary_.functions, name.text, &Function::name);
    if (function == vocabulary_.functions.end()) return unknown_function(name);
    int arguments = 0;
    do {
      if (!advance()) return false;
      if (arguments == 0 && token_.kind == TokenKind::right_parenthesis) break;
      if (!sum()) return false;
      ++arguments;
    } while (token_.kind == TokenKind::comma);
    if (token_.kind != TokenKind::right_parenthesis) {
      return unexpected("an operator, \",\" or \")\"");
    }
    if (arguments != function->parameters) {
      return fail("wrong_argument_count", name.column,
                  std::string(name.text) + " takes " + std::to_string(function->parameters) +
                      (function->parameters == 1 ? " value, not " : " values, not ") +
                      std::to_string(arguments) + ": " + std::string(function->about) + '.');
    }
    emit(Operation::call, name.column, out_->functions_.size());
    out_->functions_.push_back(*function);
    return advance();
  }

  bool unknown_function(const Token& name) {
    std::vector<std::string_view> known;
    for (const Function& function : vocabulary_.functions) known.push_back(function.name);
    return fail("unknown_function", name.column,
                "There is no function \"" + std::string(name.text) + '"' +
                    did_you_mean(name.text, known) + '.');
  }

  Lexer lexer_;
  const Vocabulary& vocabulary_;
  Token token_;
  int tokens_ = 0;
  int depth_ = 0;
  Formula* out_ = nullptr;  // the formula being written
  std::optional<Error> error_;
};

namespace {

std::optional<Error> malformed(std::string_view text) {
  const auto bad = first_bad_utf8(text);
  if (!bad) return std::nullopt;
  return Error{"bad_utf8", column_text(character_count(text.substr(0, *bad)) + 1),
               "The formula is not readable text (malformed UTF-8)."};
}

}  // namespace

Result<Formula> parse_formula(std::string_view text, const Vocabulary& vocabulary) {
  if (const auto error = malformed(text)) return *error;
  return FormulaParser(text, vocabulary).formula();
}

Result<Condition> parse_condition(std::string_view text, const Vocabulary& vocabulary) {
  if (const auto error = malformed(text)) return *error;
  return FormulaParser(text, vocabulary).condition();
}

}  // namespace lockstep
