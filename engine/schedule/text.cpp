#include "schedule/text.h"

#include <algorithm>
#include <string>

#include "program/line_reader.h"
#include "program/program.h"
#include "schedule/action.h"
#include "schedule/place.h"

namespace lockstep {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string row_text(const std::vector<Action>& actions, std::string_view separator) {
  std::string text;
  for (const std::string& cell : cell_texts(actions)) {
    if (!text.empty()) text += separator;
    text += cell;
  }
  return text;
}

/// Reads the lines of one text into rows of actions.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<Schedule> read() {
    const char separator = has_comma() ? ',' : ' ';
    std::string_view rest = text_;
    for (int number = 1; !rest.empty(); ++number) {
      const std::string_view line = take_line(rest);
      const Status status = read_row(line.substr(0, line.find('#')), number, separator);
      if (!status.ok()) return status.error();
    }
    if (schedule_.ranks.empty()) {
      return Error{"empty", "line 1, column 1", "There is no action in this text."};
    }
    place_stages(schedule_);
    return std::move(schedule_);
  }

 private:
  bool has_comma() const {
    std::string_view rest = text_;
    while (!rest.empty()) {
      const std::string_view line = take_line(rest);
      if (line.substr(0, line.find('#')).find(',') != std::string_view::npos) return true;
    }
    return false;
  }

  Status read_row(std::string_view line, int number, char separator) {
    if (line.find_first_not_of(kBlanks) == std::string_view::npos) return fine();
    std::size_t position = 0;
    const Status label = read_label(line, number, position);
    if (!label.ok()) return label;
    if (schedule_.ranks.size() == static_cast<std::size_t>(kMaxRanks)) {
      return Error{"too_large", place({{}, number, 1}),
                   "There are at most " + std::to_string(kMaxRanks) + " ranks."};
    }
    std::vector<Action>& actions = schedule_.ranks.emplace_back();
    while (position < line.size()) {
      const Word word = next_word(line, number, separator, position);
      if (word.text.empty()) continue;
      const Result<std::vector<Action>> cell = read_cell(word);
      if (!cell.ok()) return cell.error();
      actions.insert(actions.end(), cell.value().begin(), cell.value().end());
    }
    return fine();
  }

  /// "rank R:", which may be left out; R counts the rows.
  Status read_label(std::string_view line, int number, std::size_t& position) const {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return fine();
    LineReader label(line.substr(0, colon), number);
    label.keyword("rank");
    const Word rank = label.peek();
    const int expected = static_cast<int>(schedule_.ranks.size());
    if (label.integer("the rank") != expected) {
      label.fail("unexpected", rank,
                 "Ranks come in order; this row is rank " + std::to_string(expected) + ".");
    }
    label.end();
    if (label.error()) return *label.error();
    position = colon + 1;
    return fine();
  }

  /// The word up to the next separator, without the blanks around it, and moves behind it.
  static Word next_word(std::string_view line, int number, char separator, std::size_t& position) {
    const std::string_view separators = separator == ',' ? std::string_view(",") : kBlanks;
    const std::size_t end = std::min(line.find_first_of(separators, position), line.size());
    const std::string_view cell = line.substr(position, end - position);
    const std::size_t first = std::min(cell.find_first_not_of(kBlanks), cell.size());
    const std::size_t last = cell.find_last_not_of(kBlanks) + 1;
    const Word word = {.text = cell.substr(first, std::max(first, last) - first),
                       .line = number,
                       .column = static_cast<int>(position + first) + 1};
    position = end + 1;
    return word;
  }

  std::string_view text_;
  Schedule schedule_ = {.name = "own"};
};

}  // namespace

std::string write_grid(const Schedule& schedule) {
  std::string text;
  for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
    const std::string row = row_text(schedule.ranks[rank], " ");
    text += "rank " + std::to_string(rank) + (row.empty() ? ":" : ": ") + row + "\n";
  }
  return text;
}

std::string write_csv(const Schedule& schedule) {
  std::string text;
  for (const std::vector<Action>& actions : schedule.ranks) {
    // A single cell needs its comma, so that the text is known as CSV and the row is not blank.
    text += row_text(actions, ",") + (actions.empty() ? ",\n" : "\n");
  }
  return text;
}

Result<Schedule> read_schedule(std::string_view text) {
  if (text.size() > kMaxScheduleTextBytes) {
    return Error{"too_large", "line 1, column 1", "The text is larger than any schedule of ours."};
  }
  return Reader(text).read();
}

}  // namespace lockstep
