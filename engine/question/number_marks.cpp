#include "question/number_marks.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace lockstep {
namespace {

constexpr char kNoMark = '\0';

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

Error mark_error(std::string code, std::string message) {
  return {std::move(code), "character 1", std::move(message)};
}

std::string in_quotes(std::string_view text) {
  return '"' + std::string(text) + '"';
}

std::string digits_of(std::string_view text) {
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits), is_digit);
  return digits;
}

/// Which marks this page uses.
struct Habits {
  char decimal = kNoMark;  ///< declared decimal mark
  char group = kNoMark;    ///< declared group mark beside space and apostrophe
  bool groups_of_two = false;

  explicit Habits(const Locale* locale) {
    if (!locale) return;
    decimal = locale->decimal_mark[0];
    if (decimal == ',') group = '.';
    if (locale->group_mark == ",") group = ',';
    groups_of_two = locale->groups_of_two;
  }
};

/// Whether every group but the first has `step` digits, the last three, and the first is shorter
/// or equal and does not begin with 0.
bool well_grouped(std::string_view whole, char mark, std::size_t step) {
  const std::size_t first = whole.find(mark);
  if (first == 0 || first > step || (whole[0] == '0')) return false;
  std::size_t start = first + 1;
  for (;;) {
    const std::size_t end = whole.find(mark, start);
    const bool last = end == std::string_view::npos;
    const std::size_t length = (last ? whole.size() : end) - start;
    if (length != (last ? 3 : step)) return false;
    if (last) return true;
    start = end + 1;
  }
}

/// The whole part: plain digits, or groups with one kind of mark. Points group only where a locale
/// says so, commas wherever they are not the decimal mark.
bool whole_part_fits(std::string_view whole, const Habits& habits, char decimal) {
  const auto at = std::ranges::find_if_not(whole, is_digit);
  if (at == whole.end()) return true;
  const char mark = *at;
  const bool one_kind =
      std::ranges::all_of(whole, [mark](char c) { return is_digit(c) || c == mark; });
  if (!one_kind || mark == decimal || (mark == '.' && habits.group != '.')) return false;
  return well_grouped(whole, mark, 3) ||
         (habits.groups_of_two && mark == habits.group && well_grouped(whole, mark, 2));
}

/// Behind the mark only spaces group, by three from the mark on: 0.123 456 7.
bool part_behind_fits(std::string_view behind) {
  if (behind.empty()) return true;
  for (std::size_t i = 0; i < behind.size(); ++i) {
    if (i % 4 == 3 ? behind[i] != ' ' : !is_digit(behind[i])) {
      return std::ranges::all_of(behind, is_digit);
    }
  }
  return behind.back() != ' ';
}

struct Split {
  std::string_view whole;
  std::string_view behind;
  bool has_mark = false;
};

Split split_at(std::string_view run, char mark) {
  const std::size_t at = mark == kNoMark ? std::string_view::npos : run.find(mark);
  if (at == std::string_view::npos) return {run, {}, false};
  return {run.substr(0, at), run.substr(at + 1), true};
}

/// Whether the only mark of its kind could group thousands: 1 to 3 digits, the mark, 3 digits.
bool could_group(std::string_view run, char mark) {
  return std::ranges::count(run, mark) == 1 && well_grouped(run, mark, 3) &&
         digits_of(run).size() + 1 == run.size();
}

/// Whether the run ends in a mark and exactly three digits.
bool ends_in_three(std::string_view run, char mark) {
  const std::size_t at = run.rfind(mark);
  return at != std::string_view::npos && run.size() - at - 1 == 3;
}

/// The decimal mark of a run where none is declared, or an undeclared one where the declared one
/// does not occur: a mark that occurs once, behind all others.
char undeclared_decimal(std::string_view run) {
  const std::size_t dot = run.rfind('.');
  const std::size_t comma = run.rfind(',');
  if (dot == std::string_view::npos && comma == std::string_view::npos) return kNoMark;
  const bool dot_is_last =
      comma == std::string_view::npos || (dot != std::string_view::npos && dot > comma);
  const char mark = dot_is_last ? '.' : ',';
  return std::ranges::count(run, mark) == 1 ? mark : kNoMark;
}

Error ambiguous(std::string_view run, char mark, const Habits& habits) {
  const char decimal = habits.decimal == kNoMark ? '.' : habits.decimal;
  const Split parts = split_at(run, mark);
  std::string readings = std::string(parts.whole) + decimal + std::string(parts.behind);
  if (well_grouped(run, mark, 3)) readings += " or " + digits_of(run) + ", whichever you mean";
  return mark_error(mark == ',' ? "ambiguous_comma" : "ambiguous_dot",
                    in_quotes(run) + " can be misread: type " + readings + '.');
}

Error wrong_grouping(std::string_view run, const Habits& habits) {
  const std::string decimal(1, habits.decimal == kNoMark ? '.' : habits.decimal);
  return mark_error("wrong_grouping",
                    in_quotes(run) + " is not clear: type the digits without separators, with " +
                        in_quotes(decimal) + " as the only decimal mark.");
}

}  // namespace

Result<MarkedDigits> sort_out_marks(std::string_view run, const Locale* locale,
                                    bool ask_when_ambiguous) {
  const Habits habits(locale);
  if (std::ranges::none_of(run, is_digit)) {
    return mark_error("not_a_number", "Type a number, such as 0.5, 3/4 or 6e14.");
  }
  const bool has_dot = run.find('.') != std::string_view::npos;
  const bool has_comma = run.find(',') != std::string_view::npos;
  char decimal = habits.decimal;
  if (habits.decimal == kNoMark || (habits.decimal == '.' && habits.group != ',')) {
    // Commas were not declared to group: "6,667" may mean either.
    if (has_comma && !has_dot && could_group(run, ',')) return ambiguous(run, ',', habits);
    decimal = undeclared_decimal(run);
  } else if (habits.decimal == ',' && has_dot && !has_comma && std::ranges::count(run, '.') == 1) {
    // Dots group here, but many type them as decimal marks all the same.
    const bool may_group = ends_in_three(run, '.');
    if (may_group && ask_when_ambiguous) return ambiguous(run, '.', habits);
    if (!may_group) decimal = '.';
  }
  const Split parts = split_at(run, decimal);
  if (!whole_part_fits(parts.whole, habits, decimal) || !part_behind_fits(parts.behind)) {
    return wrong_grouping(run, habits);
  }
  return MarkedDigits{digits_of(parts.whole), digits_of(parts.behind), parts.has_mark};
}

}  // namespace lockstep
