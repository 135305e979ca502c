// A question as its author wrote it, and what is shown of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/rational.h"
#include "formula/formula.h"
#include "prose/prose.h"
#include "question/number_rule.h"

namespace lockstep {

struct QuestionType;

/// A number that is drawn, and the values it may have.
struct QuestionParameter {
  std::string name;
  std::vector<Rational> values;  ///< 1 … kMaxParameterValues, all different
};
inline constexpr std::size_t kMaxParameterValues = 1000;

/// A value worked out from those before it.
struct GivenValue {
  std::string name;
  Formula formula;
};

/// A foreseen wrong answer: a formula, so that it is foreseen for every variant.
struct MistakeFormula {
  std::string id;
  Formula value;      ///< may mention `key`
  ProseTemplate say;  ///< may mention `value`, never `key`
};

/// What to say where several mistakes lead to one value; only the source's own numbers (seed 0)
/// may.
struct SharedMistake {
  std::string id;
  std::vector<std::string> of;
  ProseTemplate say;
};

/// A number that is typed.
struct NumberBody {
  Formula key;
  NumberRule rule;
  std::vector<MistakeFormula> mistakes;
  std::vector<SharedMistake> shared;
};

struct ChoiceOption {
  std::string id;
  ProseTemplate text;
  bool is_key = false;
  ProseTemplate say;  ///< of a wrong option: what is wrong with it
};
inline constexpr std::size_t kMaxOptions = 20;

/// One of several options.
struct ChoiceBody {
  std::vector<ChoiceOption> options;  ///< as in the file; one is the key
};

/// Answers with the verdict that each is to get: the author's tests.
struct Example {
  std::vector<std::pair<std::string, Rational>> with;  ///< parameters; none: the canonical ones
  std::vector<std::pair<std::string, std::string>> answers;  ///< typed → kind, code, mistake:<id>
};

struct Question {
  std::string id;
  std::string skill;
  int revision = 1;               ///< raised when what is right changes
  std::uint64_t graded_hash = 0;  ///< of what grading depends on (question/graded_hash.h)
  std::string pointer;            ///< in its file: "/questions/2"
  std::vector<std::pair<std::string, Rational>> canonical;  ///< the source's own numbers, seed 0
  std::vector<QuestionParameter> parameters;
  std::vector<GivenValue> given;
  std::vector<Condition> require;
  ProseTemplate prompt;
  std::vector<ProseTemplate> hints;     ///< nudge, formula, worked example
  std::vector<ProseTemplate> solution;  ///< line by line; may mention `key`
  std::vector<Example> examples;
  const QuestionType* type = nullptr;
  std::variant<NumberBody, ChoiceBody> body;  ///< what the type has of its own
};

/// A question with its numbers.
struct Variant {
  std::uint32_t seed = 0;
  Environment values;  ///< parameters, then given values
};

struct OptionView {
  std::string id;
  std::string label;  ///< "A", "B", … in the order shown
  Prose text;
};

/// What a learner sees: no key, no mistake, no solution.
struct QuestionView {
  std::string id;
  std::string_view type;
  std::string skill;
  int revision = 1;
  std::uint64_t graded_hash = 0;
  std::uint32_t seed = 0;
  std::vector<std::pair<std::string, Rational>> numbers;  ///< the parameters as drawn
  Prose prompt;
  std::string suffix;               ///< "(3 decimals)", or empty
  std::string typing;               ///< how to type the answer, or empty
  std::vector<OptionView> options;  ///< of a choice
  std::size_t hints = 0;            ///< how many there are to open
};

/// A foreseen wrong answer of a variant.
struct RevealedMistake {
  std::string id;
  std::string answer;
  std::string say;
};

/// What may be shown once the learner is done, or on the key page.
struct Reveal {
  std::vector<std::string> answers;  ///< the key in every form; each of them grades correct
  std::optional<Rational> key;       ///< where it is a number
  Prose solution;                    ///< worked with the variant's numbers
  std::vector<RevealedMistake> mistakes;
};

/// The room for an answer on paper.
struct AnswerSpace {
  std::string label;                ///< what stands before the line: "Answer (3 decimals):"
  std::vector<OptionView> options;  ///< boxes to tick; none: a line to write on
};

/// An answer that a type makes itself, and the verdict that it must get.
struct SampleAnswer {
  std::string answer;
  std::string verdict;  ///< a kind, a code or mistake:<id>
};

}  // namespace lockstep
