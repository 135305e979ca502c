// A worksheet as one HTML file that can be printed: no script, no request, the same bytes for the
// same worksheet everywhere.
#pragma once

#include <string>

#include "worksheet/worksheet.h"

namespace lockstep {

enum class Paper { a4, letter };

/// The one style sheet of all worksheets, as it stands between the <style> tags. Its SHA-256 is
/// what the content security policy has to allow; it is the same for every lesson, seed and paper.
std::string worksheet_stylesheet();

/// The sheets, each from a new page on, then their keys on pages of their own.
std::string to_html(const Worksheet& worksheet, Paper paper);

}  // namespace lockstep
