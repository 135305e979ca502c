#include "picture/picture.h"

namespace lockstep {
namespace {

// Colours of Okabe and Ito (2008), told apart by every kind of colour vision. A backward is orange,
// its input half vermilion, its weight half yellow, the exchange of gradients sky blue; in grey,
// forward is the dark one. Every cell also has its letter, and idle time is the only thing that is
// hatched.
constexpr std::string_view kStyle =
    R"(.lockstep-picture {
  font-family: system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums;
}
.lockstep-picture text { fill: currentColor; font-size: 13px; }
.lockstep-picture .heading { font-size: 16px; font-weight: 600; }
.lockstep-picture .note { opacity: 0.75; }
.lockstep-picture .small { font-size: 11px; opacity: 0.75; }
.lockstep-picture .end { text-anchor: end; }
.lockstep-picture .middle { text-anchor: middle; }
.lockstep-picture .forward { fill: #0072b2; stroke: #00507d; }
.lockstep-picture .backward { fill: #e69f00; stroke: #9c6c00; }
.lockstep-picture .backward_input { fill: #d55e00; stroke: #903f00; }
.lockstep-picture .backward_weight { fill: #f0e442; stroke: #9e9522; }
.lockstep-picture .communication { fill: #56b4e9; stroke: #2c7fae; }
.lockstep-picture .row_name { font-weight: 600; }
.lockstep-picture text.number {
  font-size: 14px; font-weight: 600; text-anchor: middle; fill: #1c1400;
}
.lockstep-picture text.letter { font-size: 9px; font-weight: 600; fill: #1c1400; }
.lockstep-picture text.on_forward { fill: #ffffff; }
.lockstep-picture .idle { fill: none; stroke: currentColor; stroke-width: 0.8; opacity: 0.4; }
.lockstep-picture .axis { stroke: currentColor; opacity: 0.5; }
.lockstep-picture .blank { fill: none; stroke: currentColor; stroke-width: 0.8; opacity: 0.6; }
)";

/// A length in whole hundredths, ties away from zero.
std::int64_t in_hundredths(double length) {
  const double scaled = length * 100;
  return static_cast<std::int64_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

}  // namespace

double hundredths(double length) {
  return static_cast<double>(in_hundredths(length)) / 100;
}

std::string length_text(double length) {
  const std::int64_t parts = in_hundredths(length);
  const std::int64_t magnitude = parts < 0 ? -parts : parts;
  std::string text = (parts < 0 ? "-" : "") + std::to_string(magnitude / 100);
  const std::int64_t rest = magnitude % 100;
  if (rest == 0) return text;
  text += '.';
  text += static_cast<char>('0' + rest / 10);
  if (rest % 10 != 0) text += static_cast<char>('0' + rest % 10);
  return text;
}

std::string_view picture_style() {
  return kStyle;
}

}  // namespace lockstep
