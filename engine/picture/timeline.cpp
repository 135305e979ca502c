#include "picture/timeline.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "core/decimal.h"
#include "picture/hatch.h"
#include "picture/story.h"
#include "program/instruction.h"
#include "schedule/action.h"
#include "schedule/schedule.h"

namespace lockstep {
namespace {

// All in CSS pixels. A cell is wide enough for its letter and two digits; past the widest chart
// cells shrink and leave out their text.
constexpr double kMargin = 16;
constexpr double kLabelWidth = 76;
constexpr double kKeptWidth = 112;
constexpr double kKeptGap = 14;
constexpr double kHeadingBaseline = 30;
constexpr double kNoteBaseline = 52;
constexpr double kRowsTop = 84;
constexpr double kRowHeight = 34;
constexpr double kRowStep = 42;
constexpr double kAxisGap = 12;
constexpr double kTickLength = 5;
constexpr double kCellWidth = 25;
constexpr double kChartWidthMin = 420;
constexpr double kChartWidthMax = 2400;
constexpr double kMeasuredChartWidth = 720;  ///< measured cells differ in length: no width fits all
constexpr double kCellWidthMin = 1.5;        ///< of what a clock told no length of
constexpr double kTickDistance = 70;
constexpr double kLegendTop = 44;  ///< below the axis
constexpr double kSwatch = 16;
constexpr double kLegendLetterWidth = 7;
constexpr double kLegendGap = 16;
constexpr double kDigitWidth = 8;     ///< of a number in a cell
constexpr double kLetterWidth = 6.5;  ///< of a letter in a cell
constexpr double kCellPadding = 3;

constexpr std::string_view kExchangeClass = "communication";

/// Fractions longer than this are told as a percentage alone.
constexpr std::size_t kFractionLettersMax = 12;

struct LegendRow {
  Op op;
  std::string_view words;
};
constexpr std::array kLegend = {
    LegendRow{Op::forward, "forward"},
    LegendRow{Op::backward, "backward"},
    LegendRow{Op::backward_input, "input gradient"},
    LegendRow{Op::backward_weight, "weight gradient"},
};

/// "3/11 = 27.3 %"; of measured times, which are no exact fractions, the percentage alone.
std::string share_text(const Rational& share, bool is_measured) {
  const std::string percent = percent_text(share, 1);
  if (is_measured) return percent;
  const std::string fraction = fraction_text(share);
  return fraction.size() > kFractionLettersMax ? percent : fraction + " = " + percent;
}

std::string count_text(std::size_t count, std::string_view one, std::string_view several) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : several);
}

/// Draws one timeline; the order of its parts is the order of their shapes, from back to front.
class Drawing {
 public:
  Drawing(const Program& program, const Timeline& timeline, TimeSource source)
      : program_(program), timeline_(timeline), is_measured_(source == TimeSource::measured) {
    several_stages_ = std::ranges::any_of(
        program.devices, [](const DeviceProgram& device) { return device.stages.size() > 1; });
    exchanges_ = any_exchange();
    chart_width_ = chart_width();
    const double rows = static_cast<double>(program.devices.size());
    axis_y_ = kRowsTop + rows * kRowStep - (kRowStep - kRowHeight) + kAxisGap;
  }

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
  double chart_width() const {
    Ticks shortest = timeline_.makespan;
    for (std::size_t rank = 0; rank < program_.devices.size(); ++rank) {
      const std::vector<Instruction>& list = program_.devices[rank].instructions;
      for (std::size_t i = 0; i < list.size(); ++i) {
        const Ticks length = length_of(timeline_.spans[rank][i]);
        if (is_stage_work(list[i].op) && length > 0) shortest = std::min(shortest, length);
      }
    }
    if (timeline_.makespan == 0) return kChartWidthMin;
    if (is_measured_) return kMeasuredChartWidth;
    const double cells = static_cast<double>(timeline_.makespan) / static_cast<double>(shortest);
    return std::clamp(kCellWidth * cells, kChartWidthMin, kChartWidthMax);
  }

  static Ticks length_of(const TimeSpan& span) { return span.end - span.start; }

  double x_of(Ticks ticks) const {
    if (timeline_.makespan == 0) return kMargin + kLabelWidth;
    return kMargin + kLabelWidth +
           chart_width_ * (static_cast<double>(ticks) / static_cast<double>(timeline_.makespan));
  }

  double right() const { return kMargin + kLabelWidth + chart_width_; }

  std::string time_text(Ticks ticks) const {
    return shortest_text(timeline_.time(ticks)) + (is_measured_ ? " ms" : "");
  }

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

  /// What people call the schedule: "1F1B"; else the program's name in words.
  std::string name_text() const {
    const Result<ScheduleRow> row = find_schedule(program_.name);
    if (row.ok()) return std::string(row.value().aliases.front());
    std::string name = program_.name;
    std::ranges::replace(name, '_', ' ');
    return name;
  }

  std::string idle_text() const {
    const std::optional<Bubbles> idle = bubbles(timeline_);
    if (!idle) return "No device does stage work.";
    if (idle->of_total.is_zero()) return "No device is ever idle.";
    return std::string(exchanges_ ? "Not computing for " : "Idle for ") +
           share_text(idle->of_total, is_measured_) + " of the total time, or " +
           share_text(idle->of_ideal, is_measured_) + " of the ideal time.";
  }

  std::string_view time_words() const { return is_measured_ ? "measured time" : "simulated time"; }

  void add_heading() {
    const std::size_t devices = program_.devices.size();
    picture_.title =
        name_text() + ": " + count_text(devices, "device", "devices") + ", " +
        count_text(static_cast<std::size_t>(program_.microbatches), "microbatch", "microbatches");
    const std::string note = idle_text();
    picture_.description = "Devices are rows; " + std::string(time_words()) +
                           " runs to the right from 0 to " + time_text(timeline_.makespan) + ". " +
                           note;
    add_text("heading", kMargin, kHeadingBaseline, picture_.title);
    add_text("note", kMargin, kNoteBaseline, note);
    add_text("small", right() + kKeptGap, kRowsTop - 10, "activations kept");
  }

  void add_row(int rank) {
    const auto row = static_cast<std::size_t>(rank);
    const double top = kRowsTop + kRowStep * rank;
    const double baseline = top + kRowHeight / 2 + 4.5;
    const DeviceTimes& times = timeline_.devices[row];
    const std::string name = "device " + std::to_string(rank);
    add_text("end row_name", kMargin + kLabelWidth - 12, baseline, name);
    add_text("", right() + kKeptGap, baseline, std::to_string(times.peak_until_weight_gradient));
    picture_.description += " Device " + std::to_string(rank) + " works " + time_text(times.busy) +
                            " between " + time_text(times.first_start) + " and " +
                            time_text(times.last_end) + " and keeps at most " +
                            count_text(static_cast<std::size_t>(times.peak_until_weight_gradient),
                                       "activation", "activations") +
                            ".";
    Ticks free_from = 0;
    const std::vector<Instruction>& list = program_.devices[row].instructions;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const TimeSpan& span = timeline_.spans[row][i];
      if (!is_drawn(list[i], span)) continue;
      add_idle(free_from, span.start, top);
      add_cell(list[i], {rank, static_cast<int>(i)}, span, top);
      free_from = span.end;
    }
    add_idle(free_from, timeline_.makespan, top);
  }

  /// Stage work, and the exchange of gradients where it takes time.
  static bool is_drawn(const Instruction& instruction, const TimeSpan& span) {
    return is_stage_work(instruction.op) || (is_exchange(instruction) && length_of(span) > 0);
  }

  bool any_exchange() const {
    for (std::size_t rank = 0; rank < program_.devices.size(); ++rank) {
      const std::vector<Instruction>& list = program_.devices[rank].instructions;
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (is_exchange(list[i]) && length_of(timeline_.spans[rank][i]) > 0) return true;
      }
    }
    return false;
  }

  static bool is_exchange(const Instruction& instruction) {
    return instruction.op == Op::scale ||
           (!is_stage_work(instruction.op) && instruction.tensor.kind == TensorKind::gradient);
  }

  void add_idle(Ticks from, Ticks to, double top) {
    if (from >= to) return;
    add({.kind = ShapeKind::path,
         .classes = "idle",
         .text = hatch({x_of(from), top, x_of(to) - x_of(from), kRowHeight})});
  }

  struct CellPlace {
    int rank;
    int instruction;
  };

  void add_cell(const Instruction& work, const CellPlace& place, const TimeSpan& span, double top) {
    const double left = x_of(span.start);
    const double width = std::max(x_of(span.end) - left, kCellWidthMin);
    const bool is_work = is_stage_work(work.op);
    add({.classes = std::string(is_work ? op_word(work.op) : kExchangeClass),
         .x = left,
         .y = top,
         .width = width,
         .height = kRowHeight,
         .title = "device " + std::to_string(place.rank) + ": " + what_text(work) + ", from " +
                  time_text(span.start) + " to " + time_text(span.end),
         .story = story(program_, place.rank, place.instruction),
         .rank = place.rank,
         .instruction = place.instruction});
    if (is_work) add_cell_text(work, left, top, width);
  }

  static std::string what_text(const Instruction& work) {
    if (!is_stage_work(work.op)) return "exchange of gradients";
    return std::string(op_word(work.op)) + " of stage " + std::to_string(work.stage) +
           " on microbatch " + std::to_string(work.microbatch);
  }

  void add_cell_text(const Instruction& work, double left, double top, double width) {
    const std::string colour = work.op == Op::forward ? " on_forward" : "";
    const std::string microbatch = std::to_string(work.microbatch);
    const std::string letter =
        (several_stages_ ? std::to_string(work.stage) : "") + action_letter(action_of(work).kind);
    if (width < kDigitWidth * static_cast<double>(microbatch.size()) + 1) return;
    add_text("number" + colour, left + width / 2, top + kRowHeight - 8, microbatch);
    if (width < kLetterWidth * static_cast<double>(letter.size()) + 2 * kCellPadding) return;
    add_text("letter" + colour, left + kCellPadding, top + 10.5, letter);
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
    const double left = x_of(0);
    add({.kind = ShapeKind::line,
         .classes = "axis",
         .x = left,
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
    add_mark(left, "0");
    add_text("small", right() + kKeptGap, axis_y_ + 4,
             std::string(time_words()) + (is_measured_ ? ", ms" : ""));
    if (timeline_.makespan == 0) return;
    const Rational total = timeline_.time(timeline_.makespan);
    const Rational step = tick_step();
    // The end has a mark of its own, with room around it.
    for (Rational time = step; time + step / Rational(2) <= total; time += step) {
      add_mark(left + to_double(time / total) * chart_width_, shortest_text(time));
    }
    add_mark(right(), shortest_text(total));
  }

  void add_legend() {
    double x = x_of(0);
    const double top = axis_y_ + kLegendTop;
    const auto add_words = [&](std::string_view words) {
      add_text("", x + kSwatch + 8, top + 12.5, std::string(words));
      x += kSwatch + 8 + kLegendLetterWidth * static_cast<double>(words.size()) + kLegendGap;
    };
    for (const LegendRow& row : kLegend) {
      const bool used = std::ranges::any_of(program_.devices, [&](const DeviceProgram& device) {
        return std::ranges::count(device.instructions, row.op, &Instruction::op) > 0;
      });
      if (!used) continue;
      add({.classes = std::string(op_word(row.op)),
           .x = x,
           .y = top,
           .width = kSwatch,
           .height = kSwatch});
      const Action action = action_of({.op = row.op});
      add_text(row.op == Op::forward ? "letter on_forward" : "letter", x + 5, top + 11.5,
               std::string(1, action_letter(action.kind)));
      add_words(row.words);
    }
    if (exchanges_) {
      add({.classes = std::string(kExchangeClass),
           .x = x,
           .y = top,
           .width = kSwatch,
           .height = kSwatch});
      add_words("exchange of gradients");
    }
    add({.kind = ShapeKind::path, .classes = "idle", .text = hatch({x, top, kSwatch, kSwatch})});
    add_words("idle");
    legend_end_ = x;
  }

  const Program& program_;
  const Timeline& timeline_;
  bool is_measured_;
  bool several_stages_ = false;
  bool exchanges_ = false;  ///< whether an exchange of gradients takes time
  double chart_width_ = 0;
  double axis_y_ = 0;
  double legend_end_ = 0;
  Picture picture_;
};

}  // namespace

Picture draw_timeline(const Program& program, const Timeline& timeline, TimeSource source) {
  return Drawing(program, timeline, source).draw();
}

}  // namespace lockstep
