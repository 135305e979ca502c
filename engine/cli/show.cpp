// lockstep show: a lesson's questions with the numbers of a seed, as a learner sees them.
#include "cli/command.h"
#include "cli/lesson_file.h"
#include "json/lesson_json.h"
#include "lesson/ask.h"

namespace lockstep::cli {
namespace {

constexpr Option kOptions[] = {
    {"--seed", "N", "the numbers to draw, 0 to 4294967295; 0: the source's own (0)"},
    {"--locale", "L", "how numbers are written: en, de, fr, ch or in"},
};

std::string view_text(const QuestionView& view) {
  std::string text = "[" + view.id + "] " + plain_text(view.prompt);
  while (text.ends_with('\n')) text.pop_back();
  if (!view.suffix.empty()) text += " " + view.suffix;
  text += "\n";
  for (const OptionView& option : view.options) {
    text += "  " + option.label + ") " + plain_text(option.text);
    if (!text.ends_with('\n')) text += "\n";
  }
  if (!view.typing.empty()) text += "  " + view.typing + "\n";
  return text;
}

int run(const Arguments& arguments) {
  const Result<Numbers> numbers = read_numbers(arguments);
  if (!numbers.ok()) return fail(arguments, numbers.error());
  const auto [seed, locale] = numbers.value();
  const OpenedLesson opened = open_lesson(arguments, arguments.operands()[0]);
  if (!opened.lesson) return opened.status;

  const Lesson& lesson = *opened.lesson;
  std::vector<QuestionView> views;
  for (const Question& question : lesson.questions) {
    Result<QuestionView> one = view(lesson, {question.id, seed, locale});
    if (!one.ok()) return fail(arguments, one.error(), kWrong);
    views.push_back(std::move(one).value());
  }
  if (arguments.has("--json")) {
    print(write_views(lesson.id, views));
    return kFine;
  }
  print(lesson.title + " (" + lesson.id + "), seed " + std::to_string(seed) + "\n");
  for (const QuestionView& one : views) print("\n" + view_text(one));
  return kFine;
}

}  // namespace

const Command kShow = {
    .name = "show",
    .operands = "LESSON",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Show a lesson's questions with the numbers of a seed, without their keys",
    .options = kOptions,
    .examples =
        "  lockstep show exercises/using-many-devices --seed 7\n"
        "  lockstep show exercises/using-many-devices --seed 7 --locale de --json\n",
    .run = run,
};

}  // namespace lockstep::cli
