// lockstep worksheet: a lesson's questions on paper, with the key.
#include "worksheet/worksheet.h"

#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/files.h"
#include "cli/lesson_file.h"
#include "worksheet/html.h"

namespace lockstep::cli {
namespace {

constexpr Option kOptions[] = {
    {"--output", "FILE|-", "the HTML file to write, or standard output", true},
    {"--seed", "N", "the numbers to draw, 0 to 4294967295; 0: the source's own (0)"},
    {"--paper", "P", "a4 or letter (a4)"},
    {"--locale", "L", "how numbers are written: en, de, fr, ch or in"},
};

int run(const Arguments& arguments) {
  static constexpr std::string_view kPapers[] = {"a4", "letter"};
  const Result<std::string> paper = arguments.word("--paper", kPapers);
  if (!paper.ok()) return fail(arguments, paper.error());
  const Result<Numbers> numbers = read_numbers(arguments);
  if (!numbers.ok()) return fail(arguments, numbers.error());
  const auto [seed, locale] = numbers.value();
  std::vector<Lesson> lessons;
  for (const std::string& path : arguments.operands()) {
    OpenedLesson opened = open_lesson(arguments, path);
    if (!opened.lesson) return opened.status;
    lessons.push_back(*std::move(opened.lesson));
  }
  const Result<Worksheet> made = make_worksheet(lessons, seed, locale);
  if (!made.ok()) return fail(arguments, made.error(), kWrong);
  const std::string html =
      to_html(made.value(), paper.value() == "letter" ? Paper::letter : Paper::a4);
  const Status written = write_file(arguments.text("--output"), html);
  return written.ok() ? kFine : fail(arguments, written.error());
}

}  // namespace

const Command kWorksheet = {
    .name = "worksheet",
    .operands = "LESSON...",
    .operands_min = 1,
    .operands_max = 100,
    .summary = "Write a worksheet to print, with its answer key on pages of its own",
    .options = kOptions,
    .examples =
        "  lockstep worksheet exercises/using-many-devices --seed 7 -o sheet.html\n"
        "  lockstep worksheet exercises/using-many-devices --paper letter -o -\n",
    .run = run,
};

}  // namespace lockstep::cli
