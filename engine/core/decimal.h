// Text of an exact fraction: rounded, exact, percent, scientific, fraction, mixed number, in the
// marks of a locale. Every text made here is read back as the same number by question/number under
// the same locale; that is why a comma locale groups by thin spaces ("6.667" there has two
// readings) and why fractions are never grouped.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/rational.h"

namespace lockstep {

/// How a page writes numbers.
struct Locale {
  std::string_view id;            ///< "en", "de", "fr", "ch", "in"
  std::string_view decimal_mark;  ///< "." or ","
  std::string_view group_mark;    ///< between groups of digits when shown
  bool groups_of_two = false;     ///< 12,34,567: three digits, then twos (in)
};

/// Every locale that a page may declare.
std::span<const Locale> locales();

/// The row with this id, or nullptr.
const Locale* find_locale(std::string_view id);

/// How a number is written. Without a locale: decimal point, groups by narrow no-break spaces.
struct NumberStyle {
  const Locale* locale = nullptr;
  bool group = true;   ///< from five whole digits on: 1234 but 12 345
  bool ascii = false;  ///< '-' for U+2212, "6e14" for "6×10¹⁴", no grouping
};

/// `places` decimals (0 or more), ties away from zero: 20/3, 3 → "6.667". 0 has no minus.
std::string fixed_text(const Rational& x, int places, const NumberStyle& style = {});

/// All digits, where they are finite and at most kDigitsMax: 32/5 → "6.4"; 1/3 → nothing.
std::optional<std::string> exact_text(const Rational& x, const NumberStyle& style = {});

/// The shortest exact form: "6.4" for 32/5, "20/3" where the digits do not end.
std::string shortest_text(const Rational& x, const NumberStyle& style = {});

/// `figures` significant figures, ties away from zero: 1174.34, 3 → "1170"; 0.001234, 2 → "0.0012".
std::string figures_text(const Rational& x, int figures, const NumberStyle& style = {});

/// One digit before the mark and a power of ten: 3/11, 3 → "2.73×10⁻¹" (ASCII: "2.73e-1").
std::string scientific_text(const Rational& x, int figures, const NumberStyle& style = {});

/// A whole number in raised digits: −9 → "⁻⁹".
std::string superscript_text(int number);

/// x in hundredths with `places` decimals and the sign: 3/11, 1 → "27.3 %" (no-break space).
std::string percent_text(const Rational& x, int places, const NumberStyle& style = {});

/// "3/11", "-20/3", "256".
std::string fraction_text(const Rational& x, const NumberStyle& style = {});

/// Whole part and proper fraction: "6 2/3" (no-break space); fraction_text where one part is 0.
std::string mixed_text(const Rational& x, const NumberStyle& style = {});

}  // namespace lockstep
