#include "question/type_choice.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

#include "core/hash.h"
#include "core/random.h"
#include "core/text.h"

namespace lockstep {
namespace {

constexpr KeyRow kOptionRows[] = {
    {.name = "id", .form = Form::id},
    {.name = "text", .form = Form::prose},
    {.name = "key", .form = Form::flag, .need = Need::optional},
    {.name = "say", .form = Form::prose, .need = Need::optional},
};
constexpr KeyTable kOptionKeys{"option", kOptionRows};

constexpr KeyRow kChoiceRows[] = {
    {.name = "options",
     .form = Form::list,
     .item = Form::object,
     .table = &kOptionKeys,
     .items_least = 2,
     .items_most = kMaxOptions},
};
constexpr KeyTable kChoiceKeys{"choice_question", kChoiceRows};

void check_option(const FileNode& node, FileFaults& faults) {
  const bool is_key = flag_of(node["key"]);
  if (!is_key && !node["say"]) {
    faults.add(node, "missing_key", "a wrong option needs \"say\": what is wrong with it");
  }
  if (is_key && node["say"]) {
    faults.add(node["say"], "clashing_keys", "why the key is right belongs in the solution");
  }
  if (text_of(node["id"]).size() == 1) {
    faults.add(node["id"], "bad_id",
               "an option's id has at least two letters: one letter stands for its place");
  }
}

void read(const FileNode& node, const Reading& reading, Question& question) {
  ChoiceBody body;
  const FileNode list = node["options"];
  std::size_t keys = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const FileNode option = list.item(i);
    check_option(option, reading.faults);
    const bool is_key = flag_of(option["key"]);
    keys += is_key ? 1 : 0;
    body.options.push_back({std::string(text_of(option["id"])), read_prose(option["text"], reading),
                            is_key, read_prose(option["say"], reading)});
  }
  if (list && keys != 1) {
    reading.faults.add(list, "bad_key",
                       "exactly one option is the key, here it is " + std::to_string(keys));
  }
  check_unique(list, "id", reading.faults);
  question.body = std::move(body);
}

const std::vector<ChoiceOption>& options_of(const Question& question) {
  return std::get<ChoiceBody>(question.body).options;
}

/// The order in which a variant shows the options: the file's for seed 0, else drawn (Fisher and
/// Yates), so that it is the same on every return.
std::vector<std::size_t> order_of(const Question& question, std::uint32_t seed) {
  std::vector<std::size_t> order(options_of(question).size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (seed == 0) return order;
  const std::string stream_name = question.id + "/options";
  const std::uint64_t stream = fnv1a(std::as_bytes(std::span(stream_name)));
  for (std::size_t i = order.size() - 1; i > 0; --i) {
    std::swap(order[i], order[random_below(seed, stream, i, i + 1)]);
  }
  return order;
}

std::string label_of(std::size_t place) {
  return std::string(1, static_cast<char>('A' + static_cast<int>(place)));
}

Result<std::string> text_of_option(const ProseTemplate& text, const Variant& variant,
                                   const Locale* locale) {
  const Result<Prose> prose = text.fill({&variant.values, {}, {locale}});
  if (!prose.ok()) return prose.error();
  return plain_text(prose.value());
}

Status check(const Question& question, const Variant& variant) {
  std::vector<std::string> texts;
  for (const ChoiceOption& option : options_of(question)) {
    const Result<std::string> text = text_of_option(option.text, variant, nullptr);
    if (!text.ok()) return text.error();
    const auto same = std::find(texts.begin(), texts.end(), text.value());
    if (same != texts.end()) {
      const auto index = static_cast<std::size_t>(same - texts.begin());
      return Error{"same_answer", "options",
                   "the options " + in_quotes(options_of(question)[index].id) + " and " +
                       in_quotes(option.id) + " read alike"};
    }
    texts.push_back(text.value());
  }
  return fine();
}

/// The typed id or label: lower case, without the blanks and the bracket that people put around.
std::string normalised(std::string_view folded) {
  const std::size_t first = folded.find_first_not_of(" (");
  if (first == std::string_view::npos) return "";
  const std::size_t last = folded.find_last_not_of(" ).");
  std::string word(folded.substr(first, last - first + 1));
  for (char& letter : word) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return word;
}

Verdict grade(const Question& question, const Variant& variant, std::string_view answer,
              const Locale* locale) {
  const Result<std::string> folded = fold_typed(answer);
  const std::string word = folded.ok() ? normalised(folded.value()) : "";
  if (folded.ok() && word.empty()) {
    return invalid_verdict(VerdictCode::blank, "Choose one of the options.");
  }
  const std::vector<std::size_t> order = order_of(question, variant.seed);
  for (std::size_t place = 0; place < order.size(); ++place) {
    const ChoiceOption& option = options_of(question)[order[place]];
    if (word != option.id && word != normalised(label_of(place))) continue;
    const Result<std::string> text = text_of_option(option.text, variant, locale);
    const Result<std::string> say = text_of_option(option.say, variant, locale);
    Verdict verdict;
    verdict.kind = option.is_key ? VerdictKind::correct : VerdictKind::incorrect;
    verdict.code = option.is_key ? VerdictCode::correct : VerdictCode::mistake;
    verdict.credit = option.is_key ? 1 : 0;
    verdict.understood = label_of(place) + ": " + (text.ok() ? text.value() : option.id);
    if (!option.is_key) {
      verdict.mistake = option.id;
      verdict.message = say.ok() ? say.value() : "";
    }
    return verdict;
  }
  return invalid_verdict(
      VerdictCode::unknown_option,
      "Choose one of the options " + label_of(0) + " to " + label_of(order.size() - 1) + ".");
}

Status view(const Question& question, const Variant& variant, const Locale* locale,
            QuestionView& view) {
  const std::vector<std::size_t> order = order_of(question, variant.seed);
  for (std::size_t place = 0; place < order.size(); ++place) {
    const ChoiceOption& option = options_of(question)[order[place]];
    Result<Prose> text = option.text.fill({&variant.values, {}, {locale}});
    if (!text.ok()) return text.error();
    view.options.push_back({option.id, label_of(place), std::move(text).value()});
  }
  return fine();
}

Status reveal(const Question& question, const Variant& variant, const Locale* locale,
              Reveal& reveal) {
  const std::vector<std::size_t> order = order_of(question, variant.seed);
  for (std::size_t place = 0; place < order.size(); ++place) {
    const ChoiceOption& option = options_of(question)[order[place]];
    if (option.is_key) {
      reveal.answers = {label_of(place), option.id};
      continue;
    }
    const Result<std::string> say = text_of_option(option.say, variant, locale);
    if (!say.ok()) return say.error();
    reveal.mistakes.push_back({option.id, label_of(place), say.value()});
  }
  return fine();
}

AnswerSpace print(const QuestionView& view) {
  return {"Tick one:", view.options};
}

Result<std::vector<SampleAnswer>> samples(const Question& question, const Variant& variant,
                                          const Locale*) {
  const std::vector<std::size_t> order = order_of(question, variant.seed);
  std::vector<SampleAnswer> list = {{"", "blank"}, {"none of these", "unknown_option"}};
  for (std::size_t place = 0; place < order.size(); ++place) {
    const ChoiceOption& option = options_of(question)[order[place]];
    const std::string verdict =
        option.is_key ? std::string("correct") : std::string("mistake:").append(option.id);
    list.push_back({option.id, verdict});
    list.push_back({label_of(place), verdict});
  }
  return list;
}

}  // namespace

constexpr QuestionType kChoiceType{
    "choice",     "one of several options, each with its own message",
    &kChoiceKeys, read,
    check,        grade,
    view,         reveal,
    print,        samples};

}  // namespace lockstep
