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

using Rows = std::vector<std::vector<CommunicationAction>>;

std::string row_text(const std::vector<std::string>& cells, std::string_view separator) {
  std::string text;
  for (const std::string& cell : cells) {
    if (!text.empty()) text += separator;
    text += cell;
  }
  return text;
}

/// A row of a CSV. One without a cell needs its comma, so that the text is known as CSV and the row
/// is not blank.
std::string csv_row(const std::vector<CommunicationAction>& actions, Dialect dialect) {
  return row_text(token_texts(actions, dialect), ",") + (actions.empty() ? ",\n" : "\n");
}

/// Reads the lines of one text into rows of actions.
class Reader {
 public:
  Reader(std::string_view text, const TokenRules& rules) : text_(text), rules_(rules) {}

  Result<Rows> read() {
    const char separator = has_comma() ? ',' : ' ';
    std::string_view rest = text_;
    for (int number = 1; !rest.empty(); ++number) {
      const std::string_view line = take_line(rest);
      const Status status = read_row(line.substr(0, line.find('#')), number, separator);
      if (!status.ok()) return status.error();
    }
    if (rows_.empty()) {
      return Error{"empty", "line 1, column 1", "There is no action in this text."};
    }
    return std::move(rows_);
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
    if (rows_.size() == static_cast<std::size_t>(kMaxRanks)) {
      return Error{"too_large", place({{}, number, 1}),
                   "There are at most " + std::to_string(kMaxRanks) + " ranks."};
    }
    std::vector<CommunicationAction>& actions = rows_.emplace_back();
    while (position < line.size()) {
      const Word word = next_word(line, number, separator, position);
      if (word.text.empty()) continue;
      const Result<std::vector<CommunicationAction>> cell = read_token(word, rules_);
      if (!cell.ok()) return cell.error();
      action_count_ += cell.value().size();
      if (action_count_ > kMaxTextActions) {
        return Error{"too_large", place(word), "No schedule of ours has as many actions."};
      }
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
    const int expected = static_cast<int>(rows_.size());
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
  TokenRules rules_;
  Rows rows_;
  std::size_t action_count_ = 0;
};

Result<Rows> read_rows(std::string_view text, std::size_t bytes_max, const TokenRules& rules) {
  if (text.size() > bytes_max) {
    return Error{"too_large", "line 1, column 1", "The text is larger than any schedule of ours."};
  }
  return Reader(text, rules).read();
}

/// The work among `rows`, with its ranks found.
Schedule schedule_of(Rows rows) {
  Schedule schedule = work_of({.name = "own", .ranks = std::move(rows)});
  place_stages(schedule);
  return schedule;
}

}  // namespace

std::string write_grid(const Schedule& schedule) {
  std::string text;
  for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
    const std::string row = row_text(cell_texts(schedule.ranks[rank]), " ");
    text += "rank " + std::to_string(rank) + (row.empty() ? ":" : ": ") + row + "\n";
  }
  return text;
}

std::string write_csv(const Schedule& schedule, Dialect dialect) {
  std::string text;
  for (const std::vector<Action>& actions : schedule.ranks) {
    std::vector<CommunicationAction> works;
    works.reserve(actions.size());
    for (const Action& action : actions) works.push_back(to_communication(action));
    text += csv_row(works, dialect);
  }
  return text;
}

std::string write_csv(const CommunicationSchedule& schedule, Dialect dialect) {
  std::string text;
  for (const auto& actions : schedule.ranks) text += csv_row(actions, dialect);
  return text;
}

Result<Schedule> read_schedule(std::string_view text, Dialect dialect) {
  Result<Rows> rows =
      read_rows(text, kMaxScheduleTextBytes, {.dialect = dialect, .communication = false});
  if (!rows.ok()) return rows.error();
  return schedule_of(std::move(rows).value());
}

Result<CommunicationSchedule> read_communication(std::string_view text, Dialect dialect) {
  Result<Rows> rows = read_rows(text, kMaxCommunicationTextBytes, {.dialect = dialect});
  if (!rows.ok()) return rows.error();
  const Schedule work = schedule_of(rows.value());
  return CommunicationSchedule{.name = work.name,
                               .microbatches = work.microbatches,
                               .stage_rank = work.stage_rank,
                               .second_half_rank = work.second_half_rank,
                               .ranks = std::move(rows).value()};
}

}  // namespace lockstep
