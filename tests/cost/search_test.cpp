#include "cost/search.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <vector>

#include "schedule/lower.h"
#include "schedule/validate.h"
#include "support/schedules.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Whole times of 0 to 4, each stage and link its own.
Durations drawn_durations(Draw& draw, int stages) {
  Durations durations{.stages = {}};
  for (int stage = 0; stage < stages; ++stage) {
    durations.stages.push_back({draw.below(5), draw.below(5), draw.below(5)});
    if (stage == 0) continue;
    durations.links[{stage - 1, stage}].latency = draw.below(3);
    durations.links[{stage, stage - 1}].latency = draw.below(3);
  }
  return durations;
}

SearchTask drawn_task(Draw& draw, int stages, int microbatches, BackwardForm form) {
  SearchTask task{.stages = stages, .microbatches = microbatches};
  task.durations = drawn_durations(draw, stages);
  task.limits.backward = form;
  const int cap = draw.below(microbatches + 1);
  if (cap > 0) task.limits.memory_cap = cap;
  if (draw.below(2) == 0) task.limits.freeing = Freeing::at_input_gradient;
  return task;
}

SearchResult found(const SearchTask& task, const SearchControl& control = {}) {
  Result<SearchResult> result = find_shortest(task, control);
  if (!result.ok()) FAIL(result.error().where << ": " << result.error().message);
  return std::move(result).value();
}

Rational time_of(const Schedule& schedule, const Durations& durations) {
  const Result<Timeline> simulation = simulate(lower(schedule), durations);
  REQUIRE(simulation.ok());
  return simulation.value().time(simulation.value().makespan);
}

bool keeps_to(const Schedule& schedule, const OrderLimits& limits) {
  return validate_schedule(
             schedule,
             {.backward = true, .memory_cap = limits.memory_cap, .freeing = limits.freeing})
      .empty();
}

/// Every order of a stage's work in which each microbatch goes forward before it goes back; or only
/// those with the microbatches in turn, which the search looks at.
enum class Microbatches { in_any_order, in_turn };

class Orders {
 public:
  Orders(int stage, int microbatches, BackwardForm form, Microbatches order)
      : stage_(stage),
        in_turn_(order == Microbatches::in_turn),
        done_(static_cast<std::size_t>(microbatches), 0) {
    kinds_ = {ActionKind::forward, ActionKind::backward};
    if (form == BackwardForm::halves) {
      kinds_ = {ActionKind::forward, ActionKind::backward_input, ActionKind::backward_weight};
    }
  }

  std::vector<std::vector<Action>> all() {
    extend();
    return std::move(orders_);
  }

 private:
  void extend() {
    bool any = false;
    for (std::size_t microbatch = 0; microbatch < done_.size(); ++microbatch) {
      if (done_[microbatch] == kinds_.size()) continue;
      if (in_turn_ && microbatch > 0 && done_[microbatch] == done_[microbatch - 1]) continue;
      any = true;
      order_.push_back({kinds_[done_[microbatch]++], stage_, static_cast<int>(microbatch)});
      extend();
      order_.pop_back();
      --done_[microbatch];
    }
    if (!any) orders_.push_back(order_);
  }

  int stage_;
  bool in_turn_;
  std::vector<ActionKind> kinds_;
  std::vector<std::size_t> done_;
  std::vector<Action> order_;
  std::vector<std::vector<Action>> orders_;
};

/// The shortest of all orders by trying each: it shares nothing with the search but validation and
/// simulation.
Rational shortest_of_all(const SearchTask& task, Microbatches order) {
  std::vector<std::vector<std::vector<Action>>> choices;
  Schedule schedule{.name = "own", .microbatches = task.microbatches};
  for (int stage = 0; stage < task.stages; ++stage) {
    schedule.stage_rank.push_back(stage);
    choices.push_back(Orders(stage, task.microbatches, task.limits.backward, order).all());
  }
  std::vector<std::size_t> at(choices.size(), 0);
  std::optional<Rational> best;
  while (true) {
    schedule.ranks.clear();
    for (std::size_t stage = 0; stage < at.size(); ++stage) {
      schedule.ranks.push_back(choices[stage][at[stage]]);
    }
    if (keeps_to(schedule, task.limits)) {
      const Rational time = time_of(schedule, task.durations);
      best = best ? minimum(*best, time) : time;
    }
    std::size_t stage = 0;
    while (stage < at.size() && ++at[stage] == choices[stage].size()) at[stage++] = 0;
    if (stage == at.size()) return *best;
  }
}

/// The memory that a schedule needs on its fullest rank; at least for one activation.
int peak_of(const Schedule& schedule, Freeing freeing) {
  int peak = 1;
  for (const DeviceTimes& device : simulate(lower(schedule), {}).value().devices) {
    peak =
        std::max(peak, freeing == Freeing::at_weight_gradient ? device.peak_until_weight_gradient
                                                              : device.peak_until_input_gradient);
  }
  return peak;
}

}  // namespace

TEST_CASE("the search finds what trying every order finds") {
  struct Size {
    int stages;
    int microbatches;
    BackwardForm form;
    Microbatches order;
    int seeds;
  };
  constexpr BackwardForm kWhole = BackwardForm::whole;
  constexpr BackwardForm kHalves = BackwardForm::halves;
  constexpr Microbatches kAny = Microbatches::in_any_order;
  constexpr Microbatches kTurn = Microbatches::in_turn;
  for (const Size& size :
       {Size{1, 3, kHalves, kAny, 4}, Size{2, 2, kHalves, kAny, 60}, Size{2, 3, kWhole, kAny, 3},
        Size{3, 2, kWhole, kAny, 60}, Size{4, 2, kWhole, kAny, 12}, Size{3, 2, kHalves, kAny, 3},
        Size{3, 4, kWhole, kTurn, 30}, Size{4, 3, kWhole, kTurn, 40},
        Size{2, 3, kHalves, kTurn, 30}, Size{3, 3, kHalves, kTurn, 1}}) {
    for (int seed = 0; seed < size.seeds; ++seed) {
      Draw draw(static_cast<std::uint64_t>(seed));
      const SearchTask task = drawn_task(draw, size.stages, size.microbatches, size.form);
      CAPTURE(size.stages, size.microbatches, size.form, seed);
      const SearchResult result = found(task);
      REQUIRE(result.end == SearchEnd::proven);
      REQUIRE(result.makespan == shortest_of_all(task, size.order));
    }
  }
}

TEST_CASE("what is found keeps to its limits and takes the time that is told") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Draw draw(seed);
    const int stages = 1 + draw.below(4);
    const int microbatches = 1 + draw.below(6);
    const BackwardForm form = draw.below(2) == 0 ? BackwardForm::whole : BackwardForm::halves;
    const SearchTask task = drawn_task(draw, stages, microbatches, form);
    CAPTURE(seed, stages, microbatches, form);
    const SearchResult result = found(task, {.nodes_max = 3000});
    REQUIRE(keeps_to(result.schedule, task.limits));
    REQUIRE(time_of(result.schedule, task.durations) == result.makespan);
    const Rational least = least_time(result.schedule, task.durations, task.limits).value();
    REQUIRE(least <= result.lower_bound);
    REQUIRE(result.lower_bound <= result.makespan);
    if (result.end == SearchEnd::proven) REQUIRE(result.lower_bound == result.makespan);
  }
}

TEST_CASE("no row of the table is shorter than what is found for its memory") {
  int proven = 0;
  each_schedule([&](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
    if (shape.chunks > 1 || !row.not_trainable.empty()) return;
    CAPTURE(row.name, shape.ranks, shape.microbatches);
    Draw draw(static_cast<std::uint64_t>(shape.ranks * 100 + shape.microbatches));
    SearchTask task{.stages = shape.ranks, .microbatches = shape.microbatches};
    task.durations = drawn_durations(draw, shape.ranks);
    task.limits = {.backward = backward_form(schedule),
                   .memory_cap = peak_of(schedule, Freeing::at_weight_gradient)};
    const SearchResult result = found(task, {.nodes_max = 300});
    REQUIRE(result.makespan <= time_of(schedule, task.durations));
    proven += result.end == SearchEnd::proven ? 1 : 0;
  });
  CHECK(proven > 100);
}

TEST_CASE(
    "no schedule of the table ends before the lower bound, with any times and its own memory") {
  each_schedule([](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
    CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches);
    Draw draw(static_cast<std::uint64_t>(shape.ranks * 100 + shape.microbatches));
    Durations uneven{.stages = {}, .link = {.latency = Rational(1, 3)}};
    for (int stage = 0; stage < shape.ranks * shape.chunks; ++stage) {
      uneven.stages.push_back({draw.below(5), draw.below(5), draw.below(5)});
    }
    Durations slow = {.link = {.startup = Rational(1, 2), .per_byte = 1},
                      .bytes = {.activation = 1}};
    for (const Durations& durations : {Durations{}, uneven, slow}) {
      OrderLimits limits{.backward = backward_form(schedule)};
      const Rational time = time_of(schedule, durations);
      REQUIRE(least_time(schedule, durations, limits).value() <= time);
      for (const Freeing freeing : {Freeing::at_weight_gradient, Freeing::at_input_gradient}) {
        limits.memory_cap = peak_of(schedule, freeing);
        limits.freeing = freeing;
        REQUIRE(least_time(schedule, durations, limits).value() <= time);
      }
    }
  });
}

TEST_CASE("the lower bound is reached by GPipe, 1F1B, naive, forward passes and ZB-H2") {
  const auto check = [](std::string_view name, int p, int m, BackwardForm form,
                        std::optional<int> cap) {
    CAPTURE(name, p, m);
    const Schedule schedule = made(name, p, m);
    const Rational time = time_of(schedule, {});
    CHECK(least_time(schedule, {}, {.backward = form, .memory_cap = cap}).value() == time);
  };
  for (int p = 1; p <= 8; ++p) {
    for (int m = 1; m <= 16; ++m) {
      check("gpipe", p, m, BackwardForm::whole, std::nullopt);
      check("one_f_one_b", p, m, BackwardForm::whole, std::nullopt);
      check("naive", p, m, BackwardForm::whole, 1);
      check("forward_only", p, m, BackwardForm::none, std::nullopt);
      if (m >= 2 * p - 1) check("zb_h2", p, m, BackwardForm::halves, std::nullopt);
    }
  }
}

TEST_CASE("no gradient comes back before its microbatch has been there: a bound by hand") {
  // rank 0 can begin to go back at 1 + 5 + 5 + 1 + 1 = 13, and then has 2 · 10 to do
  const Durations durations = {.stages = {{1, 10, 0}, {5, 1, 0}, {5, 1, 0}}};
  const OrderLimits limits = {.backward = BackwardForm::whole};
  CHECK(least_time(made("gpipe", 3, 2), durations, limits).value() == Rational(33));
  const SearchResult result =
      found({.stages = 3, .microbatches = 2, .durations = durations, .limits = limits});
  CHECK(result.makespan == Rational(33));
}

TEST_CASE("three stages and four microbatches by hand, with memory for three and for one") {
  SearchTask task{.stages = 3, .microbatches = 4};
  task.limits = {.backward = BackwardForm::whole, .memory_cap = 3};
  CHECK(found(task).makespan == Rational(18));  // 1F1B's (m + p − 1)(F + B) = 6 · 3
  task.limits.memory_cap = 1;
  CHECK(found(task).makespan == Rational(36));  // one after the other: m · p · (F + B)
}

TEST_CASE("a search stops at its limit of nodes, and always at the same place") {
  Draw draw(7);
  SearchTask task = drawn_task(draw, 5, 9, BackwardForm::halves);
  task.limits.memory_cap = 3;
  const SearchResult first = found(task, {.nodes_max = 50});
  const SearchResult second = found(task, {.nodes_max = 50});
  CHECK(first.end == SearchEnd::node_limit);
  CHECK(first.nodes == 50);
  CHECK(first.schedule == second.schedule);
  CHECK(first.lower_bound < first.makespan);
  CHECK(keeps_to(first.schedule, task.limits));
}

TEST_CASE("a search tells its progress, and ends when it is told to") {
  Draw draw(7);
  SearchTask task = drawn_task(draw, 5, 9, BackwardForm::halves);
  task.limits.memory_cap = 3;
  std::vector<SearchProgress> told;
  SearchControl control{.progress_every = 10};
  control.go_on = [&told](const SearchProgress& progress) {
    told.push_back(progress);
    return told.size() < 4;
  };
  const SearchResult result = found(task, control);
  CHECK(result.end == SearchEnd::cancelled);
  CHECK(result.nodes == 40);
  REQUIRE(told.size() == 4);
  for (std::size_t i = 0; i < told.size(); ++i) {
    CHECK(told[i].nodes == static_cast<std::int64_t>(10 * (i + 1)));
    CHECK(told[i].lower_bound <= told[i].makespan);
    if (i > 0) CHECK(told[i].makespan <= told[i - 1].makespan);
  }
}

TEST_CASE("what cannot be searched is refused and named") {
  const auto refused = [](auto change) {
    SearchTask task{.stages = 2, .microbatches = 2};
    change(task);
    const Result<SearchResult> result = find_shortest(task);
    if (result.ok()) return std::string("fine");
    CHECK(!result.error().message.empty());
    return result.error().code + " at " + result.error().where;
  };
  CHECK(refused([](SearchTask&) {}) == "fine");
  CHECK(refused([](SearchTask& t) { t.stages = 0; }) == "out_of_range at stages");
  CHECK(refused([](SearchTask& t) { t.stages = 9; }) == "out_of_range at stages");
  CHECK(refused([](SearchTask& t) { t.microbatches = 17; }) == "out_of_range at microbatches");
  CHECK(refused([](SearchTask& t) { t.limits.memory_cap = 0; }) == "out_of_range at memory_cap");
  CHECK(refused([](SearchTask& t) { t.durations.link.per_byte = 1; }) ==
        "not_searchable at durations");
  CHECK(refused([](SearchTask& t) {
          t.durations.links[{0, 1}].startup = 1;
        }) == "not_searchable at durations");
  CHECK(refused([](SearchTask& t) { t.durations.overlap = 2; }) == "not_searchable at overlap");
  CHECK(refused([](SearchTask& t) { t.limits.backward = BackwardForm::none; }) ==
        "not_searchable at backward");
  CHECK(refused([](SearchTask& t) {
          t.durations.stages = {{-1, 1, 1}};
        }) == "out_of_range at stage 0, forward");
  CHECK(refused([](SearchTask& t) {
          t.durations.stages = {{}, {}, {}};
        }) == "out_of_range at durations");
}
