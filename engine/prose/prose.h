// Prose of lessons: a small tree of text, with nothing in it that could become markup. An author
// writes paragraphs as texts:
//
//   "One device needs {single_s} s. *Idle* time is called `bubble`."   a paragraph
//   "- the data"                                                       an item of a list
//
// `code` is taken as it stands, *emphasis* may hold code and values, {formula} shows a value, and a
// backslash makes \* \` \{ \} \\ plain. Values are put in after parsing, as text.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/decimal.h"
#include "core/result.h"
#include "formula/formula.h"

namespace lockstep {

enum class SpanKind {
  text,
  code,
  emphasis,  ///< holds spans, no text
  value,     ///< a number that was put in: text that is not to be broken
};

/// A run of characters within a paragraph.
struct Span {
  SpanKind kind = SpanKind::text;
  std::string text;
  std::vector<Span> spans;

  bool operator==(const Span&) const = default;
};

/// A paragraph (one line) or a list (a line an item).
struct Block {
  bool is_list = false;
  std::vector<std::vector<Span>> lines;

  bool operator==(const Block&) const = default;
};

/// Text that is ready to be shown.
using Prose = std::vector<Block>;

/// The characters alone: a line for each paragraph, a line with "- " for each item.
std::string plain_text(const Prose& prose);

/// What values are put in as.
struct ProseValues {
  const Environment* numbers = nullptr;  ///< by name
  /// Names that are shown as these texts where they stand alone between braces: the key as it is
  /// asked for, "6.667".
  std::vector<std::pair<std::string, std::string>> texts = {};
  NumberStyle style = {};
};

/// A fault of a text: which of the texts, which byte in it.
struct ProseFault {
  std::size_t text = 0;
  std::size_t offset = 0;
  std::string code;
  std::string message;
};

/// Prose whose values are still formulas. Parsed once, filled for each variant.
class ProseTemplate {
 public:
  /// Reads paragraphs and items; formulas may mention `vocabulary`. Every fault of every text is
  /// added to `faults`: unclosed_code, unclosed_emphasis, spaced_emphasis, unclosed_value,
  /// stray_brace, bad_escape, and those of parse_formula.
  static ProseTemplate parse(std::span<const std::string_view> texts, const Vocabulary& vocabulary,
                             std::vector<ProseFault>& faults);

  /// The prose with its values. Errors as of Formula::evaluate.
  Result<Prose> fill(const ProseValues& values) const;

  bool empty() const { return blocks_.empty(); }

  /// The formulas, in the order in which they stand.
  std::span<const Formula> formulas() const { return formulas_; }

 private:
  Prose blocks_;  // with value spans that are still empty
  std::vector<Formula> formulas_;
};

}  // namespace lockstep
