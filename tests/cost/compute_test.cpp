#include "cost/compute.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "cost/simulate.h"
#include "program/instruction.h"
#include "schedule/lower.h"
#include "support/schedules.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

Rational value(std::string_view name, const std::vector<NamedValue>& values) {
  const Result<Rational> result = compute(name, values);
  CAPTURE(name);
  REQUIRE(result.ok());
  return result.value();
}

void check_error(std::string_view name, const std::vector<NamedValue>& values,
                 std::string_view code, std::string_view where, std::string_view message) {
  const Result<Rational> result = compute(name, values);
  CAPTURE(name);
  REQUIRE(!result.ok());
  CHECK(result.error().code == code);
  CHECK(result.error().where == where);
  CHECK(result.error().message == message);
}

/// A value inside of a domain, for every parameter.
std::vector<NamedValue> some_values(const ClosedForm& form) {
  std::vector<NamedValue> values;
  for (const Parameter& parameter : form.parameters) {
    const bool small = parameter.domain == Domain::flag || parameter.domain == Domain::whole;
    const bool share = parameter.domain == Domain::share;
    values.push_back({std::string(parameter.name), share   ? Rational(1, 2)
                                                   : small ? Rational(0)
                                                           : Rational(2)});
  }
  return values;
}

}  // namespace

TEST_CASE("every row is complete, and no name is taken twice, of forms or within one") {
  std::set<std::string_view> names;
  for (const ClosedForm& form : closed_forms()) {
    CAPTURE(form.name);
    CHECK(names.insert(form.name).second);
    CHECK(find_closed_form(form.name).value().evaluate == form.evaluate);
    CHECK(!form.unit.empty());
    CHECK(!form.description.empty());
    CHECK(!form.source.empty());
    std::set<std::string_view> parameters;
    for (const Parameter& parameter : form.parameters) {
      CHECK(parameters.insert(parameter.name).second);
      CHECK(!parameter.unit.empty());
      CHECK(!parameter.description.empty());
    }
  }
}

TEST_CASE("every row has a value, or names the condition that is broken") {
  for (const ClosedForm& form : closed_forms()) {
    CAPTURE(form.name);
    const Result<Rational> result = compute(form.name, some_values(form));
    if (result.ok()) continue;
    CHECK(result.error().code == "no_value");
    CHECK(result.error().message.find("has no value here") != std::string::npos);
    CHECK(!form.condition.empty());
  }
}

TEST_CASE("every parameter is looked at: it is needed or has a default, and has a range") {
  for (const ClosedForm& form : closed_forms()) {
    for (std::size_t i = 0; i < form.parameters.size(); ++i) {
      CAPTURE(form.name, form.parameters[i].name);
      std::vector<NamedValue> negative = some_values(form);
      negative[i].value = -1;
      REQUIRE(!compute(form.name, negative).ok());
      CHECK(compute(form.name, negative).error().code == "out_of_range");
      CHECK(compute(form.name, negative).error().where == form.parameters[i].name);
      std::vector<NamedValue> fewer = some_values(form);
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      const Result<Rational> result = compute(form.name, fewer);
      const bool missing = !result.ok() && result.error().code == "missing_parameter";
      CHECK(missing == !form.parameters[i].fallback.has_value());
    }
  }
}

TEST_CASE("the four numbers of the lesson") {
  CHECK(
      value("global_tokens", {{"per_device_batch", 4}, {"seq", 8}, {"accum", 2}, {"devices", 4}}) ==
      Rational(256));
  CHECK(value("speedup", {{"t_single", 80}, {"t_compute", 10}, {"t_comm", 2}}) == Rational(20, 3));
  CHECK(value("pipeline_bubble", {{"stages", 4}, {"microbatches", 8}}) == Rational(3, 11));
  CHECK(value("training_flops", {{"params", 1'000'000}, {"tokens", 100'000'000}}) ==
        Rational(600'000'000'000'000));
}

TEST_CASE("the bubble of the total, of the ideal and the utilisation agree with the simulation") {
  for (int p = 1; p <= 8; ++p) {
    for (int m = 1; m <= 16; ++m) {
      CAPTURE(p, m);
      const Timeline simulation = simulate(lower(made("one_f_one_b", p, m)), {}).value();
      const Bubbles idle = bubbles(simulation).value();
      const std::vector<NamedValue> shape = {{"stages", p}, {"microbatches", m}};
      REQUIRE(value("pipeline_bubble", shape) == idle.of_total);
      REQUIRE(value("pipeline_bubble_of_ideal", shape) == idle.of_ideal);
      REQUIRE(value("pipeline_utilisation", shape) == Rational(1) - idle.of_total);
      const std::vector<NamedValue> timed = {
          {"stages", p}, {"microbatches", m}, {"forward", 1}, {"backward", 2}};
      REQUIRE(value("pipeline_time", timed) == simulation.time(simulation.makespan));
      for (int rank = 0; rank < p; ++rank) {
        REQUIRE(
            value("one_f_one_b_in_flight", {{"stages", p}, {"microbatches", m}, {"rank", rank}}) ==
            Rational(
                simulation.devices[static_cast<std::size_t>(rank)].peak_until_weight_gradient));
      }
    }
  }
}

TEST_CASE("the fewest microbatches keep the bubble, and one fewer does not") {
  for (int p = 2; p <= 8; ++p) {
    for (int percent = 1; percent < 100; ++percent) {
      const Rational share(percent, 100);
      const Rational m = value("min_microbatches", {{"stages", p}, {"bubble", share}});
      CAPTURE(p, percent);
      REQUIRE(value("pipeline_bubble", {{"stages", p}, {"microbatches", m}}) <= share);
      if (m == Rational(1)) continue;
      REQUIRE(value("pipeline_bubble", {{"stages", p}, {"microbatches", m - 1}}) > share);
    }
  }
}

TEST_CASE("decimals are exact: a bubble of 0.05 with 8 stages takes 133 microbatches, not 134") {
  const Rational share = rational_from_decimal("0.05").value();
  CHECK(value("min_microbatches", {{"stages", 8}, {"bubble", share}}) == Rational(133));
}

TEST_CASE("an all-reduce is a reduce-scatter and an all-gather, in time and in bytes") {
  for (int size = 1; size <= 16; ++size) {
    CAPTURE(size);
    const std::vector<NamedValue> link = {
        {"devices", size}, {"bytes", 1000}, {"latency", Rational(1, 7)}, {"bandwidth", 13}};
    REQUIRE(value("ring_all_reduce_time", link) ==
            value("reduce_scatter_time", link) + value("all_gather_time", link));
  }
}

TEST_CASE("at the crossover ring and recursive doubling take equally long") {
  for (int size = 3; size <= 64; ++size) {
    CAPTURE(size);
    std::vector<NamedValue> link = {
        {"devices", size}, {"latency", Rational(1, 1000)}, {"bandwidth", 1'000'000}};
    const Rational bytes = value("ring_or_doubling_crossover", link);
    link.push_back({"bytes", bytes});
    REQUIRE(value("ring_all_reduce_time", link) == value("recursive_doubling_time", link));
  }
}

TEST_CASE("both meanings of B give one zero-bubble time, if each is used in its own formula") {
  // F = 2, I = 2.5, W = 1.5, p = 4: 3·(2 + 2.5 − 1.5) = 9 = 3·(2 + 4 − 3)
  const Rational input(5, 2);
  const Rational weight(3, 2);
  CHECK(value("zb_h1_bubble_time", {{"stages", 4},
                                    {"forward", 2},
                                    {"backward_input", input},
                                    {"backward_weight", weight}}) == Rational(9));
  CHECK(value("zb1p_bubble_time",
              {{"stages", 4},
               {"forward", 2},
               {"backward",
                value("full_backward", {{"backward_input", input}, {"backward_weight", weight}})},
               {"backward_weight", weight}}) == Rational(9));
}

TEST_CASE("published numbers come out: ZeRO's table and Megatron's GPT-3") {
  // Rajbhandari et al. 2020, figure 1: 7.5B parameters on 64 devices; in GB, parameters in billions
  const std::vector<NamedValue> zero = {{"params", Rational(15, 2)}, {"devices", 64}};
  CHECK(value("zero_0_state", zero) == Rational(120));
  CHECK(round_at(value("zero_1_state", zero), 1, Rounding::half_away) == Rational(314, 10));
  CHECK(round_at(value("zero_2_state", zero), 1, Rounding::half_away) == Rational(166, 10));
  CHECK(round_at(value("zero_3_state", zero), 1, Rounding::half_away) == Rational(19, 10));
  // Narayanan et al. 2021, section 5.1: 175B, 300B tokens, 1024 devices at 140 TFLOP/s: 34 days
  const Rational days = value("training_days", {{"tokens", 300'000'000'000},
                                                {"params", 175'000'000'000},
                                                {"devices", 1024},
                                                {"flops_per_device", 140'000'000'000'000}});
  CHECK(round_at(days, 0, Rounding::half_away) == Rational(34));
}

TEST_CASE("an unknown name is answered with the one that was probably meant") {
  check_error("pipeline_buble", {}, "unknown_formula", "pipeline_buble",
              "There is no formula called \"pipeline_buble\" (did you mean \"pipeline_bubble\"?).");
  check_error("pipeline_bubble", {{"stages", 4}, {"microbatch", 8}}, "unknown_parameter",
              "microbatch",
              "pipeline_bubble has no parameter \"microbatch\" (did you mean \"microbatches\"?).");
}

TEST_CASE("values that are missing, doubled or impossible are refused at their name") {
  check_error("pipeline_bubble", {{"stages", 4}}, "missing_parameter", "microbatches",
              "Give microbatches: m, microbatches per update.");
  check_error("pipeline_bubble", {{"stages", 4}, {"stages", 4}}, "doubled_parameter", "stages",
              "stages is given more than once.");
  check_error("ring_all_reduce_steps", {{"devices", 0}}, "out_of_range", "devices",
              "devices is a whole number of at least 1.");
  check_error("ring_all_reduce_steps", {{"devices", Rational(5, 2)}}, "out_of_range", "devices",
              "devices is a whole number of at least 1.");
  check_error("ring_all_reduce_steps", {{"devices", Rational(1, 0)}}, "out_of_range", "devices",
              "devices is a whole number of at least 1.");
}

TEST_CASE("values that do not go together name the condition that is broken") {
  check_error("accumulation_steps", {{"global_batch", 1000}, {"micro_batch", 3}, {"world", 4}},
              "no_value", "accumulation_steps",
              "accumulation_steps has no value here: a whole number of replicas and of passes is "
              "needed.");
  check_error("speedup", {{"t_single", 80}, {"t_compute", 10}, {"t_comm", 2}, {"overlap", 3}},
              "no_value", "speedup",
              "speedup has no value here: an overlap of at most t_compute and t_comm is needed.");
  check_error("speedup", {{"t_single", 80}, {"t_compute", 0}, {"t_comm", 0}}, "no_value", "speedup",
              "speedup has no value here: it comes to a division by zero.");
}

TEST_CASE("sizes that the teaching sources work out by hand") {
  // L(3DF + 4D² + D) + 2DV with L 1, D 2, F 3, V 5
  CHECK(value("glu_model_parameters",
              {{"layers", 1}, {"model_width", 2}, {"ffn_width", 3}, {"vocabulary", 5}}) ==
        Rational(18 + 16 + 2 + 20));
  CHECK(value("arithmetic_intensity", {{"peak", 197}, {"bandwidth", 4}}) == Rational(197, 4));
  CHECK(value("attention_crossover", {{"model_width", 4096}}) == Rational(8192));
  CHECK(
      value(
          "best_fsdp_ways",
          {{"tokens", 9}, {"chips", 4}, {"ffn_width", 1}, {"fsdp_axes", 1}, {"tensor_axes", 1}}) ==
      Rational(6));
  // 3 devices, 2 batches of 6 layers: 2·6·2 + 4·0.2·2 + 6/3·0.5
  CHECK(value("puzzle_pipeline_time", {{"layers", 6},
                                       {"batches", 2},
                                       {"devices", 3},
                                       {"update", Rational(1, 2)},
                                       {"p2p", Rational(1, 5)}}) ==
        Rational(24) + Rational(8, 5) + Rational(1));
}
