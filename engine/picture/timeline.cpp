#include "picture/timeline.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "core/decimal.h"
#include "picture/cells.h"
#include "picture/hatch.h"
#include "picture/story.h"
#include "picture/timeline_words.h"
#include "program/instruction.h"
#include "program/messages.h"
#include "schedule/action.h"

namespace lockstep {
namespace {

// All in CSS pixels. A cell is wide enough for its letter and two digits; past the widest chart
// cells shrink and leave out their text.
constexpr double kMargin = 16;
constexpr double kLabelWidth = 76;
constexpr double kChartLeft = kMargin + kLabelWidth;
constexpr double kKeptWidth = 112;
constexpr double kKeptGap = 14;
constexpr double kHeadingBaseline = 30;
constexpr double kNoteBaseline = 52;
constexpr double kNoteStep = 18;
constexpr double kNotesToRows = 32;  ///< from the last note's baseline
constexpr double kRowHeight = 34;
constexpr double kRowStep = 42;
constexpr double kAxisGap = 12;
constexpr double kTickLength = 5;
constexpr double kWorkWidth = 25;
constexpr double kExchangeWidth = 16;  ///< a mark before it and a letter, but no number
constexpr double kChartWidthMin = 420;
constexpr double kChartWidthMax = 2400;
constexpr double kMeasuredChartWidth = 720;  ///< measured cells differ in length: no width fits all
constexpr double kTickDistance = 70;
constexpr double kLegendTop = 44;  ///< below the axis
constexpr double kSwatch = 16;
constexpr double kLegendLetterWidth = 7;
constexpr double kLegendGap = 16;
constexpr double kDigitWidth = 8;     ///< of a number in a cell
constexpr double kLetterWidth = 6.5;  ///< of a letter in a cell
constexpr double kCellPadding = 3;

struct LegendRow {
  Op op;
  std::string_view words;
};
constexpr std::array kLegend = {
    LegendRow{Op::forward, "forward"},
    LegendRow{Op::backward, "backward"},
    LegendRow{Op::backward_input, "input gradient"},
    LegendRow{Op::backward_weight, "weight gradient"},
    LegendRow{Op::send, "send"},
    LegendRow{Op::receive, "receive"},
    LegendRow{Op::scale, "take the mean"},
};

char letter_of(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::send:
      return 'S';
    case Op::receive:
    case Op::receive_add:
      return 'R';
    case Op::scale:
      return 'M';
    case Op::update:
      return 'U';
    default:
      return action_letter(action_of(instruction).kind);
  }
}

std::string class_of(const Instruction& instruction) {
  return std::string(is_stage_work(instruction.op) ? op_word(instruction.op) : "communication");
}

std::string letter_classes(const Instruction& instruction) {
  return instruction.op == Op::forward ? "letter on_forward" : "letter";
}

/// Draws one timeline; the order of its parts is the order of their shapes, from back to front.
class Drawing {
 public:
  Drawing(const Program& program, const Timeline& timeline, TimeSource source)
      : program_(program),
        timeline_(timeline),
        words_(program, timeline, source),
        is_measured_(source == TimeSource::measured),
        several_stages_(std::ranges::any_of(
            program.devices, [](const DeviceProgram& device) { return device.stages.size() > 1; })),
        ends_(match_messages(program)),
        chart_width_(chart_width()) {}

  Picture draw() {
    add_heading();
    for (int rank = 0; rank < static_cast<int>(program_.devices.size()); ++rank) add_row(rank);
    add_axis();
    add_legend();
    picture_.width = hundredths(std::max(right() + kKeptWidth, legend_end_) + kMargin);
    picture_.height = hundredths(axis_y_ + kLegendTop + kSwatch + kMargin);
    return std::move(picture_);
  }

 private:
  static Ticks length_of(const TimeSpan& span) { return span.end - span.start; }

  const std::vector<Instruction>& instructions(int rank) const {
    return program_.devices[static_cast<std::size_t>(rank)].instructions;
  }

  /// So wide that the shortest cells of simulated time have room for their text.
  double chart_width() const {
    if (timeline_.makespan == 0) return kChartWidthMin;
    if (is_measured_) return kMeasuredChartWidth;
    double width = kChartWidthMin;
    for (std::size_t rank = 0; rank < program_.devices.size(); ++rank) {
      const std::vector<Instruction>& list = program_.devices[rank].instructions;
      for (std::size_t i = 0; i < list.size(); ++i) {
        const Ticks length = length_of(timeline_.spans[rank][i]);
        if (length == 0 || !is_drawn(list[i], length)) continue;
        const double wanted = is_stage_work(list[i].op) ? kWorkWidth : kExchangeWidth;
        width = std::max(width, wanted * (static_cast<double>(timeline_.makespan) /
                                          static_cast<double>(length)));
      }
    }
    return std::min(width, kChartWidthMax);
  }

  /// Whether an instruction has a cell. A simulated receive between stages only waits: it is idle.
  bool is_drawn(const Instruction& instruction, Ticks length) const {
    return is_stage_work(instruction.op) || is_exchange(instruction) ||
           (is_measured_ && length > 0);
  }

  /// From the start of the chart.
  double place_of(Ticks ticks) const {
    if (timeline_.makespan == 0) return 0;
    return chart_width_ * (static_cast<double>(ticks) / static_cast<double>(timeline_.makespan));
  }

  double right() const { return kChartLeft + chart_width_; }

  Shape& add(Shape shape) {
    for (double* length : {&shape.x, &shape.y, &shape.width, &shape.height}) {
      *length = hundredths(*length);
    }
    return picture_.shapes.emplace_back(std::move(shape));
  }

  void add_text(std::string classes, double x, double y, std::string text) {
    add({.kind = ShapeKind::text,
         .classes = std::move(classes),
         .x = x,
         .y = y,
         .text = std::move(text)});
  }

  void add_heading() {
    picture_.title = words_.title();
    picture_.description = words_.description();
    add_text("heading", kMargin, kHeadingBaseline, picture_.title);
    double baseline = kNoteBaseline;
    for (std::string& note : words_.notes()) {
      add_text("note", kMargin, baseline, std::move(note));
      baseline += kNoteStep;
    }
    rows_top_ = baseline - kNoteStep + kNotesToRows;
    const double rows = static_cast<double>(program_.devices.size());
    axis_y_ = rows_top_ + rows * kRowStep - (kRowStep - kRowHeight) + kAxisGap;
    add_text("small", right() + kKeptGap, rows_top_ - 10, "activations kept");
  }

  void add_row(int rank) {
    const double top = rows_top_ + kRowStep * rank;
    const double baseline = top + kRowHeight / 2 + 4.5;
    const DeviceTimes& times = timeline_.devices[static_cast<std::size_t>(rank)];
    add_text("end row_name", kChartLeft - 12, baseline, "device " + std::to_string(rank));
    add_text("", right() + kKeptGap, baseline, std::to_string(times.peak_until_weight_gradient));
    double free_from = 0;
    for (const Cell& cell : cells_of(rank)) {
      add_idle(free_from, cell.left, top);
      add_cell(rank, cell, top);
      free_from = cell.right;
    }
    add_idle(free_from, place_of(timeline_.makespan), top);
  }

  std::vector<Cell> cells_of(int rank) const {
    const std::vector<TimeSpan>& spans = timeline_.spans[static_cast<std::size_t>(rank)];
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      if (!is_drawn(instructions(rank)[i], length_of(spans[i]))) continue;
      cells.push_back({static_cast<int>(i), place_of(spans[i].start), place_of(spans[i].end)});
    }
    make_visible(cells, chart_width_);
    return cells;
  }

  void add_idle(double from, double to, double top) {
    if (from >= to) return;
    add({.kind = ShapeKind::path,
         .classes = "idle",
         .text = hatch({kChartLeft + from, top, to - from, kRowHeight})});
  }

  void add_cell(int rank, const Cell& cell, double top) {
    const Instruction& instruction = instructions(rank)[static_cast<std::size_t>(cell.instruction)];
    const double left = kChartLeft + cell.left;
    const double width = cell.right - cell.left;
    add({.classes = class_of(instruction),
         .x = left,
         .y = top,
         .width = width,
         .height = kRowHeight,
         .title = words_.cell(rank, cell.instruction),
         .story = story(program_, ends_, {rank, cell.instruction}),
         .rank = rank,
         .instruction = cell.instruction});
    std::string letter(1, letter_of(instruction));
    if (is_stage_work(instruction.op)) {
      const std::string microbatch = std::to_string(instruction.microbatch);
      if (width < kDigitWidth * static_cast<double>(microbatch.size()) + 1) return;
      add_text(instruction.op == Op::forward ? "number on_forward" : "number", left + width / 2,
               top + kRowHeight - 8, microbatch);
      if (several_stages_) letter = std::to_string(instruction.stage) + letter;
    }
    if (width < kLetterWidth * static_cast<double>(letter.size()) + 2 * kCellPadding) return;
    add_text(letter_classes(instruction), left + kCellPadding, top + 10.5, letter);
  }

  /// The smallest of 1, 2, 5 times a power of ten whose marks do not crowd.
  Rational tick_step() const {
    const double total = to_double(timeline_.time(timeline_.makespan));
    for (int exponent = -12;; ++exponent) {
      for (const int mantissa : {1, 2, 5}) {
        const Rational step = Rational(mantissa) * ten_to(exponent);
        if (to_double(step) / total * chart_width_ >= kTickDistance) return step;
      }
    }
  }

  void add_axis() {
    add({.kind = ShapeKind::line,
         .classes = "axis",
         .x = kChartLeft,
         .y = axis_y_,
         .width = chart_width_});
    const auto add_mark = [&](double x, std::string text) {
      add({.kind = ShapeKind::line,
           .classes = "axis",
           .x = x,
           .y = axis_y_,
           .height = kTickLength});
      add_text("small middle", x, axis_y_ + kTickLength + 13, std::move(text));
    };
    add_mark(kChartLeft, "0");
    add_text("small", right() + kKeptGap, axis_y_ + 4, words_.axis());
    if (timeline_.makespan == 0) return;
    const Rational total = timeline_.time(timeline_.makespan);
    const Rational step = tick_step();
    // The end has a mark of its own, with room around it.
    for (Rational time = step; time + step / Rational(2) <= total; time += step) {
      add_mark(kChartLeft + to_double(time / total) * chart_width_, shortest_text(time));
    }
    add_mark(right(), shortest_text(total));
  }

  /// Whether the picture has a cell that the legend explains by a row.
  bool is_used(const LegendRow& row) const {
    return std::ranges::any_of(picture_.shapes, [&](const Shape& shape) {
      if (shape.rank < 0) return false;
      const Op op = instructions(shape.rank)[static_cast<std::size_t>(shape.instruction)].op;
      return op == row.op || (row.op == Op::receive && op == Op::receive_add);
    });
  }

  void add_legend() {
    double x = kChartLeft;
    const double top = axis_y_ + kLegendTop;
    const auto add_words = [&](std::string_view words) {
      add_text("", x + kSwatch + 8, top + 12.5, std::string(words));
      x += kSwatch + 8 + kLegendLetterWidth * static_cast<double>(words.size()) + kLegendGap;
    };
    for (const LegendRow& row : kLegend) {
      if (!is_used(row)) continue;
      const Instruction instruction = {.op = row.op};
      add({.classes = class_of(instruction),
           .x = x,
           .y = top,
           .width = kSwatch,
           .height = kSwatch});
      add_text(letter_classes(instruction), x + 5, top + 11.5,
               std::string(1, letter_of(instruction)));
      add_words(row.words);
    }
    add({.kind = ShapeKind::path, .classes = "idle", .text = hatch({x, top, kSwatch, kSwatch})});
    add_words("idle");
    legend_end_ = x;
  }

  const Program& program_;
  const Timeline& timeline_;
  TimelineWords words_;
  bool is_measured_;
  bool several_stages_;
  MessageEnds ends_;
  double chart_width_;
  double rows_top_ = 0;
  double axis_y_ = 0;
  double legend_end_ = 0;
  Picture picture_;
};

}  // namespace

Picture draw_timeline(const Program& program, const Timeline& timeline, TimeSource source) {
  return Drawing(program, timeline, source).draw();
}

}  // namespace lockstep
