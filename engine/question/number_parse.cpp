#include "question/number_parse.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/text.h"
#include "formula/formula.h"
#include "question/number_marks.h"

namespace lockstep {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::string in_quotes(std::string_view text) {
  return '"' + std::string(text) + '"';
}

/// Reads the parts of a number off the front of folded text.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  std::string_view rest() const { return text_.substr(at_); }
  std::size_t position() const { return at_; }
  void back_to(std::size_t position) { at_ = position; }

  void skip_spaces() {
    while (peek() == ' ') ++at_;
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  std::string_view digits() {
    return while_true([this] { return is_digit(peek()); });
  }
  /// Digits, marks, and single spaces between two digits.
  std::string_view run() {
    return while_true([this] {
      const bool space = peek() == ' ' && at_ > 0 && is_digit(text_[at_ - 1]) && is_digit(peek(1));
      const bool mark = peek() == '.' || peek() == ',' || (peek() == '\'' && is_digit(peek(1)));
      return is_digit(peek()) || mark || space;
    });
  }

 private:
  template <typename Condition>
  std::string_view while_true(Condition condition) {
    const std::size_t start = at_;
    while (condition()) ++at_;
    return text_.substr(start, at_ - start);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Error number_error(std::string code, std::size_t position, std::string message) {
  return {std::move(code), "character " + std::to_string(position + 1), std::move(message)};
}

/// An exponent: digits with a sign, in parentheses or not; at most four digits count, since a
/// longer one is out of range anyway.
std::optional<int> take_exponent(Cursor& cursor) {
  const bool bracketed = cursor.take('(');
  cursor.skip_spaces();
  const bool negative = cursor.peek() == '-';
  if (negative || cursor.peek() == '+') cursor.take(cursor.peek());
  const std::string_view digits = cursor.digits();
  cursor.skip_spaces();
  if (digits.empty() || (bracketed && !cursor.take(')'))) return std::nullopt;
  int exponent = 0;
  for (const char digit : digits) exponent = std::min(9999, 10 * exponent + (digit - '0'));
  return negative ? -exponent : exponent;
}

/// "e-1", "E+14", "*10^-1", " x 10^14", "·10^(-7)", "*10**3", behind a mantissa.
std::optional<int> take_scientific(Cursor& cursor) {
  const std::size_t start = cursor.position();
  if (lower(cursor.peek()) == 'e') {
    const bool sign = cursor.peek(1) == '-' || cursor.peek(1) == '+';
    if (!is_digit(cursor.peek(sign ? 2 : 1))) return std::nullopt;
    cursor.take(cursor.peek());
    return take_exponent(cursor);
  }
  cursor.skip_spaces();
  const bool times = cursor.take('*') || cursor.take('x') || cursor.take('X') ||
                     (cursor.take('\xc2') && cursor.take('\xb7'));
  cursor.skip_spaces();
  if (times && cursor.take('1') && cursor.take('0')) {
    cursor.skip_spaces();
    if (cursor.take('^') || (cursor.take('*') && cursor.take('*'))) {
      cursor.skip_spaces();
      if (const auto exponent = take_exponent(cursor)) return exponent;
    }
  }
  cursor.back_to(start);
  return std::nullopt;
}

/// Significant figures of the digits of a mantissa: of a zero its decimals count, at least one.
void count_figures(const MarkedDigits& digits, TypedNumber& number) {
  const std::string all = digits.whole + digits.behind;
  const std::size_t first = all.find_first_not_of('0');
  if (first == std::string::npos) {
    number.figures_min = number.figures_max = std::max(1, static_cast<int>(digits.behind.size()));
    return;
  }
  number.figures_max = static_cast<int>(all.size() - first);
  const std::size_t last = all.find_last_not_of('0');
  number.figures_min = digits.has_mark ? number.figures_max : static_cast<int>(last - first + 1);
}

/// One parse of one folded text.
class NumberReader {
 public:
  NumberReader(std::string_view text, const ParseOptions& options)
      : options_(options), cursor_(text) {}

  Result<TypedNumber> read() {
    cursor_.skip_spaces();
    negative_ = cursor_.take('-');
    if (!negative_) cursor_.take('+');
    cursor_.skip_spaces();
    const std::string_view run = cursor_.run();
    if (run.empty()) {
      return number_error("not_a_number", cursor_.position(),
                          "Type a number, such as 0.5, 3/4 or 6e14.");
    }
    const std::size_t behind_run = cursor_.position();
    cursor_.skip_spaces();
    if (cursor_.take('/') && is_digit(first_behind_spaces())) return fraction(run);
    cursor_.back_to(behind_run);
    return decimal(run);
  }

 private:
  char first_behind_spaces() {
    cursor_.skip_spaces();
    return cursor_.peek();
  }

  std::string sign() const { return negative_ ? "\u2212" : ""; }

  Result<TypedNumber> decimal(std::string_view run) {
    const Result<MarkedDigits> sorted =
        sort_out_marks(run, options_.locale, options_.ask_when_ambiguous);
    if (!sorted.ok()) return sorted.error();
    const MarkedDigits& digits = sorted.value();
    std::optional<int> exponent = take_scientific(cursor_);
    const bool power_alone = !exponent && run == "10" && cursor_.peek() == '^';
    if (power_alone) {
      cursor_.take('^');
      exponent = take_exponent(cursor_);
      if (!exponent) return trailing(cursor_.position());
    }
    TypedNumber number;
    const std::string plain = power_alone ? "1e" + std::to_string(*exponent)
                                          : digits.whole + '.' + digits.behind + 'e' +
                                                std::to_string(exponent.value_or(0));
    const Result<Rational> value = rational_from_decimal(plain);
    if (!value.ok()) return number_error(value.error().code, 0, value.error().message);
    number.value = negative_ ? -value.value() : value.value();
    number.mantissa_places = static_cast<int>(digits.behind.size());
    number.places = number.mantissa_places - exponent.value_or(0);
    count_figures(power_alone ? MarkedDigits{"1", "", false} : digits, number);
    number.form = exponent                ? NumberForm::scientific
                  : digits.behind.empty() ? NumberForm::integer
                                          : NumberForm::decimal;
    number.normal = normal_decimal(digits, power_alone, exponent);
    return finish(std::move(number));
  }

  std::string normal_decimal(const MarkedDigits& digits, bool power_alone,
                             std::optional<int> exponent) const {
    std::string text = sign();
    if (!power_alone) {
      const std::size_t first = digits.whole.find_first_not_of('0');
      text += first == std::string::npos ? "0" : digits.whole.substr(first);
      if (!digits.behind.empty()) {
        text += options_.locale ? options_.locale->decimal_mark : ".";
        text += digits.behind;
      }
    }
    if (!exponent) return text;
    return text + (power_alone ? "10" : "\u00d710") + superscript_text(*exponent);
  }

  /// "3/11", "6 2/3"; `run` is what stands before the slash, the cursor behind it.
  Result<TypedNumber> fraction(std::string_view run) {
    const std::string_view denominator = cursor_.digits();
    std::string_view whole;
    std::string_view numerator = run;
    if (const std::size_t space = run.find(' '); space != std::string_view::npos) {
      whole = run.substr(0, space);
      numerator = run.substr(space + 1);
    }
    if (!std::ranges::all_of(numerator, is_digit) || !std::ranges::all_of(whole, is_digit)) {
      return number_error("not_a_number", 0,
                          "Type a fraction with plain whole numbers, such as 3/4 or 1 3/4.");
    }
    // "1 234/567" is 1234/567 or 1 and 234/567.
    if (!whole.empty() && numerator.size() == 3 && whole.size() <= 3 && whole[0] != '0') {
      return number_error("ambiguous_space", 0,
                          in_quotes(run) + " before the slash can be misread: type the fraction " +
                              "without a space, or as a decimal number.");
    }
    const auto part = [](std::string_view digits) { return rational_from_decimal(digits); };
    const Result<Rational> top = part(numerator);
    const Result<Rational> bottom = part(denominator);
    const Result<Rational> front = part(whole.empty() ? "0" : whole);
    for (const Result<Rational>* one_part : {&top, &bottom, &front}) {
      if (!one_part->ok())
        return number_error(one_part->error().code, 0, one_part->error().message);
    }
    if (bottom.value().is_zero()) {
      return number_error("division_by_zero", cursor_.position() - 1,
                          "The number below the line is zero: that fraction has no value.");
    }
    if (!whole.empty() && top.value() >= bottom.value()) {
      return number_error("other_form", 0,
                          "In a mixed number the fraction is below one, as in 6 2/3.");
    }
    TypedNumber number;
    const Rational size = front.value() + top.value() / bottom.value();
    number.value = negative_ ? -size : size;
    number.form = !whole.empty() ? NumberForm::mixed
                  : size < 1     ? NumberForm::proper_fraction
                                 : NumberForm::improper_fraction;
    number.exact = true;
    number.reduced = (top.value() / bottom.value()).denominator() == bottom.value().numerator();
    number.normal = sign() + (whole.empty() ? "" : std::string(whole) + ' ') +
                    std::string(numerator) + '/' + std::string(denominator);
    return finish(std::move(number));
  }

  /// What stands behind the number: a percent sign, a unit, or something that does not belong.
  Result<TypedNumber> finish(TypedNumber number) {
    cursor_.skip_spaces();
    if (cursor_.take('%') || cursor_.take_word("percent") || cursor_.take_word("per cent")) {
      number.value /= 100;
      number.places += 2;
      number.form = NumberForm::percent;
      number.normal += " %";
      cursor_.skip_spaces();
    }
    const std::string_view rest = trimmed(cursor_.rest());
    if (rest.empty()) return number;
    if (rest == "*") {
      number.unit = "x";  // "6.667×"
      return number;
    }
    const bool word = is_letter(rest[0]) || static_cast<unsigned char>(rest[0]) >= 0x80;
    if (!word || number.form == NumberForm::percent || rest.starts_with("\u00b7"))
      return trailing(cursor_.position());
    number.unit = std::string(rest);
    return number;
  }

  Error trailing(std::size_t position) const {
    return number_error("trailing_text", position,
                        in_quotes(trimmed(cursor_.rest())) +
                            " behind the number is not understood: type the number alone.");
  }

  const ParseOptions& options_;
  Cursor cursor_;
  bool negative_ = false;
};

/// Whether the text is a calculation: everything a formula of plain numbers consists of, and an
/// operator.
bool looks_like_expression(std::string_view text) {
  return std::ranges::any_of(text, is_digit) &&
         text.find_first_of("+-*/^()") != std::string_view::npos &&
         std::ranges::all_of(text, [](char c) {
           constexpr std::string_view kSigns = "+-*/^()., ";
           return is_digit(c) || kSigns.find(c) != std::string_view::npos;
         });
}

Result<TypedNumber> read_expression(std::string_view text, const ParseOptions& options) {
  if (!options.expressions) {
    return number_error("expression_not_allowed", 0,
                        "A number is asked for, not a calculation: work it out first.");
  }
  const bool comma_is_decimal = options.locale && options.locale->decimal_mark == ",";
  const char stray = comma_is_decimal ? '.' : ',';
  if (const std::size_t at = text.find(stray); at != std::string_view::npos) {
    return number_error(comma_is_decimal ? "ambiguous_dot" : "ambiguous_comma", at,
                        std::string("In a calculation the decimal mark is ") +
                            (comma_is_decimal ? "a comma" : "a point") +
                            " and nothing groups digits.");
  }
  std::string plain(text);
  if (comma_is_decimal) std::ranges::replace(plain, ',', '.');
  const Result<Formula> formula = parse_formula(plain, {});
  if (!formula.ok()) {
    return Error{"bad_expression", formula.error().where,
                 "The calculation cannot be read at " + formula.error().where + ". " +
                     formula.error().message};
  }
  const Result<Rational> value = formula.value().evaluate({});
  if (!value.ok()) {
    const bool zero = value.error().code == "division_by_zero";
    return Error{zero ? "division_by_zero" : "bad_expression", value.error().where,
                 "The calculation has no value. " + value.error().message};
  }
  TypedNumber number;
  number.value = value.value();
  number.form = NumberForm::expression;
  number.exact = true;
  number.normal = formula.value().text(FormulaText::display, options.locale);
  return number;
}

/// "inf", "-Infinity", "NaN", "∞".
bool is_not_finite(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text = trimmed(text.substr(1));
  std::string word(text);
  std::ranges::transform(word, word.begin(), lower);
  constexpr std::array<std::string_view, 4> kWords = {"inf", "infinity", "nan", "\u221e"};
  return std::ranges::find(kWords, word) != kWords.end();
}

TypedNumber unit_coefficient(bool negative) {
  TypedNumber number;
  number.value = negative ? -1 : 1;
  number.normal = negative ? "\u22121" : "1";
  return number;
}

}  // namespace

Rational last_place(const TypedNumber& number) {
  return number.exact ? Rational() : ten_to(-number.places);
}

Result<TypedNumber> parse_number(std::string_view typed, const ParseOptions& options) {
  const Result<std::string> folded = fold_typed(typed);
  if (!folded.ok()) return folded.error();
  const std::string_view text = trimmed(folded.value());
  const bool no_digits = text.empty() || text == "-" || text == "+";
  if (no_digits && options.coefficient) return unit_coefficient(text == "-");
  if (text.empty()) return number_error("blank", 0, "Nothing is typed yet.");
  if (is_not_finite(text)) {
    return number_error("not_finite", 0, "The answer is a finite number.");
  }
  Result<TypedNumber> number = NumberReader(text, options).read();
  if (number.ok() || !looks_like_expression(text)) return number;
  // A number that fails for its own reason keeps that reason: "1 2 3", "3/0", "0.273.".
  const std::string& code = number.error().code;
  if (code != "not_a_number" && code != "trailing_text") return number;
  return read_expression(text, options);
}

}  // namespace lockstep
