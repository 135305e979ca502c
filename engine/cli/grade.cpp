// lockstep grade: the verdict on one answer.
#include "cli/command.h"
#include "cli/lesson_file.h"
#include "json/lesson_json.h"
#include "lesson/ask.h"

namespace lockstep::cli {
namespace {

constexpr Option kOptions[] = {
    {"--question", "ID", "the question", true},
    {"--answer", "TEXT", "the answer as it was typed", true},
    {"--seed", "N", "the numbers it was asked with; 0: the source's own (0)"},
    {"--locale", "L", "how numbers are typed: en, de, fr, ch or in"},
};

std::string verdict_text(const Verdict& verdict) {
  std::string text(verdict_kind_name(verdict.kind));
  if (const std::string code = code_text(verdict); code != text) text += " (" + code + ")";
  if (!verdict.understood.empty()) text += "\nread as " + verdict.understood;
  if (!verdict.message.empty()) text += "\n" + verdict.message;
  return text;
}

int run(const Arguments& arguments) {
  const Result<Numbers> numbers = read_numbers(arguments);
  if (!numbers.ok()) return fail(arguments, numbers.error());
  const auto [seed, locale] = numbers.value();
  const OpenedLesson opened = open_lesson(arguments, arguments.operands()[0]);
  if (!opened.lesson) return opened.status;

  const std::string question = arguments.text("--question");
  const Result<Verdict> verdict =
      grade(*opened.lesson, {question, seed, locale}, arguments.text("--answer"));
  if (!verdict.ok()) return fail(arguments, verdict.error());
  const bool as_json = arguments.has("--json");
  print(as_json ? write_verdict(verdict.value()) : verdict_text(verdict.value()));
  return verdict.value().kind == VerdictKind::correct ? kFine : kWrong;
}

}  // namespace

const Command kGrade = {
    .name = "grade",
    .operands = "LESSON",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Grade one answer: verdict, how it was read, and why",
    .options = kOptions,
    .examples =
        "  lockstep grade exercises/using-many-devices --question real-speedup "
        "--answer 6.667\n"
        "  lockstep grade exercises/using-many-devices --question real-speedup --seed 7 "
        "--answer 20/3 --json\n",
    .run = run,
};

}  // namespace lockstep::cli
