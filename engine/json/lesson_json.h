// Lessons, views, verdicts and faults as JSON text: what `--json` prints and the page reads, byte
// for byte the same.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/decimal.h"
#include "core/result.h"
#include "document/file_fault.h"
#include "lesson/lesson.h"
#include "question/question.h"
#include "question/verdict.h"

namespace lockstep {

/// Prose is a list of blocks: {"type": "paragraph", "spans": [SPAN…]} or
/// {"type": "list", "items": [[SPAN…]…]}. A span is {"type": "text" | "code" | "value", "text": …}
/// or {"type": "emphasis", "spans": [SPAN…]}.
std::string write_prose(const Prose& prose);

/// {"id", "type", "skill", "revision", "hash": 16 hexadecimal digits, "seed",
///  "numbers": [[name, exact text]…], "prompt": PROSE, "suffix", "typing",
///  "options": [{"id", "label", "text": PROSE}], "hints": how many}. Holds no key.
std::string write_view(const QuestionView& view);

/// {"lesson": id, "questions": [VIEW…]}.
std::string write_views(const std::string& lesson, std::span<const QuestionView> views);

/// {"kind", "code", "credit": "1/2", "understood", "message", "mistake"}; the last is null where no
/// mistake was recognised.
std::string write_verdict(const Verdict& verdict);

/// {"answers": [TEXT…], "solution": PROSE, "mistakes": [{"id", "answer", "say"}]}.
std::string write_reveal(const Reveal& reveal);

/// {"hints": [PROSE…]}.
std::string write_hints(const std::vector<Prose>& hints);

/// {"html": TEXT}: a worksheet (worksheet/html.h).
std::string write_html(const std::string& html);

/// {"faults": [{"code", "path", "line", "column", "pointer", "message", "suggestion"}]}.
std::string write_faults(std::span<const FileFault> faults);

/// Everything of a lesson that its page shows, under the keys of the file; of the questions only
/// their ids, types and skills: numbers and keys come by write_view and write_reveal.
/// Errors: of a formula in its prose.
Result<std::string> write_lesson(const Lesson& lesson, const Locale* locale);

/// Everything of a chapter.
Result<std::string> write_chapter(const Chapter& chapter, const Locale* locale);

}  // namespace lockstep
