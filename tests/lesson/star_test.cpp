#include "lesson/star.h"

#include <array>
#include <bit>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "core/random.h"

using namespace lockstep;

namespace {

constexpr std::array kRatings = {Rating::again, Rating::hard, Rating::good, Rating::easy};
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A memory drawn evenly over the difficulties and over the magnitudes of stability.
Memory drawn_memory(std::uint64_t seed) {
  const std::uint32_t digits = random_below(seed, 0, 0, 7);
  double stability = 0.001;
  for (std::uint32_t i = 0; i < digits; ++i) stability *= 10;
  stability *= 1 + random_below(seed, 0, 1, 9);
  return {stability, 1 + random_below(seed, 0, 2, 9001) / 1000.0};
}

double drawn_days(std::uint64_t seed) {
  return 1 + random_below(seed, 1, 0, 1000);
}

SkillState lit(double stability_days, Rating last = Rating::good) {
  SkillState state;
  state.memory = {stability_days, 5};
  state.last_rating = last;
  state.ever_right = true;
  return state;
}

template <typename T>
std::string code(const Result<T>& result) {
  return result.ok() ? "fine" : result.error().code;
}

}  // namespace

TEST_CASE("the first answer gives the weights' own stability, and worse answers a harder skill") {
  const Fsrs fsrs;
  CHECK(fsrs.first(Rating::again).stability_days == 0.212);
  CHECK(fsrs.first(Rating::hard).stability_days == 1.2931);
  CHECK(fsrs.first(Rating::good).stability_days == 2.3065);
  CHECK(fsrs.first(Rating::easy).stability_days == 8.2956);
  CHECK(fsrs.first(Rating::again).difficulty == 6.4133);  // w4 - e^0 + 1
  // w4 - e^(2 w5) + 1 = 7.4133 - e^1.6668 = 7.4133 - 5.2952 (e^1.6668: 5.295196)
  CHECK(fsrs.first(Rating::good).difficulty == Catch::Approx(2.118104).epsilon(1e-6));
  CHECK(fsrs.first(Rating::easy).difficulty == 1);  // 7.4133 - e^2.5002 is below 1
}

TEST_CASE("a memory is as likely right as the retention says when its interval is over") {
  const Fsrs fsrs;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    const double stability = drawn_memory(seed).stability_days;
    CHECK(fsrs.retrievability(stability, 0) == 1);
    CHECK(fsrs.retrievability(stability, stability) == Catch::Approx(0.9).epsilon(1e-12));
    for (const double retention : {0.7, 0.8, 0.9, 0.97}) {
      const double days = stability * fsrs.interval_modifier(retention);
      CHECK(fsrs.retrievability(stability, days) == Catch::Approx(retention).epsilon(1e-12));
    }
  }
  CHECK(fsrs.interval_modifier(0.9) == 1);
}

TEST_CASE("an interval is the stability in whole days, halves rounded up, at least one day") {
  const Fsrs fsrs;
  constexpr std::array<std::pair<double, std::int64_t>, 8> kIntervals = {{{0.001, 1},
                                                                          {1.499, 1},
                                                                          {1.5, 2},
                                                                          {2.499, 2},
                                                                          {2.5, 3},
                                                                          {3.5, 4},
                                                                          {36'499.5, 36'500},
                                                                          {36'500, 36'500}}};
  for (const auto& [stability, days] : kIntervals) {
    CAPTURE(stability);
    CHECK(fsrs.interval_days(stability) == days);
  }
  CHECK(fsrs.interval_days(36'500, 0.7) == 36'500);
}

TEST_CASE("the longer ago, the less likely an answer is right") {
  const Fsrs fsrs;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    const double stability = drawn_memory(seed).stability_days;
    double before = 1;
    for (double days = 1; days < 100'000; days *= 3) {
      const double now = fsrs.retrievability(stability, days);
      CHECK(now < before);
      CHECK(now > 0);
      before = now;
    }
  }
}

TEST_CASE("better answers hold longer, and a wrong one never raises the stability") {
  const Fsrs fsrs;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    const Memory memory = drawn_memory(seed);
    for (const double days : {0.0, drawn_days(seed)}) {
      CAPTURE(days);
      std::vector<double> after;
      for (const Rating rating : kRatings) {
        after.push_back(fsrs.next(memory, days, rating).value().stability_days);
      }
      CHECK(after[0] <= memory.stability_days);
      CHECK(after[1] >= memory.stability_days);
      CHECK(after[2] >= after[1]);
      CHECK(after[3] >= after[2]);
    }
  }
}

TEST_CASE("a right answer after a longer time proves more") {
  const Fsrs fsrs;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    const Memory memory = drawn_memory(seed);
    const double days = drawn_days(seed);
    CHECK(fsrs.next(memory, 2 * days, Rating::good).value().stability_days >=
          fsrs.next(memory, days, Rating::good).value().stability_days);
  }
}

TEST_CASE("a memory stays possible through every history, and its interval a number of days") {
  const Fsrs fsrs;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    Memory memory = fsrs.first(kRatings[random_below(seed, 2, 0, 4)]);
    for (std::uint64_t step = 1; step <= 50; ++step) {
      CAPTURE(step);
      const double days = random_below(seed, 3, step, 4) == 0
                              ? 0
                              : static_cast<double>(random_below(seed, 4, step, 3000));
      const Result<Memory> next = fsrs.next(memory, days, kRatings[random_below(seed, 5, step, 4)]);
      REQUIRE(next.ok());
      memory = next.value();
      REQUIRE(check(memory).ok());
      const std::int64_t interval = fsrs.interval_days(memory.stability_days);
      CHECK(interval >= 1);
      CHECK(interval <= 36'500);
    }
  }
}

TEST_CASE("every build computes the same bits") {
  const Fsrs fsrs;
  std::uint64_t hash = kFnvStart;
  const auto add = [&hash](double value) {
    const auto bytes = std::bit_cast<std::array<std::byte, sizeof(double)>>(value);
    hash = fnv1a(bytes, hash);
  };
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const Memory memory = drawn_memory(seed);
    add(fsrs.retrievability(memory.stability_days, drawn_days(seed)));
    for (const Rating rating : kRatings) {
      const Memory next = fsrs.next(memory, drawn_days(seed), rating).value();
      add(next.stability_days);
      add(next.difficulty);
      add(fsrs.next(memory, 0, rating).value().stability_days);
    }
  }
  CHECK(hex16(hash) == "fa63204cf11af0ae");
}

TEST_CASE("days below zero are refused: the clock is clamped before") {
  const Fsrs fsrs;
  CHECK(code(fsrs.next({5, 5}, 0, Rating::good)) == "fine");
  for (const double days : {-1.0, -0.001, kNaN, kInfinity, -kInfinity}) {
    CAPTURE(days);
    CHECK(code(fsrs.next({5, 5}, days, Rating::good)) == "bad_elapsed");
  }
}

TEST_CASE("a rating is 1, 2, 3 or 4") {
  for (int number = 1; number <= 4; ++number) {
    CHECK(rating_of(number).value() == kRatings[static_cast<std::size_t>(number - 1)]);
  }
  for (const std::int64_t number : std::array<std::int64_t, 4>{-1, 0, 5, 4294967297}) {
    CAPTURE(number);
    CHECK(code(rating_of(number)) == "bad_rating");
  }
}

TEST_CASE("a stored memory that cannot be one is refused and goes no further") {
  const Fsrs fsrs;
  CHECK(check({0.001, 1}).ok());
  CHECK(check({36'500, 10}).ok());
  for (const double stability : {0.0, -1.0, 0.000999, 36'500.1, kNaN, kInfinity}) {
    CAPTURE(stability);
    CHECK(check({stability, 5}).error().where == "stability");
    CHECK(code(fsrs.next({stability, 5}, 1, Rating::good)) == "bad_memory");
  }
  for (const double difficulty : {0.0, 0.999, 10.001, -5.0, kNaN, kInfinity}) {
    CAPTURE(difficulty);
    CHECK(check({5, difficulty}).error().where == "difficulty");
    CHECK(code(fsrs.next({5, difficulty}, 1, Rating::good)) == "bad_memory");
  }
}

TEST_CASE("weights are 21 numbers of a usable size") {
  for (std::size_t count = 0; count < 30; ++count) {
    CAPTURE(count);
    const std::vector<double> weights(count, 0.5);
    CHECK(Fsrs::with_weights(weights).ok() == (count == 21));
  }
  for (std::size_t place = 0; place < 21; ++place) {
    for (const double value : {kNaN, kInfinity, -kInfinity, 20.1, -20.1}) {
      CAPTURE(place, value);
      std::vector<double> weights(21, 0.5);
      weights[place] = value;
      const Result<Fsrs> fsrs = Fsrs::with_weights(weights);
      REQUIRE_FALSE(fsrs.ok());
      CHECK(fsrs.error().where == "weights/" + std::to_string(place));
    }
  }
  std::vector<double> weights(21, 0.5);
  weights[20] = 0;
  CHECK(code(Fsrs::with_weights(weights)) == "bad_weights");
}

TEST_CASE("with weights of any allowed size no memory becomes impossible") {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    std::vector<double> weights;
    for (std::uint64_t i = 0; i < 21; ++i) weights.push_back(20 * random_symmetric(seed, 6, i));
    weights[20] = 0.001 + std::abs(weights[20]) * 0.999;
    const Fsrs fsrs = Fsrs::with_weights(weights).value();
    for (const Rating rating : kRatings) {
      CHECK(check(fsrs.first(rating)).ok());
      for (const double days : {0.0, drawn_days(seed)}) {
        CHECK(check(fsrs.next(drawn_memory(seed), days, rating).value()).ok());
      }
    }
  }
}

TEST_CASE("a star fades from bright over due and dim to faint, and never goes out") {
  constexpr std::array kOrder = {Band::bright, Band::due, Band::dim, Band::faint};
  for (const double stability : {0.3, 2.3065, 20.0, 400.0}) {
    CAPTURE(stability);
    std::size_t place = 0;
    double brightness = 1;
    for (std::int64_t day = 0; day < 40'000; day += day / 50 + 1) {
      const Star shown = star(lit(stability), day);
      while (place < kOrder.size() && kOrder[place] != shown.band) ++place;
      REQUIRE(place < kOrder.size());
      CHECK(shown.brightness <= brightness);
      CHECK(shown.brightness >= 0.3);
      CHECK((shown.band == Band::bright) == (shown.due_in_days > 0));
      brightness = shown.brightness;
    }
    CHECK(place == kOrder.size() - 1);
  }
}

TEST_CASE("the ramp of brightness, by hand") {
  // S = 10.96433194: R(40) = 0.79094419 (ts-fsrs), so 0.3 + 0.5 (0.79094419 - 0.6)/0.3 = 0.618240
  const Star dim = star(lit(10.96433194), 40);
  CHECK(dim.band == Band::dim);
  CHECK(dim.brightness == Catch::Approx(0.618240).epsilon(1e-6));
  CHECK(dim.due_in_days == -29);  // 11 - 40
}

TEST_CASE("after a wrong answer a lit star stays lit and comes back the next learning day") {
  SkillState state = lit(30, Rating::again);
  state.last_day = 100;
  CHECK(star(state, 100).band == Band::relearn);
  CHECK(star(state, 100).brightness == 0.55);
  CHECK(star(state, 5000).band == Band::relearn);
  CHECK(star(state, 5000).brightness < 0.55);
  CHECK(due_day(state) == 101);
  state.last_rating = Rating::good;
  CHECK(due_day(state) == 130);
}

TEST_CASE("what was never right is unlit, whatever its memory") {
  CHECK(Star().band == Band::unlit);
  for (const std::int64_t day : {0, 1, 400}) {
    SkillState state;
    state.memory = {0.212, 6.4133};
    CHECK(star(state, day).band == Band::unlit);
    CHECK(star(state, day).brightness == 0);
  }
}

TEST_CASE("the size of a star shows how many days it holds") {
  constexpr std::array<std::pair<double, int>, 8> kSizes = {
      {{0.001, 1}, {2.999, 1}, {3, 2}, {20.999, 2}, {21, 3}, {89.999, 3}, {90, 4}, {36'500, 4}}};
  for (const auto& [stability, size] : kSizes) {
    CAPTURE(stability);
    CHECK(star(lit(stability), 0).size == size);
  }
}

TEST_CASE("a clock set back shows the star as on the day of its answer") {
  SkillState state = lit(10);
  state.last_day = 20'606;
  CHECK(star(state, 0).band == Band::bright);
  CHECK(star(state, 0).due_in_days == 10);
}
