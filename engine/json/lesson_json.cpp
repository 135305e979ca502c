#include "json/lesson_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/hash.h"
#include "lesson/ask.h"
#include "question/table.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

std::string_view span_type(SpanKind kind) {
  switch (kind) {
    case SpanKind::text:
      return "text";
    case SpanKind::code:
      return "code";
    case SpanKind::emphasis:
      return "emphasis";
    case SpanKind::value:
      return "value";
  }
  return "";
}

Json spans_json(const std::vector<Span>& spans) {
  Json list = Json::array();
  for (const Span& span : spans) {
    Json one = {{"type", span_type(span.kind)}};
    if (span.kind == SpanKind::emphasis) {
      one["spans"] = spans_json(span.spans);
    } else {
      one["text"] = span.text;
    }
    list.push_back(std::move(one));
  }
  return list;
}

Json prose_json(const Prose& prose) {
  Json blocks = Json::array();
  for (const Block& block : prose) {
    Json lines = Json::array();
    for (const std::vector<Span>& line : block.lines) lines.push_back(spans_json(line));
    if (block.is_list) {
      blocks.push_back({{"type", "list"}, {"items", std::move(lines)}});
    } else {
      blocks.push_back({{"type", "paragraph"}, {"spans", std::move(lines[0])}});
    }
  }
  return blocks;
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Writes a lesson or a chapter; keeps the first error of a formula in its prose.
class PageWriter {
 public:
  explicit PageWriter(const Locale* locale) : locale_(locale) {}

  Result<std::string> finish(const Json& json) const {
    if (error_) return *error_;
    return text_of(json);
  }

  Json prose(const ProseTemplate& text) {
    const Result<Prose> filled = fill(text, locale_);
    if (filled.ok()) return prose_json(filled.value());
    if (!error_) error_ = filled.error();
    return nullptr;
  }

  Json proses(const std::vector<ProseTemplate>& texts) {
    Json list = Json::array();
    for (const ProseTemplate& text : texts) list.push_back(prose(text));
    return list;
  }

  /// A quantity as the page shows it, and as a number to draw with.
  Json number(const Rational& value) const { return to_double(value); }

  Json asked(const AskedQuestion& asked) {
    return {{"question", asked.question}, {"text", prose(asked.text)}};
  }

  Json section(const Section& section) {
    Json json = {{"title", section.title}, {"text", prose(section.text)}};
    if (!section.demonstration.empty()) json["demonstration"] = section.demonstration;
    return json;
  }

  Json slider(const Slider& slider) const {
    Json values = Json::array();
    for (const Rational& value : slider.values) values.push_back(number(value));
    return {{"values", std::move(values)}, {"start", number(slider.start)}};
  }

  Json demonstration(const Demonstration& one) {
    Json json = {
        {"id", one.id}, {"kind", one.kind}, {"title", one.title}, {"text", prose(one.text)}};
    if (one.kind == "speedup_slider") {
      json["single_s"] = number(one.speedup.single_s);
      json["devices"] = slider(one.speedup.devices);
      json["communication_s"] = slider(one.speedup.communication_s);
    } else {
      json["schedule"] = one.grid.schedule;
      json["stages"] = slider(one.grid.stages);
      json["microbatches"] = slider(one.grid.microbatches);
    }
    return json;
  }

  Json experiment(const Experiment& one) {
    Json json = {{"id", one.id},
                 {"kind", one.kind},
                 {"title", one.title},
                 {"text", prose(one.text)},
                 {"seed", one.seed}};
    if (one.kind == "data_parallel_run") {
      json["devices"] = one.devices;
      json["rows"] = one.rows;
    } else {
      json["stages"] = one.stages;
      json["microbatches"] = one.microbatches;
    }
    if (one.kind == "pipeline_run") json["schedule"] = one.schedule;
    if (one.kind == "product_run") {
      json["data"] = one.data;
      json["tensor"] = one.tensor;
      json["steps"] = one.steps;
    }
    return json;
  }

  Json function(const FunctionNote& one) {
    Json json = {{"name", one.name}, {"parameters", one.parameters}, {"text", prose(one.text)}};
    if (one.formula) json["formula"] = one.formula->text(FormulaText::display);
    if (!one.raises.empty()) json["raises"] = prose(one.raises);
    return json;
  }

  Json part(const Part& part) {
    return {{"title", part.title},
            {"text", prose(part.text)},
            {"questions", part.questions},
            {"experiments", part.experiments},
            {"functions", part.functions}};
  }

  /// A list of things, each written by `write`.
  template <typename T>
  Json list(const std::vector<T>& things, Json (PageWriter::*write)(const T&)) {
    Json json = Json::array();
    for (const T& thing : things) json.push_back((this->*write)(thing));
    return json;
  }

 private:
  const Locale* locale_;
  std::optional<Error> error_;
};

Json questions_json(const std::vector<Question>& questions) {
  Json list = Json::array();
  for (const Question& question : questions) {
    list.push_back({{"id", question.id},
                    {"type", question.type->name},
                    {"skill", question.skill},
                    {"revision", question.revision}});
  }
  return list;
}

Json skills_json(const std::vector<Skill>& skills) {
  Json list = Json::array();
  for (const Skill& skill : skills) list.push_back({{"id", skill.id}, {"title", skill.title}});
  return list;
}

Json attribution_json(const Attribution& attribution) {
  Json json = {{"author", attribution.author}, {"licence", attribution.licence}};
  if (!attribution.based_on.empty()) json["based_on"] = attribution.based_on;
  return json;
}

Json sources_json(const std::vector<SourceNote>& sources) {
  Json list = Json::array();
  for (const SourceNote& source : sources) {
    Json json = {{"title", source.title}, {"by", source.by}};
    if (!source.url.empty()) json["url"] = source.url;
    list.push_back(std::move(json));
  }
  return list;
}

Json view_json(const QuestionView& view) {
  Json options = Json::array();
  for (const OptionView& option : view.options) {
    options.push_back(
        {{"id", option.id}, {"label", option.label}, {"text", prose_json(option.text)}});
  }
  Json numbers = Json::array();
  for (const auto& [name, value] : view.numbers) {
    numbers.push_back(Json::array({name, fraction_text(value)}));
  }
  return {{"id", view.id},
          {"type", view.type},
          {"skill", view.skill},
          {"revision", view.revision},
          {"hash", hex16(view.graded_hash)},
          {"seed", view.seed},
          {"numbers", std::move(numbers)},
          {"prompt", prose_json(view.prompt)},
          {"suffix", view.suffix},
          {"typing", view.typing},
          {"options", std::move(options)},
          {"hints", view.hints}};
}

}  // namespace

std::string write_prose(const Prose& prose) {
  return text_of(prose_json(prose));
}

std::string write_view(const QuestionView& view) {
  return text_of(view_json(view));
}

std::string write_views(const std::string& lesson, std::span<const QuestionView> views) {
  Json questions = Json::array();
  for (const QuestionView& view : views) questions.push_back(view_json(view));
  return text_of({{"lesson", lesson}, {"questions", std::move(questions)}});
}

std::string write_verdict(const Verdict& verdict) {
  Json json = {{"kind", verdict_kind_name(verdict.kind)},
               {"code", code_text(verdict)},
               {"credit", fraction_text(verdict.credit)},
               {"understood", verdict.understood},
               {"message", verdict.message},
               {"mistake", nullptr}};
  if (!verdict.mistake.empty()) json["mistake"] = verdict.mistake;
  return text_of(json);
}

std::string write_reveal(const Reveal& reveal) {
  Json mistakes = Json::array();
  for (const RevealedMistake& mistake : reveal.mistakes) {
    mistakes.push_back({{"id", mistake.id}, {"answer", mistake.answer}, {"say", mistake.say}});
  }
  return text_of({{"answers", reveal.answers},
                  {"solution", prose_json(reveal.solution)},
                  {"mistakes", std::move(mistakes)}});
}

std::string write_hints(const std::vector<Prose>& hints) {
  Json list = Json::array();
  for (const Prose& hint : hints) list.push_back(prose_json(hint));
  return text_of({{"hints", std::move(list)}});
}

std::string write_html(const std::string& html) {
  return text_of({{"html", html}});
}

std::string write_faults(std::span<const FileFault> faults) {
  Json list = Json::array();
  for (const FileFault& fault : faults) {
    list.push_back({{"code", fault.code},
                    {"path", fault.path},
                    {"line", fault.place.line},
                    {"column", fault.place.column},
                    {"pointer", fault.pointer},
                    {"message", fault.message},
                    {"suggestion", fault.suggestion}});
  }
  return text_of({{"faults", std::move(list)}});
}

Result<std::string> write_lesson(const Lesson& lesson, const Locale* locale) {
  PageWriter page(locale);
  const Json json = {
      {"id", lesson.id},
      {"chapter", lesson.chapter},
      {"language", lesson.language},
      {"title", lesson.title},
      {"subject", lesson.subject},
      {"audience", lesson.audience},
      {"attribution", attribution_json(lesson.attribution)},
      {"skills", skills_json(lesson.skills)},
      {"outcomes", page.proses(lesson.outcomes)},
      {"predict", page.asked(lesson.predict)},
      {"idea", page.list(lesson.idea, &PageWriter::section)},
      {"demonstrations", page.list(lesson.demonstrations, &PageWriter::demonstration)},
      {"experiments", page.list(lesson.experiments, &PageWriter::experiment)},
      {"functions", page.list(lesson.functions, &PageWriter::function)},
      {"questions", questions_json(lesson.questions)},
      {"parts", page.list(lesson.parts, &PageWriter::part)},
      {"check", page.asked(lesson.check)}};
  return page.finish(json);
}

Result<std::string> write_chapter(const Chapter& chapter, const Locale* locale) {
  PageWriter page(locale);
  Json notation = Json::array();
  for (const NotationRow& row : chapter.notation) {
    notation.push_back({{"symbol", row.symbol}, {"meaning", page.prose(row.meaning)}});
  }
  const Json json = {{"id", chapter.id},
                     {"language", chapter.language},
                     {"title", chapter.title},
                     {"summary", page.prose(chapter.summary)},
                     {"context", page.prose(chapter.context)},
                     {"notation", std::move(notation)},
                     {"worked_example", page.prose(chapter.worked_example)},
                     {"reference_code",
                      {{"language", chapter.reference_code.language},
                       {"text", page.prose(chapter.reference_code.text)},
                       {"lines", chapter.reference_code.lines}}},
                     {"common_mistakes", page.proses(chapter.common_mistakes)},
                     {"sources", sources_json(chapter.sources)}};
  return page.finish(json);
}

}  // namespace lockstep
