#include "lesson/ask.h"

#include <string>
#include <utility>

#include "core/nearest.h"
#include "document/value.h"
#include "lesson/variant.h"
#include "question/table.h"

namespace lockstep {
namespace {

/// A question that was found, with its numbers.
struct Asked {
  const Question* question;
  Variant variant;
};

Result<Asked> find(const Lesson& lesson, const Ask& ask) {
  const Question* question = lesson.find_question(ask.question);
  if (!question) {
    std::vector<std::string_view> ids;
    for (const Question& known : lesson.questions) ids.push_back(known.id);
    return Error{
        "unknown_question", std::string(ask.question),
        "this lesson has no question " + in_quotes(ask.question) + did_you_mean(ask.question, ids)};
  }
  Result<Variant> variant = draw(*question, ask.seed);
  if (!variant.ok()) return variant.error();
  return Asked{question, std::move(variant).value()};
}

/// The lines one after the other, as one prose.
Result<Prose> fill_all(const std::vector<ProseTemplate>& lines, const ProseValues& values) {
  Prose all;
  for (const ProseTemplate& line : lines) {
    Result<Prose> filled = line.fill(values);
    if (!filled.ok()) return filled.error();
    for (Block& block : filled.value()) all.push_back(std::move(block));
  }
  return all;
}

}  // namespace

Result<QuestionView> view(const Question& question, const Variant& variant, const Locale* locale) {
  QuestionView view;
  view.id = question.id;
  view.type = question.type->name;
  view.skill = question.skill;
  view.revision = question.revision;
  view.graded_hash = question.graded_hash;
  view.seed = variant.seed;
  for (const QuestionParameter& parameter : question.parameters) {
    view.numbers.emplace_back(parameter.name, *variant.values.find(parameter.name));
  }
  view.hints = question.hints.size();
  Result<Prose> prompt = question.prompt.fill({&variant.values, {}, {locale}});
  if (!prompt.ok()) return prompt.error();
  view.prompt = std::move(prompt).value();
  const Status status = question.type->view(question, variant, locale, view);
  if (!status.ok()) return status.error();
  return view;
}

Verdict grade(const Question& question, const Variant& variant, std::string_view answer,
              const Locale* locale) {
  return question.type->grade(question, variant, answer, locale);
}

Result<Reveal> reveal(const Question& question, const Variant& variant, const Locale* locale) {
  Reveal reveal;
  const Status status = question.type->reveal(question, variant, locale, reveal);
  if (!status.ok()) return status.error();
  Environment values = variant.values;
  if (reveal.key) values.set("key", *reveal.key);
  Result<Prose> solution =
      fill_all(question.solution, {&values, {{"key", reveal.answers.front()}}, {locale}});
  if (!solution.ok()) return solution.error();
  reveal.solution = std::move(solution).value();
  return reveal;
}

Result<std::vector<Prose>> hints(const Question& question, const Variant& variant,
                                 const Locale* locale) {
  std::vector<Prose> list;
  for (const ProseTemplate& hint : question.hints) {
    Result<Prose> filled = hint.fill({&variant.values, {}, {locale}});
    if (!filled.ok()) return filled.error();
    list.push_back(std::move(filled).value());
  }
  return list;
}

Result<QuestionView> view(const Lesson& lesson, const Ask& ask) {
  const Result<Asked> asked = find(lesson, ask);
  if (!asked.ok()) return asked.error();
  return view(*asked.value().question, asked.value().variant, ask.locale);
}

Result<Verdict> grade(const Lesson& lesson, const Ask& ask, std::string_view answer) {
  const Result<Asked> asked = find(lesson, ask);
  if (!asked.ok()) return asked.error();
  return grade(*asked.value().question, asked.value().variant, answer, ask.locale);
}

Result<Reveal> reveal(const Lesson& lesson, const Ask& ask) {
  const Result<Asked> asked = find(lesson, ask);
  if (!asked.ok()) return asked.error();
  return reveal(*asked.value().question, asked.value().variant, ask.locale);
}

Result<std::vector<Prose>> hints(const Lesson& lesson, const Ask& ask) {
  const Result<Asked> asked = find(lesson, ask);
  if (!asked.ok()) return asked.error();
  return hints(*asked.value().question, asked.value().variant, ask.locale);
}

Result<Prose> fill(const ProseTemplate& prose, const Locale* locale) {
  const Environment none;
  return prose.fill({&none, {}, {locale}});
}

}  // namespace lockstep
