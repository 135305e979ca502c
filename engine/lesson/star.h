// The memory of a skill by FSRS-6, and the star that shows it. Pure: the day comes as an argument.
//
// FSRS-6 (open-spaced-repetition): a memory has a stability S, the days after which an answer is
// still right with probability 0.9, and a difficulty D from 1 to 10. Its 21 weights w0 ... w20 are
// the published defaults, fitted to public reviews; no learning steps, no fuzz.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/result.h"

namespace lockstep {

/// How an answer went.
enum class Rating { again = 1, hard, good, easy };

/// The rating with that number. Errors: bad_rating.
Result<Rating> rating_of(std::int64_t number);

inline constexpr double kMinStabilityDays = 0.001;
inline constexpr double kMaxStabilityDays = 36'500;  ///< a hundred years
inline constexpr double kMinDifficulty = 1;
inline constexpr double kMaxDifficulty = 10;

struct Memory {
  double stability_days = kMinStabilityDays;
  double difficulty = kMaxDifficulty;
};

/// Whether a memory that was stored can be one. Errors: bad_memory (outside the limits above, or
/// not finite).
Status check(const Memory& memory);

/// The share of right answers that intervals aim at.
inline constexpr double kRetention = 0.9;

/// The formulas, with weights that are known to be usable.
class Fsrs {
 public:
  static constexpr std::size_t kWeightCount = 21;

  /// The published default weights.
  Fsrs();

  /// Sizes that keep every step of the formulas finite; fitted weights are far within.
  static constexpr double kMaxWeight = 20;
  static constexpr double kMinDecay = 0.001;

  /// Other weights. Errors: bad_weights (not 21, not within kMaxWeight of 0, or the last one, the
  /// decay, below kMinDecay).
  static Result<Fsrs> with_weights(std::span<const double> weights);

  /// The memory after the first answer: S = w[r-1], D = w4 - e^((r-1) w5) + 1.
  Memory first(Rating rating) const;

  /// The memory after a further answer, `elapsed_days` after the one before. Errors: bad_memory,
  /// bad_elapsed (negative or not finite: clamp with elapsed_days() before).
  Result<Memory> next(const Memory& memory, double elapsed_days, Rating rating) const;

  /// How likely an answer is right after so many days, 0 ... 1: (1 + f t/S)^(-w20) with
  /// f = 0.9^(-1/w20) - 1. S above 0, t from 0.
  double retrievability(double stability_days, double elapsed_days) const;

  /// Interval divided by stability for a retention in (0, 1): (q^(-1/w20) - 1) / f, 1 for 0.9.
  double interval_modifier(double retention) const;

  /// Days until the next answer is due, 1 ... 36500: S times the modifier, halves rounded up.
  std::int64_t interval_days(double stability_days, double retention = kRetention) const;

 private:
  using Weights = std::array<double, kWeightCount>;

  explicit Fsrs(const Weights& weights);
  double initial_difficulty(Rating rating) const;
  double next_difficulty(double difficulty, Rating rating) const;
  double same_day_stability(double stability, Rating rating) const;
  double forgotten_stability(const Memory& memory, double retrievability) const;
  double recalled_stability(const Memory& memory, double retrievability, Rating rating) const;

  Weights weights_;
  double factor_;  ///< f
};

/// How the state below came about; a reader of stored states asks for it.
inline constexpr std::string_view kStarAlgorithm = "fsrs-6";

/// What is known of a skill that was answered: lesson/replay.h makes it from the events.
struct SkillState {
  Memory memory;
  std::int64_t last_day = 0;  ///< learning day of the last answer that counted
  std::int64_t last_ms = 0;   ///< its time
  int reps = 0;               ///< answers that counted
  int lapses = 0;             ///< of them wrong although the skill had been right before
  Rating last_rating = Rating::again;
  bool ever_right = false;  ///< a rating above again, once: the star is lit for good
};

enum class Band { unlit, relearn, bright, due, dim, faint };

/// "unlit", "relearn", "bright", "due", "dim", "faint".
std::string_view band_name(Band band);

/// What the sky shows of a skill. That of a skill without answers is the default.
struct Star {
  Band band = Band::unlit;
  double brightness = 0;  ///< 0 (outline only) or 0.3 ... 1
  int size = 1;           ///< by stability: below 3 days 1, below 21 2, below 90 3, else 4
  double retrievability = 0;
  std::int64_t interval_days = 0;
  std::int64_t due_in_days = 0;  ///< interval minus elapsed days: below 0 when overdue
};

/// The star of a skill on a learning day.
Star star(const SkillState& state, std::int64_t day);

/// The first learning day on which the skill is to be practised again: after its interval, or the
/// next day after a wrong answer.
std::int64_t due_day(const SkillState& state);

}  // namespace lockstep
