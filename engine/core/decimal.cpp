#include "core/decimal.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lockstep {
namespace {

constexpr std::string_view kMinus = "\u2212";
constexpr std::string_view kNarrowSpace = "\u202f";
constexpr std::string_view kNoBreakSpace = "\u00a0";
constexpr std::string_view kTimesTen = "\u00d710";

constexpr std::array kLocales = {
    Locale{"en", ".", ","},      Locale{"de", ",", kNarrowSpace}, Locale{"fr", ",", kNarrowSpace},
    Locale{"ch", ".", "\u2019"}, Locale{"in", ".", ",", true},
};

/// Shorter whole numbers are easier to read in one piece.
constexpr std::size_t kGroupedFrom = 5;
/// Sizes past these are easier to read as a power of ten.
constexpr int kPlainExponentMax = 14;
constexpr int kPlainExponentMin = -6;

bool plain_size(const Rational& x) {
  if (x.is_zero()) return true;
  const int exponent = leading_exponent(x);
  return exponent <= kPlainExponentMax && exponent >= kPlainExponentMin;
}

std::string minus_of(const Rational& x, const NumberStyle& style) {
  return x.sign() >= 0 ? "" : style.ascii ? "-" : std::string(kMinus);
}

std::string grouped(const std::string& digits, const NumberStyle& style) {
  if (!style.group || style.ascii || digits.size() < kGroupedFrom) return digits;
  const std::string_view mark = style.locale ? style.locale->group_mark : kNarrowSpace;
  const std::size_t step = style.locale && style.locale->groups_of_two ? 2 : 3;
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t left = digits.size() - i;
    if (i > 0 && left >= 3 && (left - 3) % step == 0) text += mark;
    text += digits[i];
  }
  return text;
}

/// Text of a number that is a whole multiple of 10^-places.
std::string positional(const Rational& x, int places, const NumberStyle& style) {
  const auto behind = static_cast<std::size_t>(places);
  std::string digits = (absolute(x) * ten_to(places)).numerator().to_text();
  if (digits.size() <= behind) digits.insert(0, behind + 1 - digits.size(), '0');
  const std::string whole = digits.substr(0, digits.size() - behind);
  std::string text = minus_of(x, style) + grouped(whole, style);
  if (places == 0) return text;
  text += style.locale && !style.ascii ? style.locale->decimal_mark : ".";
  return text + digits.substr(digits.size() - behind);
}

/// The smallest number of decimals that holds all of x; nothing where no number does.
std::optional<int> places_needed(const Rational& x) {
  const auto factors = [](Integer& number, std::int64_t prime) {
    int count = 0;
    for (;;) {
      const Integer::Division cut = divide(number, Integer(prime));
      if (!cut.remainder.is_zero()) return count;
      number = cut.quotient;
      ++count;
    }
  };
  Integer rest = x.denominator();
  const int twos = factors(rest, 2);
  const int fives = factors(rest, 5);
  if (rest != Integer(1)) return std::nullopt;
  return twos > fives ? twos : fives;
}

/// All significant figures of x when they are few enough to be typed.
std::optional<int> figures_needed(const Rational& x) {
  if (x.is_zero()) return 1;
  std::optional<int> places = places_needed(x);
  if (!places) return std::nullopt;
  const int exponent = leading_exponent(x);
  // A whole number may end in zeros that are not needed.
  while (*places <= 0 && *places > -exponent && (x * ten_to(*places - 1)).is_whole()) --*places;
  const int figures = exponent + *places + 1;
  return figures <= kDigitsMax ? std::optional(figures) : std::nullopt;
}

std::string in_brackets(Fault fault) {
  return '(' + std::string(fault_text(fault)) + ')';
}

}  // namespace

std::span<const Locale> locales() {
  return kLocales;
}

const Locale* find_locale(std::string_view id) {
  for (const Locale& locale : kLocales) {
    if (locale.id == id) return &locale;
  }
  return nullptr;
}

std::string fixed_text(const Rational& x, int places, const NumberStyle& style) {
  const Rational rounded = round_at(x, places, Rounding::half_away);
  return rounded.ok() ? positional(rounded, places, style) : in_brackets(rounded.fault());
}

std::optional<std::string> exact_text(const Rational& x, const NumberStyle& style) {
  if (!x.ok() || !figures_needed(x)) return std::nullopt;
  const int exponent = x.is_zero() ? 0 : leading_exponent(x);
  if (exponent >= kDigitsMax || exponent <= -kDigitsMax) return std::nullopt;
  return positional(x, *places_needed(x), style);
}

std::string shortest_text(const Rational& x, const NumberStyle& style) {
  if (!x.ok()) return in_brackets(x.fault());
  const std::optional<int> figures = figures_needed(x);
  if (!figures) return fraction_text(x, style);
  return plain_size(x) ? positional(x, *places_needed(x), style)
                       : scientific_text(x, *figures, style);
}

std::string figures_text(const Rational& x, int figures, const NumberStyle& style) {
  const Rational rounded = round_figures(x, figures, Rounding::half_away);
  if (!rounded.ok()) return in_brackets(rounded.fault());
  if (rounded.is_zero()) return positional(rounded, figures > 1 ? figures : 0, style);
  if (!plain_size(rounded)) return scientific_text(x, figures, style);
  const int places = figures - 1 - leading_exponent(rounded);
  return positional(rounded, places > 0 ? places : 0, style);
}

std::string scientific_text(const Rational& x, int figures, const NumberStyle& style) {
  const Rational rounded = round_figures(x, figures, Rounding::half_away);
  if (!rounded.ok()) return in_brackets(rounded.fault());
  if (rounded.is_zero()) return positional(rounded, figures > 1 ? figures : 0, style);
  const int exponent = leading_exponent(rounded);
  const std::string mantissa = positional(rounded * ten_to(-exponent), figures - 1, style);
  if (style.ascii) return mantissa + 'e' + std::to_string(exponent);
  return mantissa + std::string(kTimesTen) + superscript_text(exponent);
}

std::string superscript_text(int number) {
  constexpr std::array<std::string_view, 10> kDigits = {"\u2070", "\u00b9", "\u00b2", "\u00b3",
                                                        "\u2074", "\u2075", "\u2076", "\u2077",
                                                        "\u2078", "\u2079"};
  std::string text = number < 0 ? "\u207b" : "";
  for (const char digit : std::to_string(number < 0 ? -number : number)) {
    text += kDigits[static_cast<std::size_t>(digit - '0')];
  }
  return text;
}

std::string percent_text(const Rational& x, int places, const NumberStyle& style) {
  return fixed_text(x * 100, places, style) + (style.ascii ? " " : std::string(kNoBreakSpace)) +
         '%';
}

std::string fraction_text(const Rational& x, const NumberStyle& style) {
  if (!x.ok()) return in_brackets(x.fault());
  const std::string numerator = minus_of(x, style) + absolute(x).numerator().to_text();
  return x.is_whole() ? numerator : numerator + '/' + x.denominator().to_text();
}

std::string mixed_text(const Rational& x, const NumberStyle& style) {
  if (!x.ok()) return in_brackets(x.fault());
  const Rational size = absolute(x);
  const Rational whole = floor(size);
  if (whole.is_zero() || x.is_whole()) return fraction_text(x, style);
  return minus_of(x, style) + whole.numerator().to_text() +
         (style.ascii ? " " : std::string(kNoBreakSpace)) + fraction_text(size - whole, style);
}

}  // namespace lockstep
