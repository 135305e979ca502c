#include "bindings/lesson_handle.h"

#include <emscripten/bind.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bindings/convert.h"
#include "json/lesson_json.h"
#include "json/load.h"
#include "lesson/ask.h"
#include "worksheet/html.h"

namespace lockstep::bindings {
namespace {

using emscripten::val;

int live_lesson_count = 0;

Result<const Locale*> read_locale(const std::string& id) {
  if (id.empty()) return nullptr;
  if (const Locale* locale = find_locale(id)) return locale;
  return Error{"unknown_locale", "locale", "there is no locale \"" + id + "\""};
}

Result<std::uint32_t> read_seed(double seed) {
  constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
  if (seed >= 0 && seed <= kMost && seed == std::trunc(seed)) {
    return static_cast<std::uint32_t>(seed);
  }
  return Error{"out_of_range", "seed", "a seed is a whole number from 0 to 4294967295"};
}

Result<Paper> read_paper(const std::string& name) {
  if (name == "a4") return Paper::a4;
  if (name == "letter") return Paper::letter;
  return Error{"unknown_paper", "paper", "the paper is a4 or letter, not \"" + name + "\""};
}

/// The bytes of a file as text.
Result<std::string> to_text(const val& bytes, const std::string& path) {
  const Result<std::vector<std::byte>> copied = to_bytes(bytes, path);
  if (!copied.ok()) return copied.error();
  const std::vector<std::byte>& list = copied.value();
  return std::string(reinterpret_cast<const char*>(list.data()), list.size());
}

/// The text of what `call` gives for an Ask, or of the first error.
template <typename Call, typename Write>
std::string ask(const std::string& question, double seed, const std::string& locale, Call call,
                Write write) {
  return guarded_text([&]() -> std::string {
    const Result<std::uint32_t> number = read_seed(seed);
    if (!number.ok()) return write_error(number.error());
    const Result<const Locale*> found = read_locale(locale);
    if (!found.ok()) return write_error(found.error());
    const auto result = call(Ask{question, number.value(), found.value()});
    return result.ok() ? write(result.value()) : write_error(result.error());
  });
}

/// The text of a result that is text already.
std::string text_or_error(const Result<std::string>& result) {
  return result.ok() ? result.value() : write_error(result.error());
}

}  // namespace

LessonHandle::LessonHandle(Lesson lesson) : lesson_(std::move(lesson)) {
  ++live_lesson_count;
}

LessonHandle::~LessonHandle() {
  --live_lesson_count;
}

std::string LessonHandle::page(const std::string& locale) const {
  return guarded_text([&]() -> std::string {
    const Result<const Locale*> found = read_locale(locale);
    if (!found.ok()) return write_error(found.error());
    return text_or_error(write_lesson(lesson_, found.value()));
  });
}

std::string LessonHandle::view(const std::string& question, double seed,
                               const std::string& locale) const {
  return ask(
      question, seed, locale, [this](const Ask& ask) { return lockstep::view(lesson_, ask); },
      write_view);
}

std::string LessonHandle::grade(const std::string& question, double seed, const std::string& locale,
                                const std::string& answer) const {
  return ask(
      question, seed, locale, [&](const Ask& ask) { return lockstep::grade(lesson_, ask, answer); },
      write_verdict);
}

std::string LessonHandle::hints(const std::string& question, double seed,
                                const std::string& locale) const {
  return ask(
      question, seed, locale, [this](const Ask& ask) { return lockstep::hints(lesson_, ask); },
      write_hints);
}

std::string LessonHandle::reveal(const std::string& question, double seed,
                                 const std::string& locale) const {
  return ask(
      question, seed, locale, [this](const Ask& ask) { return lockstep::reveal(lesson_, ask); },
      write_reveal);
}

std::string LessonHandle::worksheet(double seed, const std::string& locale,
                                    const std::string& paper) const {
  const auto make = [&](const Ask& ask) -> Result<std::string> {
    const Result<Paper> size = read_paper(paper);
    if (!size.ok()) return size.error();
    const Result<Worksheet> made = make_worksheet(std::span(&lesson_, 1), ask.seed, ask.locale);
    if (!made.ok()) return made.error();
    return to_html(made.value(), size.value());
  };
  return ask("", seed, locale, make, write_html);
}

val load_lesson_file(const std::string& path, const val& bytes) {
  return guarded(
      [&]() -> val {
        Result<std::string> text = to_text(bytes, path);
        if (!text.ok()) return val(write_error(text.error()));
        Loaded<Lesson> loaded = load_lesson(path, std::move(text).value());
        if (!loaded.value) return val(write_faults(loaded.faults));
        return val(std::make_unique<LessonHandle>(*std::move(loaded.value)));
      },
      [](const Error& error) { return val(write_error(error)); });
}

std::string read_chapter_file(const std::string& path, const val& bytes,
                              const std::string& locale) {
  return guarded_text([&]() -> std::string {
    const Result<const Locale*> found = read_locale(locale);
    if (!found.ok()) return write_error(found.error());
    Result<std::string> text = to_text(bytes, path);
    if (!text.ok()) return write_error(text.error());
    const Loaded<Chapter> loaded = load_chapter(path, std::move(text).value());
    if (!loaded.value) return write_faults(loaded.faults);
    return text_or_error(write_chapter(*loaded.value, found.value()));
  });
}

int live_lessons() {
  return live_lesson_count;
}

}  // namespace lockstep::bindings
