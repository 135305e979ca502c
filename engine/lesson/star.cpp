#include "lesson/star.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "core/math.h"
#include "lesson/learning_day.h"

namespace lockstep {
namespace {

/// FSRS-6 defaults (fsrs-rs and ts-fsrs 5, "default_w").
constexpr std::array<double, Fsrs::kWeightCount> kDefaultWeights = {
    0.212,  1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001,  1.8722, 0.1666, 0.796,
    1.4835, 0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542};

constexpr std::int64_t kMaxIntervalDays = 36'500;

int number(Rating rating) {
  return static_cast<int>(rating);
}

double clamp_stability(double stability) {
  return std::clamp(stability, kMinStabilityDays, kMaxStabilityDays);
}

double clamp_difficulty(double difficulty) {
  return std::clamp(difficulty, kMinDifficulty, kMaxDifficulty);
}

/// Brightness once the interval is over, from how likely the answer still is.
double fading(double retrievability) {
  return std::clamp(0.3 + 0.5 * (retrievability - 0.6) / 0.3, 0.3, 0.8);
}

int size_of(double stability_days) {
  if (stability_days < 3) return 1;
  if (stability_days < 21) return 2;
  return stability_days < 90 ? 3 : 4;
}

Band band_of(const SkillState& state, bool is_over, double retrievability) {
  if (!state.ever_right) return Band::unlit;
  if (state.last_rating == Rating::again) return Band::relearn;
  if (!is_over) return Band::bright;
  if (retrievability >= 0.8) return Band::due;
  return retrievability >= 0.7 ? Band::dim : Band::faint;
}

double brightness_of(Band band, double retrievability) {
  switch (band) {
    case Band::unlit:
      return 0;
    case Band::bright:
      return 1;
    case Band::relearn:
      return std::min(0.55, fading(retrievability));
    case Band::due:
    case Band::dim:
    case Band::faint:
      break;
  }
  return fading(retrievability);
}

}  // namespace

Result<Rating> rating_of(std::int64_t number) {
  if (number >= 1 && number <= 4) return static_cast<Rating>(number);
  return Error{"bad_rating", "rating",
               std::to_string(number) + " is no rating: 1 again, 2 hard, 3 good, 4 easy"};
}

Status check(const Memory& memory) {
  // Written so that NaN fails.
  const bool stable =
      memory.stability_days >= kMinStabilityDays && memory.stability_days <= kMaxStabilityDays;
  if (!stable) return Error{"bad_memory", "stability", "a stability is 0.001 to 36500 days"};
  const bool difficult = memory.difficulty >= kMinDifficulty && memory.difficulty <= kMaxDifficulty;
  if (!difficult) return Error{"bad_memory", "difficulty", "a difficulty is 1 to 10"};
  return fine();
}

Fsrs::Fsrs() : Fsrs(kDefaultWeights) {}

Fsrs::Fsrs(const Weights& weights)
    : weights_(weights), factor_(math::pow(0.9, -1 / weights[20]) - 1) {}

Result<Fsrs> Fsrs::with_weights(std::span<const double> weights) {
  if (weights.size() != kWeightCount) {
    return Error{"bad_weights", "weights",
                 "FSRS-6 has 21 weights, not " + std::to_string(weights.size())};
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double least = i + 1 == weights.size() ? kMinDecay : -kMaxWeight;
    if (weights[i] >= least && weights[i] <= kMaxWeight) continue;  // so NaN is refused
    return Error{"bad_weights", "weights/" + std::to_string(i), "this is no weight of FSRS-6"};
  }
  Weights copy{};
  std::ranges::copy(weights, copy.begin());
  return Fsrs(copy);
}

Memory Fsrs::first(Rating rating) const {
  return {clamp_stability(weights_[static_cast<std::size_t>(number(rating) - 1)]),
          clamp_difficulty(initial_difficulty(rating))};
}

Result<Memory> Fsrs::next(const Memory& memory, double elapsed_days, Rating rating) const {
  if (const Status status = check(memory); !status.ok()) return status.error();
  if (!std::isfinite(elapsed_days) || elapsed_days < 0) {
    return Error{"bad_elapsed", "elapsed_days", "days since the last answer are 0 or more"};
  }
  const double difficulty = next_difficulty(memory.difficulty, rating);
  if (elapsed_days == 0) {
    return Memory{clamp_stability(same_day_stability(memory.stability_days, rating)), difficulty};
  }
  const double recall = retrievability(memory.stability_days, elapsed_days);
  const double stability = rating == Rating::again ? forgotten_stability(memory, recall)
                                                   : recalled_stability(memory, recall, rating);
  return Memory{clamp_stability(stability), difficulty};
}

double Fsrs::retrievability(double stability_days, double elapsed_days) const {
  return math::pow(1 + factor_ * elapsed_days / stability_days, -weights_[20]);
}

double Fsrs::interval_modifier(double retention) const {
  assert(retention > 0 && retention < 1);
  return (math::pow(retention, -1 / weights_[20]) - 1) / factor_;
}

std::int64_t Fsrs::interval_days(double stability_days, double retention) const {
  const double days = std::floor(stability_days * interval_modifier(retention) + 0.5);
  return static_cast<std::int64_t>(std::clamp(days, 1.0, static_cast<double>(kMaxIntervalDays)));
}

/// D0(r), not clamped.
double Fsrs::initial_difficulty(Rating rating) const {
  return weights_[4] - math::exp((number(rating) - 1) * weights_[5]) + 1;
}

/// w7 D0(4) + (1 - w7) (D - w6 (r - 3) (10 - D) / 9): damped at the hard end, drawn to easy.
double Fsrs::next_difficulty(double difficulty, Rating rating) const {
  const double step = -weights_[6] * (number(rating) - 3) * (10 - difficulty) / 9;
  return clamp_difficulty(weights_[7] * initial_difficulty(Rating::easy) +
                          (1 - weights_[7]) * (difficulty + step));
}

/// S k with k = e^(w17 (r - 3 + w18)) S^(-w19), which a right answer never brings below 1.
double Fsrs::same_day_stability(double stability, Rating rating) const {
  const double change = math::exp(weights_[17] * (number(rating) - 3 + weights_[18])) *
                        math::pow(stability, -weights_[19]);
  return stability * (rating == Rating::again ? change : std::max(change, 1.0));
}

/// w11 D^(-w12) ((S + 1)^w13 - 1) e^((1 - R) w14), at most S / e^(w17 w18).
double Fsrs::forgotten_stability(const Memory& memory, double retrievability) const {
  const double stability = memory.stability_days;
  const double left = weights_[11] * math::pow(memory.difficulty, -weights_[12]) *
                      (math::pow(stability + 1, weights_[13]) - 1) *
                      math::exp((1 - retrievability) * weights_[14]);
  return std::min(left, stability / math::exp(weights_[17] * weights_[18]));
}

/// S (1 + e^w8 (11 - D) S^(-w9) (e^((1 - R) w10) - 1) (w15 if hard) (w16 if easy)).
double Fsrs::recalled_stability(const Memory& memory, double retrievability, Rating rating) const {
  double gain = math::exp(weights_[8]) * (11 - memory.difficulty) *
                math::pow(memory.stability_days, -weights_[9]) *
                (math::exp((1 - retrievability) * weights_[10]) - 1);
  if (rating == Rating::hard) gain *= weights_[15];
  if (rating == Rating::easy) gain *= weights_[16];
  return memory.stability_days * (1 + gain);
}

std::string_view band_name(Band band) {
  constexpr std::array<std::string_view, 6> kNames = {"unlit", "relearn", "bright",
                                                      "due",   "dim",     "faint"};
  return kNames[static_cast<std::size_t>(band)];
}

Star star(const SkillState& state, std::int64_t day) {
  const Fsrs fsrs;
  const double stability = state.memory.stability_days;
  const std::int64_t elapsed = elapsed_days(state.last_day, day);
  Star result;
  result.interval_days = fsrs.interval_days(stability);
  result.due_in_days = result.interval_days - elapsed;
  result.retrievability = fsrs.retrievability(stability, static_cast<double>(elapsed));
  result.band = band_of(state, elapsed >= result.interval_days, result.retrievability);
  result.brightness = brightness_of(result.band, result.retrievability);
  result.size = size_of(stability);
  return result;
}

std::int64_t due_day(const SkillState& state) {
  const bool wrong = state.last_rating == Rating::again;
  return state.last_day + (wrong ? 1 : Fsrs().interval_days(state.memory.stability_days));
}

}  // namespace lockstep
