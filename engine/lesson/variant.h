// Drawing the numbers of a question from a seed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/rational.h"
#include "core/result.h"
#include "question/question.h"

namespace lockstep {

/// Draws before a question is given up: its conditions are then too narrow to be called a variant.
inline constexpr int kMaxDraws = 100;

/// The question with the numbers of `seed`, the same everywhere and for ever: a pure function of
/// the question's id and the seed. Seed 0 has the source's own numbers. Errors: no_variant (no fit
/// numbers in kMaxDraws draws; says which condition failed most often) and whatever makes the
/// question itself unusable; `where` is a JSON pointer.
Result<Variant> draw(const Question& question, std::uint32_t seed);

/// What became of one set of numbers.
enum class Fit {
  fit,
  unfit,   ///< a condition does not hold, or two answers cannot be told apart: draw again
  broken,  ///< a formula has no value although every condition holds: the author's mistake
};

struct Trial {
  Fit fit = Fit::broken;
  Variant variant;
  Error reason;  ///< of what is not fit
};

/// The question with these parameter values, in the order of its parameters.
Trial try_numbers(const Question& question, std::span<const Rational> numbers, std::uint32_t seed);

/// The source's own numbers, in the order of the parameters.
std::vector<Rational> canonical_numbers(const Question& question);

}  // namespace lockstep
