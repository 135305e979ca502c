#include "prose/prose.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace lockstep {
namespace {

constexpr std::string_view kSpecial = "\\`*{}";

/// The number behind "column ", as a byte offset.
std::size_t offset_of_column(std::string_view where) {
  const std::size_t digits = where.find_first_of("0123456789");
  if (digits == std::string_view::npos) return 0;
  std::size_t column = 1;
  std::from_chars(where.data() + digits, where.data() + where.size(), column);
  return column - std::min<std::size_t>(column, 1);
}

/// Reads the spans of one text.
class SpanParser {
 public:
  SpanParser(std::string_view text, std::size_t number, const Vocabulary& vocabulary,
             std::vector<Formula>& formulas, std::vector<ProseFault>& faults)
      : text_(text),
        number_(number),
        vocabulary_(vocabulary),
        formulas_(formulas),
        faults_(faults) {}

  std::vector<Span> parse(std::size_t from) {
    at_ = from;
    std::vector<Span> spans = parse_until_star();
    while (at_ < text_.size()) {
      Span emphasis{SpanKind::emphasis, "", {}};
      const std::size_t opening = at_++;
      emphasis.spans = parse_until_star();
      check_emphasis(opening);
      if (at_ < text_.size()) ++at_;
      spans.push_back(std::move(emphasis));
      std::vector<Span> rest = parse_until_star();
      std::move(rest.begin(), rest.end(), std::back_inserter(spans));
    }
    return spans;
  }

 private:
  /// Spans up to the next star or the end.
  std::vector<Span> parse_until_star() {
    std::vector<Span> spans;
    while (at_ < text_.size() && text_[at_] != '*') {
      switch (text_[at_]) {
        case '`':
          spans.push_back(parse_code());
          break;
        case '{':
          spans.push_back(parse_value());
          break;
        default:
          spans.push_back(parse_text());
      }
    }
    return spans;
  }

  Span parse_text() {
    Span span;
    while (at_ < text_.size() &&
           std::string_view("*`{").find(text_[at_]) == std::string_view::npos) {
      if (text_[at_] == '}') fault(at_, "stray_brace", "a } without its {; write \\} for the sign");
      if (text_[at_] == '\\') skip_backslash();
      if (at_ < text_.size()) span.text += text_[at_++];
    }
    return span;
  }

  void skip_backslash() {
    const bool known =
        at_ + 1 < text_.size() && kSpecial.find(text_[at_ + 1]) != std::string_view::npos;
    if (!known) fault(at_, "bad_escape", "a backslash may stand before \\ ` * { and } only");
    ++at_;
  }

  Span parse_code() {
    const std::size_t end = text_.find('`', at_ + 1);
    if (end == std::string_view::npos) {
      fault(at_, "unclosed_code", "the ` that ends this code is missing");
    }
    return {SpanKind::code, take_between(end), {}};
  }

  Span parse_value() {
    const std::size_t opening = at_;
    const std::size_t end = text_.find('}', at_ + 1);
    if (end == std::string_view::npos) {
      fault(at_, "unclosed_value", "the } that ends this value is missing; write \\{ for the sign");
      take_between(end);
      return {};
    }
    const Result<Formula> formula = parse_formula(take_between(end), vocabulary_);
    if (!formula.ok()) {
      fault(opening + 1 + offset_of_column(formula.error().where), formula.error().code,
            formula.error().message);
      return {};
    }
    formulas_.push_back(formula.value());
    return {SpanKind::value, "", {}};
  }

  /// The text from behind the opening sign to `end`, or to the end of the text; moves behind it.
  std::string take_between(std::size_t end) {
    const std::string inside(text_.substr(at_ + 1, end - std::min(end, at_ + 1)));
    at_ = std::min(text_.size(), end == std::string_view::npos ? end : end + 1);
    return inside;
  }

  void check_emphasis(std::size_t opening) {
    if (at_ >= text_.size()) {
      fault(opening, "unclosed_emphasis",
            "the * that ends this emphasis is missing; write \\* for the sign, × for a product");
    } else if (at_ == opening + 1 || text_[opening + 1] == ' ' || text_[at_ - 1] == ' ') {
      fault(opening, "spaced_emphasis",
            "emphasis stands between stars without spaces inside; write × for a product");
    }
  }

  void fault(std::size_t offset, std::string_view code, std::string message) {
    faults_.push_back({number_, offset, std::string(code), std::move(message)});
  }

  std::string_view text_;
  std::size_t number_;
  const Vocabulary& vocabulary_;
  std::vector<Formula>& formulas_;
  std::vector<ProseFault>& faults_;
  std::size_t at_ = 0;
};

std::string characters(const std::vector<Span>& spans) {
  std::string text;
  for (const Span& span : spans) {
    text += span.kind == SpanKind::emphasis ? characters(span.spans) : span.text;
  }
  return text;
}

/// Puts texts into the value spans, one formula after the other.
class Filler {
 public:
  Filler(const ProseValues& values, std::span<const Formula> formulas)
      : values_(values), next_(formulas.begin()) {}

  void fill(std::vector<Span>& spans) {
    for (Span& span : spans) {
      if (span.kind == SpanKind::value) span.text = text_of(*next_++);
      fill(span.spans);
    }
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  std::string text_of(const Formula& formula) {
    const bool lone_name = formula.nodes().size() == 1 && formula.names().size() == 1;
    if (lone_name) {
      for (const auto& [name, text] : values_.texts) {
        if (name == formula.names()[0]) return text;
      }
    }
    const Result<Rational> value = formula.evaluate(*values_.numbers);
    if (value.ok()) return shortest_text(value.value(), values_.style);
    if (!error_) error_ = value.error();
    return "";
  }

  const ProseValues& values_;
  std::span<const Formula>::iterator next_;
  std::optional<Error> error_;
};

}  // namespace

std::string plain_text(const Prose& prose) {
  std::string text;
  for (const Block& block : prose) {
    for (const std::vector<Span>& line : block.lines) {
      if (!text.empty()) text += '\n';
      if (block.is_list) text += "- ";
      text += characters(line);
    }
  }
  return text;
}

ProseTemplate ProseTemplate::parse(std::span<const std::string_view> texts,
                                   const Vocabulary& vocabulary, std::vector<ProseFault>& faults) {
  constexpr std::string_view kItem = "- ";
  ProseTemplate result;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool item = texts[i].starts_with(kItem);
    SpanParser parser(texts[i], i, vocabulary, result.formulas_, faults);
    std::vector<Span> line = parser.parse(item ? kItem.size() : 0);
    const bool goes_on = item && !result.blocks_.empty() && result.blocks_.back().is_list;
    if (!goes_on) result.blocks_.push_back({item, {}});
    result.blocks_.back().lines.push_back(std::move(line));
  }
  return result;
}

Result<Prose> ProseTemplate::fill(const ProseValues& values) const {
  Prose prose = blocks_;
  Filler filler(values, formulas_);
  for (Block& block : prose) {
    for (std::vector<Span>& line : block.lines) filler.fill(line);
  }
  if (filler.error()) return *filler.error();
  return prose;
}

}  // namespace lockstep
