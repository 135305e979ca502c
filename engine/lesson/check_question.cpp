#include "lesson/check_question.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/decimal.h"
#include "lesson/ask.h"
#include "lesson/variant.h"
#include "question/table.h"

namespace lockstep {
namespace {

/// "single_s = 80, devices = 8".
std::string numbers_text(const Question& question, const Variant& variant) {
  std::string text;
  for (const QuestionParameter& parameter : question.parameters) {
    if (!text.empty()) text += ", ";
    text += parameter.name + " = " + shortest_text(*variant.values.find(parameter.name));
  }
  return text.empty() ? "no parameters" : text;
}

/// Whether `numbers` are the source's own, of which two mistakes may share a value.
bool is_canonical(const Question& question, const std::vector<Rational>& numbers) {
  return numbers == canonical_numbers(question);
}

std::vector<Rational> numbers_of(const Question& question, const Example& example) {
  if (example.with.empty()) return canonical_numbers(question);
  std::vector<Rational> numbers;
  for (const QuestionParameter& parameter : question.parameters) {
    const auto found = std::find_if(example.with.begin(), example.with.end(),
                                    [&](const auto& one) { return one.first == parameter.name; });
    numbers.push_back(found->second);
  }
  return numbers;
}

void check_example(const Question& question, const Example& example, const FileNode& node,
                   FileFaults& faults) {
  const std::vector<Rational> numbers = numbers_of(question, example);
  const std::uint32_t seed = is_canonical(question, numbers) ? 0 : 1;
  const Trial trial = try_numbers(question, numbers, seed);
  if (trial.fit != Fit::fit) {
    if (seed == 0) return;  // the sweep has noted it
    faults.add(node["with"], trial.reason.code,
               "these numbers are not fit: " + trial.reason.message);
    return;
  }
  const FileNode answers = node["answers"];
  for (std::size_t i = 0; i < example.answers.size(); ++i) {
    const auto& [answer, expected] = example.answers[i];
    const Verdict verdict = grade(question, trial.variant, answer, nullptr);
    if (meets(verdict, expected)) continue;
    faults.add(answers.item(i), "example_differs",
               "the answer " + in_quotes(answer) + " is " + code_text(verdict) + " (" +
                   std::string(verdict_kind_name(verdict.kind)) + "), not " + expected);
  }
}

/// Goes through the variants of one question and notes the first fault of each kind.
class Sweep {
 public:
  Sweep(const Question& question, const FileNode& node, FileFaults& faults)
      : question_(question), node_(node), faults_(faults) {}

  void run() {
    if (!try_one(canonical_numbers(question_), 0)) return;
    std::uint64_t combinations = 1;
    for (const QuestionParameter& parameter : question_.parameters) {
      combinations *= parameter.values.size();
      if (combinations > kSweepVariants) break;
    }
    if (combinations > kSweepVariants) {
      try_seeds();
    } else {
      try_all(combinations);
    }
  }

 private:
  /// Whether these numbers are fit.
  bool try_one(const std::vector<Rational>& numbers, std::uint32_t seed) {
    const Trial trial = try_numbers(question_, numbers, seed);
    const bool must_be_fit = trial.fit == Fit::broken || seed == 0;
    if (trial.fit != Fit::fit && must_be_fit) {
      note(trial.reason.code, trial.reason.message, trial.variant);
    }
    if (trial.fit == Fit::fit) check_variant(trial.variant);
    return trial.fit == Fit::fit;
  }

  void try_all(std::uint64_t combinations) {
    std::uint64_t fit = 0;
    for (std::uint64_t number = 0; number < combinations; ++number) {
      std::vector<Rational> numbers;
      std::uint64_t rest = number;
      for (const QuestionParameter& parameter : question_.parameters) {
        numbers.push_back(parameter.values[rest % parameter.values.size()]);
        rest /= parameter.values.size();
      }
      if (try_one(numbers, 1 + static_cast<std::uint32_t>(number))) ++fit;
    }
    if (fit * kFitShare >= combinations) return;
    faults_.add(node_["parameters"] ? node_["parameters"] : node_, "too_few_variants",
                "only " + std::to_string(fit) + " of " + std::to_string(combinations) +
                    " combinations of these values are fit; one in " + std::to_string(kFitShare) +
                    " has to be");
  }

  void try_seeds() {
    for (std::uint32_t seed = 1; seed <= kSweepVariants; ++seed) {
      const Result<Variant> variant = draw(question_, seed);
      if (variant.ok()) {
        check_variant(variant.value());
        continue;
      }
      note(variant.error().code, "seed " + std::to_string(seed) + ": " + variant.error().message,
           {});
    }
  }

  void check_variant(const Variant& variant) {
    // Locales take turns: each is met by a sixth of the variants.
    const std::span<const Locale> all = locales();
    const std::size_t turn = variant.seed % (all.size() + 1);
    const Locale* locale = turn == 0 ? nullptr : &all[turn - 1];
    check_texts(variant, locale);
    const auto samples = question_.type->samples(question_, variant, locale);
    if (!samples.ok()) return note(samples.error().code, samples.error().message, variant);
    for (const SampleAnswer& sample : samples.value()) {
      const Verdict verdict = grade(question_, variant, sample.answer, locale);
      if (meets(verdict, sample.verdict)) continue;
      note("unlike_its_own_answer",
           "the answer " + in_quotes(sample.answer) + " is " + code_text(verdict) + ", not " +
               sample.verdict,
           variant);
    }
  }

  void check_texts(const Variant& variant, const Locale* locale) {
    const auto shown = view(question_, variant, locale);
    if (!shown.ok()) note(shown.error().code, "the prompt: " + shown.error().message, variant);
    const auto helped = hints(question_, variant, locale);
    if (!helped.ok()) note(helped.error().code, "a hint: " + helped.error().message, variant);
    const auto revealed = reveal(question_, variant, locale);
    if (!revealed.ok()) {
      note(revealed.error().code, "the solution: " + revealed.error().message, variant);
    }
  }

  void note(const std::string& code, const std::string& message, const Variant& variant) {
    if (std::find(noted_.begin(), noted_.end(), code) != noted_.end()) return;
    noted_.push_back(code);
    const bool drawn = !variant.values.names().empty() || question_.parameters.empty();
    faults_.add(node_, code,
                drawn ? message + " (with " + numbers_text(question_, variant) + ")" : message);
  }

  const Question& question_;
  const FileNode& node_;
  FileFaults& faults_;
  std::vector<std::string> noted_;
};

}  // namespace

void check_question(const Question& question, const FileNode& node, FileFaults& faults) {
  Sweep(question, node, faults).run();
  for (std::size_t i = 0; i < question.examples.size(); ++i) {
    check_example(question, question.examples[i], node["examples"].item(i), faults);
  }
}

}  // namespace lockstep
