#include "lesson/rating.h"

#include <array>
#include <catch2/catch_test_macros.hpp>

using namespace lockstep;

namespace {

constexpr std::array kKinds = {VerdictKind::correct, VerdictKind::incorrect, VerdictKind::partial,
                               VerdictKind::invalid, VerdictKind::needs_precision};

Attempt right() {
  return {.verdict = VerdictKind::correct};
}

/// `attempt` with these flags.
Attempt with(Attempt attempt, unsigned flags) {
  attempt.flags |= flags;
  return attempt;
}

}  // namespace

TEST_CASE("right without help is good") {
  CHECK(rating(right()) == Rating::good);
  for (const Confidence sure : {Confidence::think_so, Confidence::sure, Confidence::guess}) {
    Attempt attempt = right();
    attempt.confidence = sure;
    CHECK(rating(attempt) == Rating::good);
  }
}

TEST_CASE("right after a hint, or a choice that was guessed, is hard") {
  Attempt attempt = right();
  attempt.hints = 1;
  CHECK(rating(attempt) == Rating::hard);
  attempt = with(right(), kChoiceFlag);
  CHECK(rating(attempt) == Rating::good);
  attempt.confidence = Confidence::guess;
  CHECK(rating(attempt) == Rating::hard);
}

TEST_CASE("wrong, partly right, given up or with the solution seen is again") {
  CHECK(rating({.verdict = VerdictKind::incorrect}) == Rating::again);
  CHECK(rating({.verdict = VerdictKind::partial}) == Rating::again);
  for (const VerdictKind kind : kKinds) {
    CAPTURE(verdict_kind_name(kind));
    CHECK(rating({.verdict = kind, .flags = kGaveUpFlag}) == Rating::again);
    CHECK(rating({.verdict = kind, .flags = kSolutionSeenFlag}) == Rating::again);
  }
}

TEST_CASE("a flashcard known at once is easy from the next day on, and not with a hint") {
  Attempt attempt = with(right(), kAtOnceFlag);
  CHECK(rating(attempt) == Rating::good);
  attempt.elapsed_days = 1;
  CHECK(rating(attempt) == Rating::easy);
  attempt.hints = 1;
  CHECK(rating(attempt) == Rating::hard);
}

TEST_CASE("unreadable text and too few digits never rate") {
  for (const int hints : {0, 3}) {
    CHECK(rating({.verdict = VerdictKind::invalid, .hints = hints}) == std::nullopt);
    CHECK(rating({.verdict = VerdictKind::needs_precision, .hints = hints}) == std::nullopt);
  }
}

TEST_CASE("predictions, technical faults and retries never rate, whatever else is true") {
  for (const unsigned flag : {kPredictionFlag, kTechnicalFaultFlag, kRetryFlag}) {
    for (const VerdictKind kind : kKinds) {
      for (const unsigned other : {0u, unsigned{kGaveUpFlag}, unsigned{kSolutionSeenFlag}}) {
        CAPTURE(flag, verdict_kind_name(kind), other);
        CHECK(rating({.verdict = kind, .flags = flag | other}) == std::nullopt);
      }
    }
  }
}
