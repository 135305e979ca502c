#include "cost/simulate.h"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "collective/collective.h"
#include "core/decimal.h"
#include "cost/timed_schedule.h"
#include "program/validate.h"
#include "schedule/action.h"
#include "schedule/lower.h"
#include "schedule/validate.h"
#include "support/programs.h"
#include "support/schedules.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

Timeline simulated(const Program& program, const Durations& durations = {}) {
  Result<Timeline> simulation = simulate(program, durations);
  REQUIRE(simulation.ok());
  return std::move(simulation).value();
}

Rational makespan_of(const Schedule& schedule, const Durations& durations = {}) {
  const Timeline simulation = simulated(lower(schedule), durations);
  return simulation.time(simulation.makespan);
}

/// A fraction between 0 and 3 with a denominator up to 6.
Rational drawn_duration(Draw& draw) {
  const int denominator = 1 + draw.below(6);
  return {draw.below(3 * denominator + 1), denominator};
}

StageTimes drawn_times(Draw& draw) {
  return {drawn_duration(draw), drawn_duration(draw), drawn_duration(draw)};
}

/// What is known of a schedule on paper, with the times of one chunk (formulas.md 4.2; the papers
/// stand in schedule/make.h).
struct KnownRow {
  std::string_view name;
  bool (*holds)(const ScheduleShape& shape);  ///< where the forms below are true
  bool any_times;  ///< for any times of forward, input and weight gradient; else for equal ones
  Rational (*bubble)(const ScheduleShape& shape, const StageTimes& times);
  int (*peak)(const ScheduleShape& shape, int rank);  ///< activations kept until W or B
  bool peak_of_most = false;  ///< `peak` is that of the rank that keeps most; others keep less
};

bool always(const ScheduleShape&) {
  return true;
}

bool in_whole_rounds(const ScheduleShape& shape) {
  return shape.microbatches % shape.ranks == 0;
}

bool fills_the_v(const ScheduleShape& shape) {
  return shape.microbatches >= 2 * shape.ranks - 1;
}

Rational whole(const StageTimes& times) {
  return times.forward + times.backward_input + times.backward_weight;
}

Rational fill_and_drain(const ScheduleShape& shape, const StageTimes& times) {
  return Rational(shape.ranks - 1) * whole(times);
}

Rational skew(const ScheduleShape& shape, const StageTimes& times) {
  return Rational(shape.ranks - 1) * times.forward;
}

int everything(const ScheduleShape& shape, int) {
  return shape.microbatches * shape.chunks;
}

int v_memory(const ScheduleShape& shape, int chunks) {
  return std::min(2 * shape.microbatches, chunks);
}

constexpr std::array kKnown = {
    KnownRow{"forward_only", always, true, skew, [](const ScheduleShape&, int) { return 0; }},
    KnownRow{"naive", always, true,
             [](const ScheduleShape& shape, const StageTimes& times) {
               return Rational(shape.microbatches) * fill_and_drain(shape, times);
             },
             [](const ScheduleShape&, int) { return 1; }},
    KnownRow{"gpipe", always, true, fill_and_drain, everything},
    KnownRow{"gpipe_lifo", always, true, fill_and_drain, everything},
    KnownRow{"one_f_one_b", always, true, fill_and_drain,
             [](const ScheduleShape& shape, int rank) {
               return std::min(shape.microbatches, shape.ranks - rank);
             }},
    KnownRow{"interleaved_one_f_one_b", in_whole_rounds, true, fill_and_drain,
             [](const ScheduleShape& shape, int rank) {
               const int warm_up = (shape.chunks - 1) * shape.ranks + 2 * (shape.ranks - 1 - rank);
               return std::min(everything(shape, rank), warm_up + 1);
             }},
    KnownRow{"looped_bfs", in_whole_rounds, true, fill_and_drain, everything},
    KnownRow{"zb_h1", in_whole_rounds, false, skew,
             [](const ScheduleShape& shape, int) { return shape.ranks; }},
    KnownRow{"zb_h2", always, false, skew,
             [](const ScheduleShape& shape, int) { return 2 * shape.ranks - 1; }},
    KnownRow{"interleaved_zero_bubble", in_whole_rounds, false, skew,
             [](const ScheduleShape& shape, int) { return shape.ranks * shape.chunks; }},
    KnownRow{"zbv", fills_the_v, false, skew,
             [](const ScheduleShape& shape, int) { return 2 * shape.ranks; }},
    // A pair that overlaps takes FB = F + B here: (p−1)(FB + B − 3W) = 2(p−1) for equal times.
    KnownRow{"dualpipe_v", always, false,
             [](const ScheduleShape& shape, const StageTimes& times) {
               return Rational(2 * (shape.ranks - 1)) * times.forward;
             },
             [](const ScheduleShape& shape, int) { return 2 * shape.ranks + 1; }},
    // (p/2−1)(FB + B − 3W), again with FB = F + B
    KnownRow{"dualpipe", always, false,
             [](const ScheduleShape& shape, const StageTimes& times) {
               return Rational(shape.ranks - 2) * times.forward;
             },
             [](const ScheduleShape& shape, int) { return shape.ranks + 1; }},
    // The paper has half of 1F1B's bubble, which is 6(p−1) here: 3(p−1) less 1 or 2.
    KnownRow{
        "v_half", [](const ScheduleShape& shape) { return shape.microbatches > shape.ranks / 2; },
        false,
        [](const ScheduleShape& shape, const StageTimes& times) {
          const int p = shape.ranks;
          const int slots = p <= 2 ? 2 * (p - 1) : 3 * (p - 1) - (p % 2 == 0 ? 2 : 1);
          return Rational(slots) * times.forward;
        },
        [](const ScheduleShape& shape, int) { return v_memory(shape, 2 * (shape.ranks / 2 + 1)); },
        true},
    // and here two thirds of it: 4(p−1) less 1
    KnownRow{"v_min", always, false,
             [](const ScheduleShape& shape, const StageTimes& times) {
               return Rational(std::max(0, 4 * (shape.ranks - 1) - 1)) * times.forward;
             },
             [](const ScheduleShape& shape, int) {
               return v_memory(shape, 2 * ((shape.ranks + 4) / 3));
             },
             true},
};

const KnownRow& known(std::string_view name) {
  const auto row = std::ranges::find(kKnown, name, &KnownRow::name);
  REQUIRE(row != kKnown.end());
  return *row;
}

/// The end of every action by the definition alone: after the one before it on its rank and after
/// what it needs (plus latency from another rank). Shares nothing with programs and their messages.
class Definition {
 public:
  Definition(const Schedule& schedule, const Durations& durations)
      : schedule_(schedule), durations_(durations) {}

  Rational makespan() {
    Rational last = 0;
    for (std::size_t rank = 0; rank < schedule_.ranks.size(); ++rank) {
      const auto& actions = schedule_.ranks[rank];
      for (std::size_t i = 0; i < actions.size(); ++i) last = maximum(last, end(rank, i));
    }
    return last;
  }

 private:
  Rational end(std::size_t rank, std::size_t position) {
    const auto found = ends_.find({rank, position});
    if (found != ends_.end()) return found->second;
    const Action& action = schedule_.ranks[rank][position];
    Rational start = position == 0 ? Rational(0) : end(rank, position - 1);
    const int last_stage = static_cast<int>(schedule_.stage_rank.size()) - 1;
    if (action.kind == ActionKind::forward && action.stage > 0) {
      start = maximum(start, arrival({action.kind, action.stage - 1, action.microbatch}, rank));
    }
    if (action.kind == ActionKind::backward && action.stage < last_stage) {
      start = maximum(start, arrival({action.kind, action.stage + 1, action.microbatch}, rank));
    }
    const StageTimes& times = durations_.stages[static_cast<std::size_t>(action.stage)];
    const Rational length = action.kind == ActionKind::forward
                                ? times.forward
                                : times.backward_input + times.backward_weight;
    return ends_[{rank, position}] = start + length;
  }

  Rational arrival(const Action& needed, std::size_t to) {
    const auto from =
        static_cast<std::size_t>(schedule_.stage_rank[static_cast<std::size_t>(needed.stage)]);
    const auto& actions = schedule_.ranks[from];
    const auto position = std::ranges::find(actions, needed) - actions.begin();
    return end(from, static_cast<std::size_t>(position)) +
           (from == to ? Rational(0) : latency(static_cast<int>(from), static_cast<int>(to)));
  }

  Rational latency(int from, int to) const {
    const auto link = durations_.links.find({from, to});
    return link == durations_.links.end() ? durations_.link.latency : link->second.latency;
  }

  const Schedule& schedule_;
  const Durations& durations_;
  std::map<std::pair<std::size_t, std::size_t>, Rational> ends_;
};

void check_error(const Program& program, const Durations& durations, std::string_view code,
                 std::string_view where) {
  const Result<Timeline> simulation = simulate(program, durations);
  REQUIRE(!simulation.ok());
  CHECK(simulation.error().code == code);
  CHECK(simulation.error().where == where);
}

}  // namespace

TEST_CASE("every schedule takes the time and the memory of its closed form, to the last fraction") {
  std::set<std::string_view> seen;
  each_schedule([&](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
    const KnownRow& form = known(row.name);
    if (!form.holds(shape)) return;
    CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches);
    Draw draw(static_cast<std::uint64_t>(shape.ranks * 100 + shape.microbatches));
    const Rational forward = drawn_duration(draw) + 1;
    const StageTimes times = form.any_times
                                 ? StageTimes{forward, drawn_duration(draw), drawn_duration(draw)}
                                 : StageTimes{forward, forward, forward};
    const Rational each = schedule.has_backward() ? whole(times) : times.forward;
    const Rational work = each * Rational(shape.microbatches * shape.chunks);
    const Timeline simulation = simulated(lower(schedule), {.stages = {times}});
    CHECK(simulation.time(simulation.makespan) - work == form.bubble(shape, times));
    int most = 0;
    for (int rank = 0; rank < shape.ranks; ++rank) {
      const DeviceTimes& device = simulation.devices[static_cast<std::size_t>(rank)];
      REQUIRE(simulation.time(device.busy) == work);
      const int peak = device.peak_until_weight_gradient;
      CHECK((form.peak_of_most ? peak <= form.peak(shape, rank) : peak == form.peak(shape, rank)));
      most = std::max(most, peak);
      CHECK(device.peak_until_input_gradient <= device.peak_until_weight_gradient);
    }
    if (form.peak_of_most) CHECK(most == form.peak(shape, 0));
    seen.insert(row.name);
  });
  CHECK(seen.size() == schedule_table().size());
}

TEST_CASE("the bubble of GPipe and 1F1B is (p−1)/(m+p−1) of the total and (p−1)/m of the ideal") {
  for (const std::string_view name : {"gpipe", "one_f_one_b"}) {
    for (int p = 1; p <= 8; ++p) {
      for (int m = 1; m <= 16; ++m) {
        CAPTURE(name, p, m);
        const auto idle = bubbles(simulated(lower(made(name, p, m))));
        REQUIRE(idle.has_value());
        REQUIRE(idle->of_total == Rational(p - 1, m + p - 1));
        REQUIRE(idle->of_ideal == Rational(p - 1, m));
        // rank 0 works from the first forward to the last backward
        REQUIRE(idle->in_span == Rational(3 * (p - 1)));
        REQUIRE(idle->span_of_ideal == Rational(p - 1, m));
      }
    }
  }
}

TEST_CASE("two stages and two microbatches of GPipe, cell by cell") {
  // F takes 1, B takes 2:  rank 0: F0 F1 . . . B0 B0 B1 B1    rank 1: . F0 F1 B0 B0 B1 B1 . .
  const Program program = lower(made("gpipe", 2, 2));
  const Timeline simulation = simulated(program);
  std::vector<std::vector<TimeSpan>> work(2);
  for (std::size_t rank = 0; rank < 2; ++rank) {
    for (std::size_t i = 0; i < simulation.spans[rank].size(); ++i) {
      const Op op = program.devices[rank].instructions[i].op;
      if (op == Op::forward || op == Op::backward) work[rank].push_back(simulation.spans[rank][i]);
    }
  }
  CHECK(simulation.tick == Rational(1));
  CHECK(work == std::vector<std::vector<TimeSpan>>{{{0, 1}, {1, 2}, {5, 7}, {7, 9}},
                                                   {{1, 2}, {2, 3}, {3, 5}, {5, 7}}});
  CHECK(simulation.devices == std::vector<DeviceTimes>{{6, 0, 9, 2, 2}, {6, 1, 7, 2, 2}});
}

TEST_CASE("a receive lasts as long as its device waits, a send takes no time") {
  // rank 0: F 0–1, send at 1, waits from 1 to 4 1/2, B to 6 1/2; ticks of 1/4
  const Timeline simulation =
      simulated(program_from(kSmallPipeline), {.link = {.latency = Rational(1, 4)}});
  CHECK(simulation.tick == Rational(1, 4));
  CHECK(simulation.spans ==
        std::vector<std::vector<TimeSpan>>{{{0, 4}, {4, 4}, {4, 18}, {18, 26}},
                                           {{0, 5}, {5, 9}, {9, 17}, {17, 17}}});
  CHECK(simulation.makespan == 26);
}

TEST_CASE("any valid order with any durations ends when its definition says") {
  int orders = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const Schedule schedule = shuffled_schedule(draw, 5);
    if (!validate_schedule(schedule).empty()) continue;
    Durations durations{.stages = {}, .link = {.latency = drawn_duration(draw)}};
    for (std::size_t stage = 0; stage < schedule.stage_rank.size(); ++stage) {
      durations.stages.push_back(drawn_times(draw));
    }
    for (int from = 0; from + 1 < static_cast<int>(schedule.ranks.size()); ++from) {
      if (draw.below(2) == 0) durations.links[{from, from + 1}].latency = drawn_duration(draw);
      if (draw.below(2) == 0) durations.links[{from + 1, from}].latency = drawn_duration(draw);
    }
    REQUIRE(makespan_of(schedule, durations) == Definition(schedule, durations).makespan());
    ++orders;
  }
  CHECK(orders > 200);
}

TEST_CASE("a link's latency c adds exactly 2(p−1)c to GPipe") {
  for (int p = 1; p <= 8; ++p) {
    for (int m = 1; m <= 8; ++m) {
      CAPTURE(p, m);
      const Rational latency(3, 7);
      REQUIRE(makespan_of(made("gpipe", p, m), {.link = {.latency = latency}}) ==
              Rational(3 * (m + p - 1)) + Rational(2 * (p - 1)) * latency);
    }
  }
}

TEST_CASE("a latency as long as a forward costs 1F1B more than GPipe: 49 against 39") {
  // 4 stages, 8 microbatches (formulas.md 4.2): schedules equal on paper differ on a slow link
  CHECK(makespan_of(made("gpipe", 4, 8), {.link = {.latency = 1}}) == Rational(39));
  CHECK(makespan_of(made("one_f_one_b", 4, 8), {.link = {.latency = 1}}) == Rational(49));
}

TEST_CASE(
    "uneven stages of GPipe take (Σt + (m−1)·max t)·(1 + k) when a backward takes k forwards") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Draw draw(seed);
    const int p = 1 + draw.below(6);
    const int m = 1 + draw.below(6);
    const Rational multiple(1 + draw.below(5), 2);
    Durations durations{.stages = {}};
    Rational sum = 0;
    Rational longest = 0;
    for (int stage = 0; stage < p; ++stage) {
      const Rational forward = drawn_duration(draw);
      durations.stages.push_back({forward, forward * multiple, 0});
      sum += forward;
      longest = maximum(longest, forward);
    }
    CAPTURE(seed, p, m);
    REQUIRE(makespan_of(made("gpipe", p, m), durations) ==
            (sum + Rational(m - 1) * longest) * (Rational(1) + multiple));
  }
}

TEST_CASE(
    "GPipe with any times and links takes Σt + (m−1)·max t forward, the same back, and each link's "
    "latency once each way") {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Draw draw(seed);
    const int p = 1 + draw.below(8);
    const int m = 1 + draw.below(8);
    CAPTURE(seed, p, m);
    Durations durations{.stages = {}};
    Rational expected = 0;
    Rational forward_max = 0;
    Rational backward_max = 0;
    for (int stage = 0; stage < p; ++stage) {
      const StageTimes times = drawn_times(draw);
      durations.stages.push_back(times);
      expected += whole(times);
      forward_max = maximum(forward_max, times.forward);
      backward_max = maximum(backward_max, times.backward_input + times.backward_weight);
      if (stage + 1 == p) continue;
      for (const auto& edge : {std::pair(stage, stage + 1), std::pair(stage + 1, stage)}) {
        durations.links[edge].latency = drawn_duration(draw);
        expected += durations.links[edge].latency;
      }
    }
    expected += Rational(m - 1) * (forward_max + backward_max);
    REQUIRE(makespan_of(made("gpipe", p, m), durations) == expected);
  }
}

TEST_CASE(
    "with pairs of their own time the most idle rank of DualPipe idles (p/2−1)(FB + B − 3W), of "
    "DualPipeV (p−1)(FB + B − 3W)") {
  // B is the full backward; F, I and W take 2, and a pair anything from B alone to F + B
  for (const Rational& pair : {Rational(4), Rational(9, 2), Rational(5), Rational(6)}) {
    each_schedule(
        [&](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
          if (row.name != "dualpipe" && row.name != "dualpipe_v") return;
          CAPTURE(row.name, shape.ranks, shape.microbatches, fraction_text(pair));
          const Durations durations = {.stages = {{2, 2, 2}}, .overlap = pair};
          const Timeline timeline = timed_schedule(schedule, durations).value().simulation;
          Ticks most = 0;
          for (const DeviceTimes& device : timeline.devices) {
            most = std::max(most, timeline.makespan - device.busy);
          }
          const int p = row.name == "dualpipe" ? shape.ranks / 2 : shape.ranks;
          REQUIRE(timeline.time(most) == Rational(p - 1) * (pair + Rational(4 - 6)));
        });
  }
}

TEST_CASE(
    "of a pair's time the backward has what it takes alone, and both halves send at the end") {
  // rank 0: F0 0–1, the pair F1 and B0 of 5/2 in all: B0 needs 1B0, which ends at 4
  const Schedule schedule = schedule_from("0F0 (0F1;0B0)OVERLAP_F_B 0B1\n1F0 1B0 1F1 1B1");
  const Program program = lower(schedule);
  const std::vector<InstructionPlace> pairs = overlapping_pairs(schedule, program);
  REQUIRE(pairs.size() == 1);
  const Timeline timeline = simulate(program, {.overlap = Rational(5, 2)}, pairs).value();
  const std::vector<TimeSpan>& spans = timeline.spans[0];
  const auto at = static_cast<std::size_t>(pairs[0].index);
  CHECK(timeline.time(spans[at].start) == Rational(4));
  CHECK(timeline.time(spans[at].end) == Rational(9, 2));
  CHECK(timeline.time(spans[at + 1].end) == Rational(13, 2));
  CHECK(spans[at + 2].end == spans[at + 1].end);  // 0F1 is sent when the pair has ended
  check_error(program, {.overlap = -1}, "out_of_range", "overlap");
  const std::vector<InstructionPlace> none = {{0, 1}};
  CHECK(simulate(program, {}, none).error().where == "pairs");
  const std::vector<InstructionPlace> nowhere = {{2, 0}};
  CHECK(simulate(program, {}, nowhere).error().where == "pairs");
}

TEST_CASE("a split backward frees activations at I or at W, and both peaks are told") {
  // rank 0: F0 F1 are both in flight at F1; I0 frees the first by one rule, W0 by the other
  const Timeline simulation = simulated(lower(schedule_from("0F0 0I0 0F1 0I1 0W0 0W1")));
  CHECK(simulation.devices.at(0).peak_until_input_gradient == 1);
  CHECK(simulation.devices.at(0).peak_until_weight_gradient == 2);
}

TEST_CASE("a ring all-reduce takes 2(N−1) latencies when its chunks take no time") {
  for (int size = 1; size <= 16; ++size) {
    CAPTURE(size);
    Program program{.name = "ring"};
    program.devices.resize(static_cast<std::size_t>(size));
    std::vector<int> group;
    for (int rank = 0; rank < size; ++rank) group.push_back(rank);
    find_collective("ring_all_reduce").value().append(program, group, kDeviceGradient);
    const Timeline simulation = simulated(program, {.link = {.latency = Rational(2, 3)}});
    REQUIRE(simulation.time(simulation.makespan) == Rational(2 * (size - 1)) * Rational(2, 3));
    REQUIRE(!bubbles(simulation).has_value());
  }
}

TEST_CASE("the measures name their denominators even where devices work unequally") {
  // Forwards of 1 and 3, no backward time, one microbatch: total 2 · 4, work 4, no idle in a span.
  const Durations durations{.stages = {{1, 0, 0}, {3, 0, 0}}};
  const auto idle = bubbles(simulated(lower(made("gpipe", 2, 1)), durations));
  REQUIRE(idle.has_value());
  CHECK(idle->of_total == Rational(4, 8));
  CHECK(idle->of_ideal == Rational(4, 4));
  // rank 0 waits with its (instant) backward from 1 to 4: span 4, work 1
  CHECK(idle->in_span == Rational(3));
  CHECK(idle->span_of_ideal == Rational(3));
}

TEST_CASE("durations that cannot be are refused and named") {
  const Program program = program_from(kSmallPipeline);
  check_error(program, {.link = {.latency = -1}}, "out_of_range", "latency");
  check_error(program, {.stages = {{1, 1, 1}, {1, Rational(-1, 2), 1}}}, "out_of_range",
              "stage 1, backward_input");
  check_error(program, {.stages = {{1, 1, Rational(1, 0)}}}, "out_of_range",
              "stage 0, backward_weight");
  check_error(program, {.stages = {{}, {}, {}}}, "out_of_range", "durations");
  check_error(program, {.stages = {}}, "out_of_range", "durations");
}

TEST_CASE("durations without a common tick that can be counted are refused") {
  const Program program = program_from(kSmallPipeline);
  const Rational huge(std::int64_t{1} << 61);
  check_error(program, {.stages = {{huge, 1, 1}}}, "too_large", "durations");
  check_error(program, {.stages = {{Rational(1, std::int64_t{1} << 61), huge, 1}}}, "too_large",
              "durations");
  check_error(program, {.link = {.latency = power(Rational(2), 100)}}, "too_large", "durations");
  Durations coprime{.stages = {}};
  coprime.stages.push_back({Rational(1) / power(Rational(3), 900), 1, 1});
  coprime.stages.push_back({Rational(1) / power(Rational(5), 600), 1, 1});
  check_error(program, coprime, "too_large", "durations");
}

TEST_CASE("a program that does not end is refused at the device that waits") {
  check_error(program_from("program x\nstages 1\nmicrobatches 1\n"
                           "device 0 replica 0 stages\n"
                           "device 1 replica 0 stages\n  receive gradient chunk 0 of 1 from 2\n"
                           "  send gradient chunk 0 of 1 to 2\n"
                           "device 2 replica 0 stages\n  receive gradient chunk 0 of 1 from 1\n"
                           "  send gradient chunk 0 of 1 to 1\n"),
              {}, "deadlock", "device 1");
}

TEST_CASE("any program at all is timed or refused, never with a crash") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    CAPTURE(seed);
    const Program program = drawn_program(seed);
    const Result<Timeline> simulation = simulate(program, {.link = {.latency = Rational(1, 3)}});
    if (simulation.ok()) CHECK(simulation.value().makespan >= 0);
    if (validate(program).empty()) CHECK(simulation.ok());
  }
}
