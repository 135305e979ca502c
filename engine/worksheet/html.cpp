#include "worksheet/html.h"

#include <cassert>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "picture/svg.h"

namespace lockstep {
namespace {

// For paper: millimetres and points, black on white, nothing below 11 pt. The content box is
// 178 × 250 mm on both papers. What has to be on every page (lesson, seed) is a fixed line with an
// empty footer group below it that keeps the room free: Firefox draws no margin boxes, and neither
// browser fills them from the document. Sections name their page themselves, since Firefox forgets
// an inherited name after a forced break.
constexpr std::string_view kStyle = R"(
@page { margin: 14.7mm 16mm; }
@page a4 { size: A4; margin: 23.5mm 16mm;
  @bottom-right { content: counter(page) " / " counter(pages); font: 11pt sans-serif; } }
@page letter { size: letter; margin: 14.7mm 18.95mm;
  @bottom-right { content: counter(page) " / " counter(pages); font: 11pt sans-serif; } }
.a4, .a4 .sheet { page: a4; }
.letter, .letter .sheet { page: letter; }
* { box-sizing: border-box; }
body { width: 178mm; margin: 0 auto; color: #000; background: #fff;
  font: 11.5pt/1.4 Charter, "Bitstream Charter", Georgia, "DejaVu Serif", serif; }
h1, h2, .label, .running, .subtitle, .name {
  font-family: "Helvetica Neue", Arial, "Liberation Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 20pt; line-height: 1.2; margin: 0 0 1mm; }
h2 { font-size: 11.5pt; margin: 0 0 1mm; break-after: avoid; }
p, ul { margin: 0 0 2mm; }
p { break-inside: avoid; }
ul { padding-left: 6mm; }
code { font: 11pt "DejaVu Sans Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.value, .answers b { white-space: nowrap; }
.sheet { display: table; table-layout: fixed; width: 178mm; }
.sheet + .sheet { break-before: page; }
.content { display: table-row-group; }
.room { display: table-footer-group; break-inside: avoid; }
.room div { height: 10mm; }
.running { font-size: 11pt; margin: 0; white-space: nowrap; overflow: hidden;
  text-overflow: ellipsis; width: 178mm; }
@media print { .running { position: fixed; bottom: 0; left: 0; } }
.subtitle { font-size: 11pt; margin: 0 0 5mm; }
.name { display: flex; align-items: baseline; gap: 3mm; font-size: 11pt; margin: 0 0 5mm; }
.line { flex: 1; border-bottom: 0.3mm solid #000; }
.name .line + .label + .line { flex: 0 0 45mm; }
.item { break-inside: avoid; margin: 0 0 6mm; padding-top: 3mm; border-top: 0.3mm solid #000; }
/* A question stays whole; its key may go on overleaf after the first mistake. */
.key .item { break-inside: auto; padding-top: 0; border-top: 0; }
.start { break-inside: avoid; padding-top: 3mm; border-top: 0.3mm solid #000; }
.options { list-style: none; padding: 0; margin: 0; }
.options li { position: relative; padding-left: 15mm; margin: 0 0 2mm; break-inside: avoid; }
.options .box { position: absolute; left: 0; top: 0.6mm; width: 4.5mm; height: 4.5mm;
  border: 0.4mm solid #000; }
.options .label { position: absolute; left: 8mm; font-weight: 700; }
.working { height: 16mm; }
.answer { display: flex; align-items: baseline; gap: 3mm; margin: 0; }
.answer .line { max-width: 70mm; }
.answers { margin: 0 0 2mm; }
.answers p { display: inline; }
.answers b { font-size: 13pt; }
.mistake { display: flex; gap: 3mm; margin: 0; padding: 1mm 0; border-top: 0.2mm solid #000; }
.mistake b { flex: 0 0 38mm; overflow-wrap: anywhere; }
.lockstep-picture { display: block; max-width: 100%; margin: 2mm 0; break-inside: avoid; }
)";

// After picture_style(), which is for screens: on paper lines are full black and text is larger.
constexpr std::string_view kPictureStyle = R"(
.lockstep-picture text, .lockstep-picture .small { font-size: 14.67px; opacity: 1; fill: #000; }
.lockstep-picture text.number { fill: #000; }
.lockstep-picture .blank { opacity: 1; }
)";

/// Grows the document.
class HtmlWriter {
 public:
  explicit HtmlWriter(const Worksheet& worksheet) : worksheet_(worksheet) {}

  std::string write(Paper paper) {
    const Sheet& first = worksheet_.sheets.front();
    raw("<!DOCTYPE html>\n<html lang=\"").text(first.language).raw("\">\n<head>\n");
    raw("<meta charset=\"utf-8\">\n<title>").text(running_line()).raw("</title>\n<style>");
    raw(worksheet_stylesheet()).raw("</style>\n</head>\n");
    raw(paper == Paper::a4 ? "<body class=\"a4\">\n" : "<body class=\"letter\">\n");
    raw("<p class=\"running\">").text(running_line()).raw("</p>\n");
    for (const Sheet& sheet : worksheet_.sheets) write_sheet(sheet);
    for (const Sheet& sheet : worksheet_.sheets) write_key(sheet);
    raw("</body>\n</html>\n");
    return std::move(html_);
  }

 private:
  HtmlWriter& raw(std::string_view html) {
    html_ += html;
    return *this;
  }

  /// Text of a file or a number: never markup.
  HtmlWriter& text(std::string_view words) {
    for (const char letter : words) {
      switch (letter) {
        case '&':
          html_ += "&amp;";
          break;
        case '<':
          html_ += "&lt;";
          break;
        case '>':
          html_ += "&gt;";
          break;
        case '"':
          html_ += "&quot;";
          break;
        default:
          html_ += letter;
      }
    }
    return *this;
  }

  std::string seed_text() const { return "seed " + std::to_string(worksheet_.seed); }

  std::string running_line() const {
    std::string titles;
    for (const Sheet& sheet : worksheet_.sheets) {
      if (!titles.empty()) titles += ", ";
      titles += sheet.title;
    }
    return titles + " · " + seed_text();
  }

  void open_section(std::string_view classes, const Sheet& sheet, std::string_view title,
                    const std::string& subtitle) {
    raw("<section class=\"").raw(classes).raw("\" lang=\"").text(sheet.language).raw("\">\n");
    raw("<div class=\"room\"><div></div></div>\n<div class=\"content\">\n<h1>");
    text(title).raw("</h1>\n<p class=\"subtitle\">").text(subtitle).raw("</p>\n");
  }

  void close_section() { raw("</div>\n</section>\n"); }

  void write_sheet(const Sheet& sheet) {
    open_section("sheet", sheet, sheet.title, sheet.subject + " · worksheet · " + seed_text());
    raw("<p class=\"name\"><span class=\"label\">Name</span><span class=\"line\"></span>"
        "<span class=\"label\">Date</span><span class=\"line\"></span></p>\n");
    write_prose(sheet.text);
    for (std::size_t i = 0; i < sheet.items.size(); ++i) {
      raw("<section class=\"item\">\n");
      write_heading(i);
      write_prose(sheet.items[i].text);
      write_space(sheet.items[i]);
      raw("</section>\n");
    }
    close_section();
  }

  void write_heading(std::size_t index) {
    raw("<h2>Question ").text(std::to_string(index + 1)).raw("</h2>\n");
  }

  void write_space(const SheetItem& item) {
    for (const Picture& grid : item.grids) raw(to_svg(grid, SvgStyle::outside));
    if (!item.grids.empty()) return;
    if (item.space.options.empty()) {
      raw("<div class=\"working\"></div>\n<p class=\"answer\"><span class=\"label\">");
      text(item.space.label).raw("</span><span class=\"line\"></span></p>\n");
      return;
    }
    raw("<p class=\"label\">").text(item.space.label).raw("</p>\n<ul class=\"options\">\n");
    for (const OptionView& option : item.space.options) {
      raw("<li><span class=\"box\"></span><span class=\"label\">").text(option.label);
      raw("</span>");
      write_prose(option.text);
      raw("</li>\n");
    }
    raw("</ul>\n");
  }

  void write_key(const Sheet& sheet) {
    open_section("sheet key", sheet, "Answer key: " + sheet.title,
                 sheet.subject + " · answer key · " + seed_text());
    for (std::size_t i = 0; i < sheet.items.size(); ++i) write_key_item(i, sheet.items[i]);
    close_section();
  }

  /// What begins an item stays together with its first mistake (a heading is never left behind).
  void write_key_item(std::size_t index, const SheetItem& item) {
    raw("<section class=\"item\">\n<div class=\"start\">\n");
    write_heading(index);
    write_answers(item);
    for (const Picture& grid : item.filled_grids) raw(to_svg(grid, SvgStyle::outside));
    write_prose(item.solution);
    if (!item.mistakes.empty()) {
      raw("<p class=\"label\">Wrong answers, and what to say:</p>\n");
      write_mistake(item.mistakes[0]);
    }
    raw("</div>\n");
    for (std::size_t i = 1; i < item.mistakes.size(); ++i) write_mistake(item.mistakes[i]);
    raw("</section>\n");
  }

  void write_answers(const SheetItem& item) {
    if (item.answers.empty()) return;
    raw("<div class=\"answers\"><b>").text(item.answers[0]).raw("</b> ");
    if (item.space.options.empty()) {
      for (std::size_t i = 1; i < item.answers.size(); ++i) {
        text(i == 1 ? "also " : ", ");
        raw("<span class=\"value\">").text(item.answers[i]).raw("</span>");
      }
    }
    for (const OptionView& option : item.space.options) {
      if (option.label == item.answers[0]) write_prose(option.text);
    }
    raw("</div>\n");
  }

  void write_mistake(const RevealedMistake& mistake) {
    raw("<p class=\"mistake\"><b>").text(mistake.answer).raw("</b><span>").text(mistake.say);
    raw("</span></p>\n");
  }

  void write_prose(const Prose& prose) {
    for (const Block& block : prose) {
      if (block.is_list) raw("<ul>\n");
      for (const std::vector<Span>& line : block.lines) {
        raw(block.is_list ? "<li>" : "<p>");
        write_spans(line);
        raw(block.is_list ? "</li>\n" : "</p>\n");
      }
      if (block.is_list) raw("</ul>\n");
    }
  }

  void write_spans(const std::vector<Span>& spans) {
    for (const Span& span : spans) {
      switch (span.kind) {
        case SpanKind::text:
          text(span.text);
          break;
        case SpanKind::code:
          raw("<code>").text(span.text).raw("</code>");
          break;
        case SpanKind::value:
          raw("<span class=\"value\">").text(span.text).raw("</span>");
          break;
        case SpanKind::emphasis:
          raw("<em>");
          write_spans(span.spans);
          raw("</em>");
          break;
      }
    }
  }

  const Worksheet& worksheet_;
  std::string html_;
};

}  // namespace

std::string worksheet_stylesheet() {
  std::string style(kStyle);
  style += picture_style();
  style += kPictureStyle;
  return style;
}

std::string to_html(const Worksheet& worksheet, Paper paper) {
  assert(!worksheet.sheets.empty());
  return HtmlWriter(worksheet).write(paper);
}

}  // namespace lockstep
