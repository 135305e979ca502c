#include "question/type_number.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "question/number.h"

namespace lockstep {
namespace {

constexpr KeyRow kRuleRows[] = {
    {.name = "decimals", .form = Form::integer, .need = Need::optional, .most = kPlacesMax},
    {.name = "figures",
     .form = Form::integer,
     .need = Need::optional,
     .least = 1,
     .most = kFiguresMax},
    {.name = "exact", .form = Form::flag, .need = Need::optional},
    {.name = "whole", .form = Form::flag, .need = Need::optional},
    {.name = "absolute", .form = Form::number, .need = Need::optional},
    {.name = "relative", .form = Form::number, .need = Need::optional},
    {.name = "units", .form = Form::list, .need = Need::optional},
    {.name = "expressions", .form = Form::flag, .need = Need::optional},
};
constexpr KeyTable kRuleKeys{"rule", kRuleRows};

constexpr KeyRow kMistakeRows[] = {
    {.name = "id", .form = Form::id},
    {.name = "value", .form = Form::formula},
    {.name = "say", .form = Form::prose},
};
constexpr KeyTable kMistakeKeys{"mistake", kMistakeRows};

constexpr KeyRow kSharedRows[] = {
    {.name = "id", .form = Form::id},
    {.name = "of", .form = Form::list, .item = Form::id, .items_least = 2},
    {.name = "say", .form = Form::prose},
};
constexpr KeyTable kSharedKeys{"shared_mistake", kSharedRows};

/// A question with one foreseen mistake tells right from wrong, not why.
constexpr std::size_t kMinMistakes = 2;
/// All are compared with one another in each of up to a hundred draws.
constexpr std::size_t kMaxMistakes = 40;

constexpr KeyRow kNumberRows[] = {
    {.name = "key", .form = Form::formula},
    {.name = "rule", .form = Form::object, .table = &kRuleKeys},
    {.name = "mistakes",
     .form = Form::list,
     .item = Form::object,
     .table = &kMistakeKeys,
     .items_least = kMinMistakes,
     .items_most = kMaxMistakes},
    {.name = "shared_mistakes",
     .form = Form::list,
     .need = Need::optional,
     .item = Form::object,
     .table = &kSharedKeys,
     .items_most = kMaxMistakes},
};
constexpr KeyTable kNumberKeys{"number_question", kNumberRows};

/// The digits asked for; check_keys has noted those out of range.
int digits_of(const FileNode& rule) {
  const std::int64_t decimals = integer_of(rule["decimals"], 0);
  const std::int64_t figures = integer_of(rule["figures"], 1);
  return static_cast<int>(rule["figures"] ? std::clamp<std::int64_t>(figures, 1, kFiguresMax)
                                          : std::clamp<std::int64_t>(decimals, 0, kPlacesMax));
}

NumberRule read_rule(const FileNode& node, FileFaults& faults) {
  NumberRule rule;
  int comparisons = 0;
  const auto choose = [&](bool given, Comparison comparison) {
    if (!given) return;
    rule.comparison = comparison;
    ++comparisons;
  };
  choose(bool(node["decimals"]), Comparison::decimals);
  choose(bool(node["figures"]), Comparison::figures);
  choose(flag_of(node["exact"]), Comparison::exact);
  choose(flag_of(node["whole"]), Comparison::integer);
  choose(node["absolute"] || node["relative"], Comparison::tolerance);
  if (node && comparisons != 1) {
    faults.add(node, "bad_rule",
               "one of these decides: decimals, figures, exact, whole, or absolute and relative");
  }
  rule.digits = digits_of(node);
  rule.absolute = read_number(node["absolute"], faults).value_or(Rational());
  rule.relative = read_number(node["relative"], faults).value_or(Rational());
  rule.unit.accepted = read_texts(node["units"]);
  if (flag_of(node["expressions"])) {
    rule.forms = static_cast<NumberForms>(rule.forms | form_bit(NumberForm::expression));
  }
  const Status status = check_rule(rule);
  if (node && comparisons == 1 && !status.ok()) {
    const bool of_units = status.error().code == "bad_unit";
    faults.add(of_units ? node["units"] : node, status.error().code, status.error().message);
  }
  return rule;
}

void read_mistakes(const FileNode& list, const Reading& reading, NumberBody& body) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const FileNode node = list.item(i);
    const std::optional<Formula> value = read_formula(node["value"], reading.with("key"));
    ProseTemplate say = read_prose(node["say"], reading.with("value"));
    if (value) body.mistakes.push_back({std::string(text_of(node["id"])), *value, std::move(say)});
  }
  check_unique(list, "id", reading.faults);
}

const MistakeFormula* find_mistake(const NumberBody& body, std::string_view id) {
  const auto found = std::find_if(body.mistakes.begin(), body.mistakes.end(),
                                  [id](const MistakeFormula& mistake) { return mistake.id == id; });
  return found == body.mistakes.end() ? nullptr : &*found;
}

void read_shared(const FileNode& list, const Reading& reading, NumberBody& body) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const FileNode node = list.item(i);
    const FileNode of = node["of"];
    for (std::size_t j = 0; j < of.size(); ++j) {
      const std::string_view id = text_of(of.item(j));
      if (id.empty() || find_mistake(body, id)) continue;
      reading.faults.add(of.item(j), "unknown_mistake", "no mistake is called " + in_quotes(id));
    }
    const std::string id(text_of(node["id"]));
    if (find_mistake(body, id)) {
      reading.faults.add(node["id"], "duplicate_id",
                         "a mistake is called " + in_quotes(id) + " too");
    }
    body.shared.push_back({id, read_texts(of), read_prose(node["say"], reading.with("value"))});
  }
  check_unique(list, "id", reading.faults);
}

void read(const FileNode& node, const Reading& reading, Question& question) {
  NumberBody body;
  const std::optional<Formula> key = read_formula(node["key"], reading);
  if (key) body.key = *key;
  body.rule = read_rule(node["rule"], reading.faults);
  read_mistakes(node["mistakes"], reading, body);
  read_shared(node["shared_mistakes"], reading, body);
  question.body = std::move(body);
}

const NumberBody& body_of(const Question& question) {
  return std::get<NumberBody>(question.body);
}

/// Whether these are the numbers of the file, not drawn ones.
bool has_source_numbers(const Question& question, const Variant& variant) {
  return variant.seed == 0 || question.parameters.empty();
}

/// Whether all mistakes that `shared` names have one value among `values`, and which.
std::optional<Rational> shared_value(const SharedMistake& shared, const NumberRule& rule,
                                     const std::vector<NumberMistake>& values) {
  std::optional<Rational> common;
  for (const NumberMistake& mistake : values) {
    if (std::find(shared.of.begin(), shared.of.end(), mistake.id) == shared.of.end()) continue;
    if (common && !same_under(rule, mistake.value, *common)) return std::nullopt;
    common = mistake.value;
  }
  return common;
}

/// The key and the mistakes of a variant, without their messages; under the source's own numbers
/// shared mistakes come first, since the first of one value speaks.
Result<NumberKey> key_of(const Question& question, const Variant& variant) {
  const NumberBody& body = body_of(question);
  const Result<Rational> value = body.key.evaluate(variant.values);
  if (!value.ok()) return value.error();
  NumberKey key{value.value(), {}, body.rule, {}};
  Environment with_key = variant.values;
  with_key.set("key", key.value);
  for (const MistakeFormula& mistake : body.mistakes) {
    const Result<Rational> wrong = mistake.value.evaluate(with_key);
    if (!wrong.ok()) return wrong.error();
    key.mistakes.push_back({mistake.id, wrong.value(), ""});
  }
  if (!has_source_numbers(question, variant)) return key;
  std::vector<NumberMistake> shared;
  for (const SharedMistake& one : body.shared) {
    const std::optional<Rational> common = shared_value(one, body.rule, key.mistakes);
    if (common) shared.push_back({one.id, *common, ""});
  }
  key.mistakes.insert(key.mistakes.begin(), shared.begin(), shared.end());
  return key;
}

/// What a mistake says, with its value written under the rule but without a unit: within a
/// sentence the number is meant.
Result<std::string> message_of(const NumberBody& body, const Variant& variant,
                               const NumberMistake& mistake, const Locale* locale) {
  const ProseTemplate* say = nullptr;
  for (const MistakeFormula& one : body.mistakes) {
    if (one.id == mistake.id) say = &one.say;
  }
  for (const SharedMistake& one : body.shared) {
    if (one.id == mistake.id) say = &one.say;
  }
  Environment values = variant.values;
  values.set("value", mistake.value);
  NumberRule without_unit = body.rule;
  without_unit.unit = {};
  const ProseValues filling{
      &values, {{"value", reveal_number(mistake.value, without_unit, locale)[0]}}, {locale}};
  const Result<Prose> prose = say->fill(filling);
  if (!prose.ok()) return prose.error();
  return plain_text(prose.value());
}

/// Mistakes of the source's own numbers may share a value, if there is a message for both.
Status check_shared(const NumberBody& body, const NumberKey& key) {
  for (const MistakeFormula& a : body.mistakes) {
    for (const NumberMistake& b : key.mistakes) {
      if (b.id == a.id || !find_mistake(body, b.id)) continue;
      const auto same_id = [&](const NumberMistake& one) { return one.id == a.id; };
      const auto own = std::find_if(key.mistakes.begin(), key.mistakes.end(), same_id);
      if (!same_under(body.rule, own->value, b.value)) continue;
      const auto covers = [&](const SharedMistake& shared) {
        return std::find(shared.of.begin(), shared.of.end(), a.id) != shared.of.end() &&
               std::find(shared.of.begin(), shared.of.end(), b.id) != shared.of.end();
      };
      if (std::any_of(body.shared.begin(), body.shared.end(), covers)) continue;
      return Error{"same_answer", "mistakes",
                   "the mistakes " + in_quotes(a.id) + " and " + in_quotes(b.id) +
                       " give one value: \"shared_mistakes\" needs a message for both"};
    }
  }
  for (const NumberMistake& mistake : key.mistakes) {
    if (!same_under(body.rule, mistake.value, key.value)) continue;
    return Error{"same_answer", "mistakes", "the mistake " + in_quotes(mistake.id) + " is the key"};
  }
  return fine();
}

Status check(const Question& question, const Variant& variant) {
  const NumberBody& body = body_of(question);
  const Result<NumberKey> key = key_of(question, variant);
  if (!key.ok()) return key.error();
  const Status typed = check_key(key.value().value, body.rule);
  if (!typed.ok()) return typed.error();
  if (has_source_numbers(question, variant)) return check_shared(body, key.value());
  const auto pair = indistinct(key.value());
  if (!pair) return fine();
  return Error{"same_answer", "mistakes",
               in_quotes(pair->first) + " and " + in_quotes(pair->second) + " give one value"};
}

Verdict grade(const Question& question, const Variant& variant, std::string_view answer,
              const Locale* locale) {
  const NumberBody& body = body_of(question);
  const Result<NumberKey> key = key_of(question, variant);
  if (!key.ok()) return invalid_verdict(VerdictCode::out_of_range, key.error().message);
  Verdict verdict = grade_number(answer, key.value(), locale);
  for (const NumberMistake& mistake : key.value().mistakes) {
    if (verdict.code != VerdictCode::mistake || mistake.id != verdict.mistake) continue;
    const Result<std::string> message = message_of(body, variant, mistake, locale);
    if (message.ok()) verdict.message = message.value();
  }
  return verdict;
}

Status view(const Question& question, const Variant&, const Locale* locale, QuestionView& view) {
  view.suffix = prompt_suffix(body_of(question).rule, locale);
  view.typing = rule_hint(body_of(question).rule, locale);
  return fine();
}

Status reveal(const Question& question, const Variant& variant, const Locale* locale,
              Reveal& reveal) {
  const NumberBody& body = body_of(question);
  const Result<NumberKey> key = key_of(question, variant);
  if (!key.ok()) return key.error();
  reveal.key = key.value().value;
  reveal.answers = reveal_number(key.value().value, body.rule, locale);
  std::vector<Rational> told;
  for (const NumberMistake& mistake : key.value().mistakes) {
    const auto same = [&](const Rational& one) {
      return same_under(body.rule, mistake.value, one);
    };
    if (std::any_of(told.begin(), told.end(), same)) continue;
    told.push_back(mistake.value);
    const Result<std::string> message = message_of(body, variant, mistake, locale);
    if (!message.ok()) return message.error();
    const std::string answer = reveal_number(mistake.value, body.rule, locale)[0];
    reveal.mistakes.push_back({mistake.id, answer, message.value()});
  }
  return fine();
}

AnswerSpace print(const QuestionView& view) {
  const std::string_view gap = view.suffix.empty() ? "" : " ";
  return {std::string("Answer").append(gap).append(view.suffix).append(":"), {}};
}

Result<std::vector<SampleAnswer>> samples(const Question& question, const Variant& variant,
                                          const Locale* locale) {
  Reveal revealed;
  const Status status = reveal(question, variant, locale, revealed);
  if (!status.ok()) return status.error();
  std::vector<SampleAnswer> list;
  for (const std::string& answer : revealed.answers) list.push_back({answer, "correct"});
  for (const RevealedMistake& mistake : revealed.mistakes) {
    list.push_back({mistake.answer, std::string("mistake:").append(mistake.id)});
  }
  list.push_back({"", "blank"});
  list.push_back({"seven and a bit", "invalid"});
  return list;
}

}  // namespace

constexpr QuestionType kNumberType{
    "number",     "a number that is typed, compared exactly under the question's rule",
    &kNumberKeys, read,
    check,        grade,
    view,         reveal,
    print,        samples};

}  // namespace lockstep
