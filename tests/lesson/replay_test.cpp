#include "lesson/replay.h"

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/random.h"

using namespace lockstep;

namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kToday = 20'800;
constexpr Moment kNow{kToday * kDayMs + kDayMs / 2, 0};
constexpr std::array kRatings = {Rating::again, Rating::hard, Rating::good, Rating::easy};

using Events = std::vector<AnswerEvent>;

/// An answer at noon UTC of a learning day; later ids of a day come later.
AnswerEvent event(int id, std::int64_t day, std::optional<Rating> rating,
                  const std::string& skill = "a-skill") {
  return {"w-" + std::to_string(100 + id), skill, day * kDayMs + kDayMs / 2 + id, day, rating};
}

Replay replayed(const Events& events, const Moment& now = kNow,
                std::span<const Renaming> renamings = {}) {
  return replay(events, now, renamings).value();
}

SkillState only_skill(const Events& events, const Moment& now = kNow) {
  const Replay result = replayed(events, now);
  REQUIRE(result.skills.size() == 1);
  return result.skills.begin()->second;
}

/// All that a replay says, bit for bit.
std::string text_of(const Replay& result) {
  std::string text;
  for (const auto& [skill, state] : result.skills) {
    text += skill;
    for (const double value : {state.memory.stability_days, state.memory.difficulty}) {
      text += ' ' + std::to_string(std::bit_cast<std::uint64_t>(value));
    }
    for (const std::int64_t value :
         {state.last_day, state.last_ms, std::int64_t{state.reps}, std::int64_t{state.lapses}}) {
      text += ' ' + std::to_string(value);
    }
    text += ' ' + std::to_string(static_cast<int>(state.last_rating));
    text += state.ever_right ? " lit\n" : " unlit\n";
  }
  for (const std::string& id : result.future_ids) text += id + ' ';
  return text;
}

/// A log of 30 events of four skills around `kToday`, some of them too far in the future, with ids
/// and days that repeat and contradict each other.
Events drawn_log(std::uint64_t seed) {
  Events events;
  for (std::uint64_t i = 0; i < 30; ++i) {
    const auto draw = [&](std::uint64_t stream, std::uint64_t bound) {
      return static_cast<int>(random_below(seed, stream, i, bound));
    };
    std::optional<Rating> rating;
    if (draw(0, 5) > 0) rating = kRatings[static_cast<std::size_t>(draw(1, 4))];
    const std::int64_t day = kToday - 20 + draw(2, 26);
    events.push_back(event(draw(3, 25), day, rating, "skill-" + std::to_string(draw(4, 4))));
    events.back().day += draw(5, 3) - 1;
    events.back().ms -= events.back().ms % 8;  // so that some times are equal
  }
  return events;
}

/// The events in another order, some of them twice.
Events shuffled(Events events, std::uint64_t seed) {
  for (std::uint64_t i = 0; i < 10; ++i) {
    events.push_back(events[random_below(seed, 10, i, events.size())]);
  }
  for (std::size_t i = events.size(); i > 1; --i) {
    std::swap(events[i - 1], events[random_below(seed, 11, i, i)]);
  }
  return events;
}

}  // namespace

TEST_CASE("neither the order of events nor their repetition changes anything") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    const Events events = drawn_log(seed);
    const std::string expected = text_of(replayed(events));
    for (std::uint64_t order = 0; order < 5; ++order) {
      CHECK(text_of(replayed(shuffled(events, seed * 5 + order))) == expected);
    }
  }
}

TEST_CASE("the first answer of a skill that rates it decides its learning day") {
  const Events events = {
      event(1, 100, std::nullopt),  // unreadable text, which does not count as an attempt
      event(2, 100, Rating::again),
      event(3, 100, Rating::easy),
      event(4, 100, Rating::good, "another-skill"),
  };
  const Replay result = replayed(events);
  const SkillState& state = result.skills.at("a-skill");
  CHECK(state.reps == 1);
  CHECK(state.last_rating == Rating::again);
  CHECK_FALSE(state.ever_right);
  CHECK(state.memory.stability_days == 0.212);
  CHECK(result.skills.at("another-skill").last_rating == Rating::good);
}

TEST_CASE("a history gives the memories of the formulas, days apart as the learning days are") {
  const Fsrs fsrs;
  const SkillState state = only_skill(
      {event(1, 100, Rating::good), event(2, 102, Rating::good), event(3, 113, Rating::again)});
  const Memory first = fsrs.first(Rating::good);
  const Memory second = fsrs.next(first, 2, Rating::good).value();
  const Memory third = fsrs.next(second, 11, Rating::again).value();
  CHECK(state.memory.stability_days == third.stability_days);
  CHECK(state.memory.difficulty == third.difficulty);
  CHECK(state.memory.stability_days == Catch::Approx(1.5383372).epsilon(1e-6));  // ts-fsrs
  CHECK(state.last_day == 113);
  CHECK(state.last_ms == 113 * kDayMs + kDayMs / 2 + 3);
  CHECK(state.reps == 3);
  CHECK(state.lapses == 1);
  CHECK(state.ever_right);
}

TEST_CASE("only a wrong answer after a right one is a lapse") {
  CHECK(only_skill({event(1, 1, Rating::again), event(2, 2, Rating::again)}).lapses == 0);
  CHECK(only_skill({event(1, 1, Rating::hard), event(2, 2, Rating::again)}).lapses == 1);
}

TEST_CASE("a lit star never goes out again, whatever is added to the log") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Events events = drawn_log(seed);
    events.push_back(event(99, kToday - 100, Rating::good, "skill-0"));  // before all the others
    const SkillState state = replayed(events).skills.at("skill-0");
    CHECK(state.ever_right);
    CHECK(star(state, kToday).band != Band::unlit);
  }
}

TEST_CASE("answers that rate nothing leave no state") {
  CHECK(replayed({event(1, 100, std::nullopt), event(2, 101, std::nullopt)}).skills.empty());
  CHECK(replayed({}).skills.empty());
}

TEST_CASE("of two different events with one id the later one counts") {
  Events events = {event(1, 100, Rating::again), event(1, 100, Rating::good)};
  events[1].ms += 1;
  CHECK(only_skill(events).last_rating == Rating::good);
  std::swap(events[0], events[1]);
  CHECK(only_skill(events).last_rating == Rating::good);
}

TEST_CASE("of answers at one instant the one with the lowest id comes first") {
  Events events;
  for (int id = 0; id < 100; ++id) {
    events.push_back(event(id, 100, id == 0 ? Rating::again : Rating::good));
    events.back().ms = 100 * kDayMs;
  }
  CHECK(only_skill(events).last_rating == Rating::again);
  std::ranges::reverse(events);
  CHECK(only_skill(events).last_rating == Rating::again);
}

TEST_CASE("C3: the day that stands in an event counts, whatever its time and zone say") {
  Events events = {event(1, 100, Rating::good), event(2, 101, Rating::good)};
  events[1].day = 107;
  CHECK(only_skill(events).memory.stability_days ==
        Fsrs().next(Fsrs().first(Rating::good), 7, Rating::good).value().stability_days);
}

TEST_CASE("a day before the last one, by a flight or a clock set back, counts as the same day") {
  Events events = {event(1, 100, Rating::easy), event(2, 101, Rating::good)};
  events[1].day = 99;
  const SkillState state = only_skill(events);
  CHECK(state.memory.stability_days == 8.2956);  // right on the same day: never less, k is below 1
  CHECK(state.last_day == 100);
  CHECK(state.reps == 2);
}

TEST_CASE("C9, B62: the next day counts from the answer, and is never before it") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    for (const auto& [skill, state] : replayed(drawn_log(seed)).skills) {
      CHECK(due_day(state) > state.last_day);
    }
  }
  // due on day 102, answered right three months later
  const SkillState state = only_skill({event(1, 100, Rating::good), event(2, 190, Rating::good)});
  CHECK(due_day(state) == 190 + Fsrs().interval_days(state.memory.stability_days));
  CHECK(star(state, 190).band == Band::bright);
}

TEST_CASE("P5: a renamed skill keeps its star, and one that is not known stays as it is") {
  const Events events = {event(1, 100, Rating::good, "old"), event(2, 102, Rating::good, "newer"),
                         event(3, 100, Rating::good, "orphan")};
  const std::array<Renaming, 2> renamings = {Renaming{"old", "newer"}, Renaming{"newer", "new"}};
  const Replay result = replayed(events, kNow, renamings);
  CHECK(result.skills.size() == 2);
  CHECK(result.skills.at("new").reps == 2);
  CHECK(result.skills.at("orphan").reps == 1);
}

TEST_CASE("renamings in a circle end") {
  const std::array<Renaming, 2> circle = {Renaming{"one", "two"}, Renaming{"two", "one"}};
  CHECK(replayed({event(1, 100, Rating::good, "one")}, kNow, circle).skills.size() == 1);
}

TEST_CASE("an event up to 48 hours ahead is believed, and later ones are named") {
  AnswerEvent near = event(1, kToday + 2, Rating::good);
  AnswerEvent far = event(2, kToday + 2, Rating::good);
  near.ms = kNow.utc_ms + kFutureToleranceMs;
  far.ms = kNow.utc_ms + kFutureToleranceMs + 1;
  CHECK(replayed({near}).future_ids.empty());
  CHECK(replayed({far, near}).future_ids == std::vector<std::string>{far.id});
  CHECK(only_skill({near}).last_day == kToday + 2);
}

TEST_CASE("answers from the future raise the stability once at most, and move no day") {
  Events events = {event(0, kToday - 5, Rating::hard)};
  const double before_days = only_skill(events).memory.stability_days;
  events.push_back(event(1, kToday + 100, Rating::easy));
  const double once_days = only_skill(events).memory.stability_days;
  CHECK(once_days > before_days);
  for (int i = 2; i < 20; ++i) {
    events.push_back(event(i, kToday + 100 * i, Rating::easy));
    const SkillState state = only_skill(events);
    CHECK(state.memory.stability_days == once_days);
    CHECK(state.last_day == kToday - 5);
  }
  events.push_back(event(20, kToday + 9000, Rating::again));
  CHECK(only_skill(events).memory.stability_days < once_days);
}

TEST_CASE("a skill with nothing but answers from the future counts as answered once, today") {
  Events events;
  for (int i = 0; i < 10; ++i) events.push_back(event(i, kToday + 100 + 50 * i, Rating::good));
  const SkillState state = only_skill(events);
  CHECK(state.memory.stability_days == 2.3065);
  CHECK(state.last_day == kToday);
  CHECK(state.last_ms == kNow.utc_ms);
  CHECK(replayed(events).future_ids.size() == 10);
}

TEST_CASE("once its time has come, an answer from the future counts in full") {
  const Events events = {event(1, kToday, Rating::good), event(2, kToday + 100, Rating::good)};
  const Moment later{(kToday + 101) * kDayMs, 0};
  CHECK(replayed(events, later).future_ids.empty());
  CHECK(only_skill(events, later).last_day == kToday + 100);
  CHECK(only_skill(events, later).memory.stability_days > only_skill(events).memory.stability_days);
}

TEST_CASE("a time or a day beyond every date is refused with the event's id") {
  const auto where = [](const AnswerEvent& event, const Moment& now = kNow) {
    const Result<Replay> result = replay(std::span(&event, 1), now);
    return result.ok() ? "fine" : result.error().code + " " + result.error().where;
  };
  AnswerEvent bad = event(1, 100, Rating::good);
  CHECK(where(bad) == "fine");
  CHECK(where(bad, {kMaxUtcMs + 1, 0}) == "out_of_range utc_ms");
  CHECK(where(bad, {0, 9999}) == "out_of_range offset_min");
  bad.ms = INT64_MAX;
  CHECK(where(bad) == "out_of_range w-101");
  bad.ms = 0;
  bad.day = INT64_MIN;
  CHECK(where(bad) == "out_of_range w-101");
}
