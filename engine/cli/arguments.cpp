#include "cli/arguments.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "core/nearest.h"

namespace lockstep::cli {

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

namespace {

Error bad_use(std::string_view where, std::string message) {
  return Error{"bad_use", std::string(where), std::move(message)};
}

const Option* find_option(std::span<const Option> options, std::string_view name) {
  const auto found = std::ranges::find(options, name, &Option::name);
  return found == options.end() ? nullptr : &*found;
}

Error unknown_option(std::span<const Option> options, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Option& option : options) names.push_back(option.name);
  return bad_use(name, "there is no option " + std::string(name) + did_you_mean(name, names));
}

bool begins_option(std::string_view word) {
  return word.size() > 1 && word.front() == '-';
}

template <typename Number>
bool read_whole(std::string_view text, Number& number) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && end == text.data() + text.size();
}

}  // namespace

Result<Arguments> Arguments::parse(std::span<const std::string_view> words,
                                   std::span<const Option> options, int operands_min,
                                   int operands_max) {
  Arguments result;
  for (std::size_t at = 0; at < words.size(); ++at) {
    std::string_view word = words[at];
    if (word == "--") {
      result.operands_.insert(result.operands_.end(), words.begin() + static_cast<long>(at) + 1,
                              words.end());
      break;
    }
    if (!begins_option(word)) {
      result.operands_.emplace_back(word);
      continue;
    }
    if (word == "-o") word = "--output";
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string_view::npos;
    const std::string_view name = word.substr(0, equals);
    const Option* option = find_option(options, name);
    if (option == nullptr) return unknown_option(options, name);
    if (result.has(name)) return bad_use(name, "the option is given twice");
    const bool takes_value = !option->placeholder.empty();
    if (equals != std::string_view::npos) {
      if (!takes_value) return bad_use(name, "the option takes no value");
      result.values_.emplace(name, word.substr(equals + 1));
    } else if (!takes_value) {
      result.values_.emplace(name, "");
    } else if (at + 1 < words.size()) {
      result.values_.emplace(name, words[++at]);
    } else {
      return bad_use(name, "the option needs a value: " + std::string(name) + " " +
                               std::string(option->placeholder));
    }
  }
  for (const Option& option : options) {
    if (option.required && !result.has(option.name)) {
      return bad_use(option.name, "the option is needed: " + std::string(option.name) + " " +
                                      std::string(option.placeholder));
    }
  }
  const int given = static_cast<int>(result.operands_.size());
  if (given < operands_min) {
    return bad_use("arguments", counted(static_cast<std::size_t>(operands_min), "argument") +
                                    " needed, " + std::to_string(given) + " given");
  }
  if (given > operands_max) {
    return bad_use(result.operands_[static_cast<std::size_t>(operands_max)],
                   "one argument too many");
  }
  return result;
}

std::string Arguments::text(std::string_view name, std::string_view fallback) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::string(fallback) : found->second;
}

Result<long> Arguments::integer(std::string_view name, long fallback, long least, long most) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return fallback;
  long number = 0;
  if (!read_whole(found->second, number) || number < least || number > most) {
    return bad_use(name, "a whole number from " + std::to_string(least) + " to " +
                             std::to_string(most) + " is needed, not \"" + found->second + "\"");
  }
  return number;
}

Result<std::uint64_t> Arguments::seed(std::uint64_t fallback) const {
  const auto found = values_.find("--seed");
  if (found == values_.end()) return fallback;
  std::uint64_t number = 0;
  if (!read_whole(found->second, number)) {
    return bad_use("--seed", "a whole number from 0 to 18446744073709551615 is needed, not \"" +
                                 found->second + "\"");
  }
  return number;
}

Result<std::string> Arguments::word(std::string_view name,
                                    std::span<const std::string_view> words) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::string(words.front());
  if (std::ranges::find(words, found->second) != words.end()) return found->second;
  std::string message = "\"" + found->second + "\" is not one of";
  for (const std::string_view word : words) message += " " + std::string(word);
  return bad_use(name, message);
}

}  // namespace lockstep::cli
