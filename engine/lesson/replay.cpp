#include "lesson/replay.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <tuple>

namespace lockstep {
namespace {

/// Learning days of all times that a JavaScript date has.
constexpr std::int64_t kMaxDay = kMaxUtcMs / 86'400'000 + 2;

/// One skill on its way through its events.
struct SkillHistory {
  std::optional<SkillState> state;
  std::set<std::int64_t> decided_days;
  bool raised_from_future = false;
};

/// Where and when the replay stands.
struct Present {
  std::int64_t day = 0;
  std::int64_t ms = 0;
};

bool is_future(const AnswerEvent& event, std::int64_t now_ms) {
  return event.ms > now_ms + kFutureToleranceMs;
}

/// The events by (ms, id), one for each id.
std::vector<const AnswerEvent*> in_order(std::span<const AnswerEvent> events) {
  std::vector<const AnswerEvent*> order;
  for (const AnswerEvent& event : events) order.push_back(&event);
  // By id, the latest version first; the other fields only make the order of versions a total one.
  std::ranges::sort(order, [](const AnswerEvent* one, const AnswerEvent* other) {
    return std::tie(one->id, other->ms, other->day, other->skill, other->rating) <
           std::tie(other->id, one->ms, one->day, one->skill, one->rating);
  });
  const auto same_id = [](const AnswerEvent* one, const AnswerEvent* other) {
    return one->id == other->id;
  };
  const auto repeated = std::ranges::unique(order, same_id);
  order.erase(repeated.begin(), repeated.end());
  std::ranges::sort(order, [](const AnswerEvent* one, const AnswerEvent* other) {
    return std::tie(one->ms, one->id) < std::tie(other->ms, other->id);
  });
  return order;
}

/// The name a skill has now; follows renamings of renamings, and ends where they go in a circle.
std::string_view present_name(std::string_view skill,
                              const std::map<std::string_view, std::string_view>& names) {
  for (std::size_t step = 0; step < names.size(); ++step) {
    const auto found = names.find(skill);
    if (found == names.end()) break;
    skill = found->second;
  }
  return skill;
}

void count(SkillState& state, Rating rating) {
  if (rating == Rating::again && state.ever_right) ++state.lapses;
  if (rating != Rating::again) state.ever_right = true;
  state.last_rating = rating;
  ++state.reps;
}

/// Takes in an event whose time is believed.
void apply(const Fsrs& fsrs, const AnswerEvent& event, SkillHistory& history) {
  if (!history.state) {
    history.state = SkillState{.memory = fsrs.first(*event.rating), .last_day = event.day};
  } else {
    SkillState& state = *history.state;
    const auto days = static_cast<double>(elapsed_days(state.last_day, event.day));
    state.memory = fsrs.next(state.memory, days, *event.rating).value();
    state.last_day = std::max(state.last_day, event.day);
  }
  history.state->last_ms = event.ms;
  count(*history.state, *event.rating);
}

/// Takes in an event from the future: no day passes, and only the first raise of the stability
/// holds. A skill that has nothing else counts as answered today.
void apply_future(const Fsrs& fsrs, const AnswerEvent& event, const Present& present,
                  SkillHistory& history) {
  if (!history.state) {
    history.state = SkillState{
        .memory = fsrs.first(*event.rating), .last_day = present.day, .last_ms = present.ms};
    history.raised_from_future = true;
  } else {
    Memory& memory = history.state->memory;
    const double before_days = memory.stability_days;
    memory = fsrs.next(memory, 0, *event.rating).value();
    if (memory.stability_days > before_days) {
      if (history.raised_from_future) memory.stability_days = before_days;
      history.raised_from_future = true;
    }
  }
  count(*history.state, *event.rating);
}

Status check_event(const AnswerEvent& event) {
  if (event.ms < -kMaxUtcMs || event.ms > kMaxUtcMs) {
    return Error{"out_of_range", event.id, "ms is beyond every date"};
  }
  if (event.day < -kMaxDay || event.day > kMaxDay) {
    return Error{"out_of_range", event.id, "day is beyond every date"};
  }
  return fine();
}

}  // namespace

Result<Replay> replay(std::span<const AnswerEvent> events, const Moment& now,
                      std::span<const Renaming> renamings) {
  const Result<std::int64_t> today = learning_day(now);
  if (!today.ok()) return today.error();
  std::map<std::string_view, std::string_view> names;
  for (const Renaming& renaming : renamings) names.emplace(renaming.from, renaming.to);

  const Fsrs fsrs;
  Replay result;
  std::map<std::string_view, SkillHistory> histories;
  for (const AnswerEvent* event : in_order(events)) {
    if (const Status status = check_event(*event); !status.ok()) return status.error();
    const bool future = is_future(*event, now.utc_ms);
    if (future) result.future_ids.push_back(event->id);
    if (!event->rating) continue;
    SkillHistory& history = histories[present_name(event->skill, names)];
    if (!history.decided_days.insert(event->day).second) continue;
    if (future)
      apply_future(fsrs, *event, {today.value(), now.utc_ms}, history);
    else
      apply(fsrs, *event, history);
  }
  std::ranges::sort(result.future_ids);
  for (const auto& [skill, history] : histories) {
    result.skills.emplace(skill, *history.state);
  }
  return result;
}

}  // namespace lockstep
