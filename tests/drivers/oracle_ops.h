// Cases that are more than closed forms: gradients, collectives on data, schedules.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "collective/collective.h"
#include "collective/play.h"
#include "cost/compute.h"
#include "cost/gradients.h"
#include "cost/simulate.h"
#include "drivers/answer.h"
#include "model/layers.h"
#include "program/instruction.h"
#include "program/line_reader.h"
#include "schedule/action.h"
#include "schedule/lower.h"
#include "schedule/schedule.h"
#include "schedule/text.h"
#include "schedule/token.h"
#include "schedule/validate.h"
#include "tensor/kernels.h"

namespace lockstep::drivers {

// --- gradients ---

inline RationalVector exact_list(const Json& list) {
  RationalVector numbers;
  for (const Json& number : list) numbers.push_back(exact(number));
  return numbers;
}

inline LinearFit fit_of(const Json& in) {
  LinearFit fit{exact_list(in.at("w")), {}, exact_list(in.at("y"))};
  for (const Json& row : in.at("X")) fit.rows.push_back(exact_list(row));
  return fit;
}

inline Answer shard_gradients_op(const Json& in) {
  const LinearFit fit = fit_of(in);
  const bool equal = in.contains("devices");
  const auto shards = equal ? must(equal_shards(fit.rows.size(), in.at("devices")))
                            : in.at("shards").get<std::vector<int>>();
  const auto gradients = must(shard_gradients(fit, shards));
  Fields fields = {{"full", list_of(must(full_gradient(fit)))}};
  std::vector<Answer> per_device;
  for (const RationalVector& gradient : gradients) per_device.push_back(list_of(gradient));
  fields["per_device"] = per_device;
  if (equal) {
    fields["allreduce_mean"] = list_of(must(data_parallel_grad(fit, in.at("devices"))));
    fields["allreduce_sum"] = list_of(must(allreduce_sum(gradients)));
  } else {
    const RationalVector rows(shards.begin(), shards.end());
    fields["weighted_mean"] = list_of(must(allreduce_weighted_mean(gradients, rows)));
  }
  return fields;
}

inline Answer shard_rows(const Json& in) {
  const Result<std::vector<int>> shards = equal_shards(in.at("rows"), in.at("devices"));
  return shards.ok() ? list_of(shards.value()) : Answer("ValueError");
}

inline Answer token_mean_loss_op(const Json& in) {
  return Fields{{"correct", must(token_mean_loss(exact_list(in.at("losses_sum")),
                                                 exact_list(in.at("tokens"))))}};
}

inline Answer allreduce_mean_op(const Json& in) {
  std::vector<RationalVector> gradients;
  for (const Json& gradient : in.at("grads")) gradients.push_back(exact_list(gradient));
  return list_of(must(allreduce_mean(gradients)));
}

inline Answer double_division(const Json& in) {
  std::vector<RationalVector> gradients;
  for (const Json& gradient : in.at("per_rank_grads")) gradients.push_back({exact(gradient)});
  return Fields{{"correct", must(allreduce_mean(gradients)).front()}};
}

inline Answer accumulation_sum_ratio(const Json& in) {
  const Json& configs = in.at("configs");  // [micro batch, accumulation] each
  return must(compute("accumulation_sum_ratio", {{"accum", exact(configs.at(1).at(1))},
                                                 {"accum_before", exact(configs.at(0).at(1))}}));
}

// --- collectives and memory ---

inline Answer whole_numbers(const std::vector<double>& vector) {
  return list_of(std::vector<std::int64_t>(vector.begin(), vector.end()));
}

inline Answer ring_steps(const Json& in) {
  const auto vectors = in.at("vectors").get<std::vector<std::vector<double>>>();
  Program program{.name = "ring"};
  std::vector<int> group;
  for (int rank = 0; rank < in.at("N").get<int>(); ++rank) group.push_back(rank);
  program.devices.resize(group.size());
  find_collective("ring_all_reduce").value().append(program, group, kDeviceGradient);

  std::vector<Answer> steps;
  std::int64_t messages = 0;
  std::int64_t elements_sent = 0;
  std::int64_t step = 0;
  bool adding = true;
  const std::vector<CollectiveRound> rounds = must(play_collective(program, vectors));
  for (const CollectiveRound& round : rounds) {
    if (round.adds != adding) step = 0;
    adding = round.adds;
    std::vector<Answer> sends;
    for (const SentPart& send : round.sends) {
      sends.push_back(Fields{{"src", send.from}, {"dst", send.to}, {"chunk", send.part.chunk}});
      ++messages;
      if (send.from == 0) elements_sent += send.elements;
    }
    std::vector<Answer> buffers;
    for (const std::vector<double>& vector : round.vectors)
      buffers.push_back(whole_numbers(vector));
    steps.push_back(Fields{{"phase", adding ? "reduce_scatter" : "all_gather"},
                           {"step", step++},
                           {"sends", sends},
                           {"buffers", buffers}});
  }
  return Fields{{"steps", steps},
                {"result", whole_numbers(rounds.back().vectors.front())},
                {"messages", messages},
                {"elements_sent_per_rank", elements_sent}};
}

inline Answer replicas(const Json& in) {  // billions of parameters give GB
  const Rational state =
      must(compute("model_state", {{"params", exact(in.at("params_B"))},
                                   {"bytes_per_param", exact(in.at("bytes_per_param"))}}));
  return Fields{{"per_device_GB", state}, {"fits", state <= exact(in.at("hbm_GB"))}};
}

// --- tensor parallelism ---

using Rows = std::vector<std::vector<double>>;

inline Matrix<double> matrix_of(const Json& json) {
  const Rows rows = json.get<Rows>();
  Matrix<double> matrix(static_cast<int>(rows.size()), static_cast<int>(rows.front().size()));
  matrix.values.clear();
  for (const std::vector<double>& row : rows) {
    matrix.values.insert(matrix.values.end(), row.begin(), row.end());
  }
  return matrix;
}

inline Answer rows_of(const Matrix<double>& matrix) {
  std::vector<Answer> rows;
  for (int row = 0; row < matrix.rows; ++row) {
    rows.push_back(whole_numbers({matrix.row(row).begin(), matrix.row(row).end()}));
  }
  return rows;
}

inline Matrix<double> times(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> product(a.rows, b.columns);
  add_matmul<double>(a, b, product);
  return product;
}

inline Matrix<double> row_part(const Matrix<double>& matrix, int part, int parts) {
  const ElementRange range = chunk_range(matrix.rows, part, parts);
  return copy_rows(matrix, static_cast<int>(range.first), static_cast<int>(range.count));
}

inline Matrix<double> column_part(const Matrix<double>& matrix, int part, int parts) {
  return transpose<double>(row_part(transpose<double>(matrix), part, parts));
}

inline Answer mlp_columns_rows(const Json& in) {
  const Matrix<double> x = matrix_of(in.at("X"));
  const Matrix<double> a = matrix_of(in.at("A"));
  const Matrix<double> b = matrix_of(in.at("B"));
  const int ways = in.at("ways");
  std::vector<Answer> shards;
  std::vector<Answer> partial;
  Matrix<double> sum(x.rows, b.columns);
  for (int shard = 0; shard < ways; ++shard) {
    const Matrix<double> hidden = times(x, column_part(a, shard, ways));
    const Matrix<double> b_rows = row_part(b, shard, ways);
    shards.push_back(rows_of(hidden));
    partial.push_back(rows_of(times(hidden, b_rows)));
    add_matmul<double>(hidden, b_rows, sum);
  }
  return Fields{{"H_shards", shards},
                {"Y_partial", partial},
                {"Y", rows_of(sum)},
                {"collective", "all-reduce(sum) of Y_partial"}};
}

inline Answer mlp_rows_first(const Json& in) {
  const Matrix<double> x = matrix_of(in.at("X"));
  const Matrix<double> a = matrix_of(in.at("A"));
  const int ways = in.at("ways");
  Matrix<double> correct = times(x, a);
  Matrix<double> wrong(x.rows, a.columns);
  for (int shard = 0; shard < ways; ++shard) {
    Matrix<double> partial = times(column_part(x, shard, ways), row_part(a, shard, ways));
    relu_forward<double>(partial);
    std::ranges::transform(wrong.values, partial.values, wrong.values.begin(), std::plus<>());
  }
  relu_forward<double>(correct);
  return Fields{{"correct", rows_of(correct)}, {"wrong", rows_of(wrong)}};
}

// --- sizing by hand ---

inline Answer parameters_glu(const Json& in) {
  const auto number = [&](const char* name) { return exact(in.at(name)); };
  const Rational inner = in.contains("F_over_D") ? number("F_over_D") * number("D") : number("F");
  const Rational ffn =
      must(compute("glu_ffn_parameters",
                   {{"layers", number("L")}, {"model_width", number("D")}, {"ffn_width", inner}}));
  const Rational attention = must(compute("attention_parameters", {{"layers", number("L")},
                                                                   {"model_width", number("D")},
                                                                   {"head_size", number("H")},
                                                                   {"heads", number("N")},
                                                                   {"kv_heads", number("K")}}));
  const Rational vocabulary = must(
      compute("embedding_parameters", {{"vocabulary", number("V")}, {"model_width", number("D")}}));
  return Fields{{"ffw", ffn},
                {"attn", attention},
                {"vocab", vocabulary},
                {"total", ffn + attention + vocabulary}};
}

inline Answer checkpoint_memory(const Json& in) {
  const auto state = [&](int bytes) {
    return must(
        compute("model_state", {{"params", exact(in.at("params"))}, {"bytes_per_param", bytes}}));
  };
  const Rational kept = must(compute("checkpoint_bytes", {{"model_width", exact(in.at("D"))},
                                                          {"tokens", exact(in.at("B"))},
                                                          {"layers", exact(in.at("L"))},
                                                          {"checkpoints", exact(in.at("ckpt"))}}));
  return Fields{{"params", state(2)},
                {"opt", state(8)},
                {"ckpt", kept},
                {"total", state(2) + state(8) + kept}};
}

inline Rational array_time(const char* form, const Json& in, const Rational& shards) {
  const Rational seconds = must(compute(form, {{"rows", exact(in.at("B"))},
                                               {"columns", exact(in.at("D"))},
                                               {"bandwidth", exact(in.at("W"))},
                                               {"shards", shards}}));
  return seconds * Rational(1'000'000);
}

inline Answer allgather_us(const Json& in) {
  return array_time("array_all_gather_time", in, exact(in.value("Y", Json(1))));
}

inline Answer allreduce_us(const Json& in) {
  return Fields{{"as_printed", array_time("array_all_reduce_time", in, 1)},
                {"array_sharded_XY_16",
                 array_time("array_all_reduce_time", in, exact(in.at("sharded_ways")))}};
}

inline Answer weight_read_ms(const Json& in) {
  const Rational seconds = must(compute("weight_read_time", {{"params", exact(in.at("params"))},
                                                             {"chips", exact(in.at("chips"))},
                                                             {"bandwidth", exact(in.at("bw"))}}));
  return seconds * Rational(1000);
}

/// "I_XY,J": the axes behind the underscores split, the others copy.
inline Answer shard_bytes(const Json& in) {
  Rational bytes = exact(in.at("bytes"));
  for (const Json& extent : in.at("shape")) bytes *= exact(extent);
  const std::string sharding = in.at("sharding");
  Rational shards = 1;
  Rational copies = 1;
  for (const auto& [axis, size] : in.at("mesh").items()) {
    (sharding.find(axis) != std::string::npos ? shards : copies) *= exact(size);
  }
  const std::vector<NamedValue> values = {{"bytes", bytes}, {"shards", shards}, {"copies", copies}};
  return Fields{{"per_device", must(compute("shard_bytes", values))},
                {"total", must(compute("sharded_total_bytes", values))}};
}

struct PuzzleRow {
  const char* puzzle;  ///< as its name ends
  const char* form;
  const char* parameters;
};

inline constexpr PuzzleRow kPuzzles[] = {
    {"standard", "puzzle_standard_time", "layers batches update"},
    {"accumulation", "puzzle_standard_time", "layers batches update"},
    {"DDP", "puzzle_data_parallel_time", "layers batches devices update collective"},
    {"FSDP", "puzzle_fully_sharded_time", "layers batches devices update collective"},
    {"weight-sharded", "puzzle_fully_sharded_time", "layers batches devices update collective"},
    {"naive pipeline", "puzzle_pipeline_time", "layers batches devices update p2p"},
    {"GPipe", "puzzle_gpipe_time", "layers batches devices update p2p"},
};

inline Answer puzzle(const Json& in) {
  const std::string name = in.at("puzzle");
  const Json& cost = in.at("cost");
  const std::map<std::string, Rational> known = {
      {"layers", exact(in.at("layers"))},           {"batches", exact(in.at("batches"))},
      {"devices", exact(in.at("ranks"))},           {"update", exact(cost.at("update"))},
      {"collective", exact(cost.at("collective"))}, {"p2p", exact(cost.at("p2p_each_side"))}};
  for (const PuzzleRow& row : kPuzzles) {
    if (!name.ends_with(std::string(" ") + row.puzzle)) continue;
    std::vector<NamedValue> values;
    std::istringstream words{std::string(row.parameters)};
    for (std::string word; words >> word;) values.push_back({word, known.at(word)});
    const Rational end = must(compute(row.form, values));
    return Fields{{"reference_end_time", end},
                  {"printed_timesteps", end - exact(cost.at("update"))}};
  }
  throw std::runtime_error("unknown puzzle " + name);
}

// --- schedules ---

struct Timed {
  Schedule schedule;
  Program program;
  Timeline simulation;

  Answer time(Ticks ticks) const { return simulation.time(ticks); }
};

inline Timed timed(const Json& in, const Durations& durations) {
  const ScheduleShape shape = {in.at("p"), in.value("chunks_per_rank", 1), in.at("m")};
  Timed result;
  result.schedule = must(make_schedule(in.value("schedule", "GPipe"), shape));
  result.program = lower(result.schedule);
  result.simulation = must(simulate(result.program, durations));
  return result;
}

inline Answer schedule_grid(const Json& in) {
  const StageTimes times = {exact(in.at("tF_chunk")), exact(in.at("tI_chunk")),
                            exact(in.at("tW_chunk"))};
  const Timed run = timed(in, {.stages = {times}, .link = {.latency = exact(in.at("comm"))}});
  std::map<std::string, std::vector<Answer>> lists;
  for (std::size_t rank = 0; rank < run.program.devices.size(); ++rank) {
    const std::vector<std::string> row = cell_texts(run.schedule.ranks[rank]);
    std::vector<Answer> spans;
    auto action = run.schedule.ranks[rank].begin();
    const std::vector<Instruction>& list = run.program.devices[rank].instructions;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!is_stage_work(list[i].op)) continue;
      const Ticks start = run.simulation.spans[rank][i].start;
      if ((action++)->overlaps_next) ++i, ++action;
      spans.emplace_back(std::vector<Answer>{row[spans.size()], run.time(start),
                                             run.time(run.simulation.spans[rank][i].end)});
    }
    const DeviceTimes& device = run.simulation.devices[rank];
    lists["grid"].push_back(list_of(row));
    lists["timeline"].emplace_back(spans);
    lists["busy_per_rank"].push_back(run.time(device.busy));
    lists["span_per_rank"].push_back(run.time(device.last_end - device.first_start));
    lists["peak_chunks_until_weight_grad"].emplace_back(device.peak_until_weight_gradient);
    lists["peak_chunks_until_input_grad"].emplace_back(device.peak_until_input_gradient);
  }
  const Bubbles idle = bubbles(run.simulation).value();
  Fields fields = {{"makespan", run.time(run.simulation.makespan)},
                   {"bubble_over_total", idle.of_total},
                   {"bubble_over_ideal", idle.of_ideal},
                   {"bubble_span", idle.in_span}};
  for (const auto& [name, list] : lists) fields[name] = list;
  return fields;
}

/// The durations of a case with either tI and tW or the whole tB.
inline Durations durations_of(const Json& in) {
  Durations durations;
  durations.stages = {{exact(in.at("tF")), exact(in.at(in.contains("tB") ? "tB" : "tI")),
                       exact(in.value("tW", Json(0)))}};
  durations.link.latency = exact(in.value("p2p_latency", Json(0)));
  return durations;
}

inline Answer schedule_makespan(const Json& in) {
  const Durations durations = durations_of(in);
  const StageTimes& times = durations.stages.front();
  const Timed run = timed(in, durations);
  const Ticks busy = run.simulation.devices.front().busy;
  const bool zero_bubble = in.at("schedule") == "ZB-H1";
  std::vector<NamedValue> values = {{"stages", exact(in.at("p"))}, {"forward", times.forward}};
  if (zero_bubble) {
    values.push_back({"backward_input", times.backward_input});
    values.push_back({"backward_weight", times.backward_weight});
  } else {
    values.push_back(
        {"backward", must(compute("full_backward", {{"backward_input", times.backward_input},
                                                    {"backward_weight", times.backward_weight}}))});
  }
  return Fields{
      {"makespan", run.time(run.simulation.makespan)},
      {"ideal", run.time(busy)},
      {"bubble", run.time(run.simulation.makespan - busy)},
      {"formula_bubble",
       must(compute(zero_bubble ? "zb_h1_bubble_time" : "pipeline_bubble_time", values))}};
}

/// Forwards alone: GPipe whose backwards take no time.
inline Answer forward_slots(const Json& in) {
  const Timed run = timed(in, {.stages = {{exact(in.at("tF")), 0, 0}}});
  Ticks idle = 0;
  Ticks cells = 0;
  for (const DeviceTimes& device : run.simulation.devices) {
    idle += run.simulation.makespan - device.busy;
    cells += run.simulation.makespan;
  }
  return Fields{{"slots", run.time(run.simulation.makespan)},
                {"idle_cells", run.time(idle)},
                {"cells", run.time(cells)}};
}

inline Answer gpipe_uneven(const Json& in) {
  const auto makespan = [&](const Rational& backward_multiple) {
    Durations durations{.stages = {}};
    for (const Json& forward : in.at("stage_fwd")) {
      durations.stages.push_back({exact(forward), exact(forward) * backward_multiple, 0});
    }
    const ScheduleShape shape = {static_cast<int>(durations.stages.size()), 1, in.at("m")};
    const Program program = lower(must(make_schedule("gpipe", shape)));
    const Timeline simulation = must(simulate(program, durations));
    return simulation.time(simulation.makespan);
  };
  return Fields{{"forward_makespan", makespan(0)},
                {"full_makespan_gpipe", makespan(exact(in.at("backward_multiple")))}};
}

inline Answer sync_point(const Json& in) {
  const Schedule schedule =
      must(make_schedule(in.value("schedule", ""), {in.at("p"), 1, in.at("m")}));
  Fields fields;
  for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
    fields["rank" + std::to_string(rank) + "_sync_after"] = to_text(schedule.ranks[rank].back());
  }
  return fields;
}

/// A grid with stage s on rank s.
inline Answer validate_grid(const Json& in) {
  std::string text;
  for (const Json& row : in.at("grid")) {
    text += "rank " + std::to_string(std::ranges::count(text, '\n')) + ":";
    for (const Json& action : row) text += " " + action.get<std::string>();
    text += "\n";
  }
  const Result<Schedule> read = read_schedule(text);
  if (!read.ok()) return Fields{{"valid", false}};
  Schedule schedule = read.value();
  schedule.microbatches = in.at("m");
  schedule.stage_rank.clear();
  for (int stage = 0; stage < in.at("p").get<int>(); ++stage) {
    schedule.stage_rank.push_back(stage);
  }
  return Fields{{"valid", validate_schedule(schedule, {.backward = true}).empty()}};
}

inline Answer parse_action(const Json& in) {
  const std::string token = in.at("token");
  const std::vector<CommunicationAction> cell =
      must(read_token({.text = token, .line = 1, .column = 1}));
  if (cell.empty()) return Fields{{"op", Answer()}};
  const auto answer = [](const CommunicationAction& action) {
    Fields fields = {{"stage", action.stage}, {"op", std::string(token_word(action.kind))}};
    fields["mb"] = is_of_weights(action.kind) ? Answer() : Answer(action.microbatch);
    return fields;
  };
  if (cell.size() == 1) return answer(cell[0]);
  return Fields{{"op", "OVERLAP_F_B"},
                {"sub", list_of(std::vector{answer(cell[0]), answer(cell[1])})}};
}

struct OpRow {
  std::string_view topic;
  std::string_view op;
  Answer (*answer)(const Json& inputs);
};
inline constexpr OpRow kOpRows[] = {
    {"gradients", "shard_gradients", shard_gradients_op},
    {"gradients", "shard_rows", shard_rows},
    {"gradients", "token_mean_loss", token_mean_loss_op},
    {"gradients", "allreduce_mean", allreduce_mean_op},
    {"gradients", "double_division", double_division},
    {"gradients", "accumulation_sum_ratio", accumulation_sum_ratio},
    {"collectives-grid", "ring_steps", ring_steps},
    {"zero", "replicas", replicas},
    {"tensor-parallel", "mlp_columns_rows", mlp_columns_rows},
    {"tensor-parallel", "mlp_rows_first", mlp_rows_first},
    {"scaling-book", "parameters_glu", parameters_glu},
    {"scaling-book", "checkpoint_memory", checkpoint_memory},
    {"scaling-book", "allgather_us", allgather_us},
    {"scaling-book", "allreduce_us", allreduce_us},
    {"scaling-book", "weight_read_ms", weight_read_ms},
    {"scaling-book", "shard_bytes", shard_bytes},
    {"srush-puzzle", "puzzle", puzzle},
    {"pipeline-bubble", "gpipe_uneven", gpipe_uneven},
    {"pipeline-comm", "sync_point", sync_point},
    {"schedule-grid", "schedule_grid", schedule_grid},
    {"schedule-time", "schedule_makespan", schedule_makespan},
    {"schedule-time", "forward_slots", forward_slots},
    {"schedule-validation", "validate", validate_grid},
    {"csv-format", "parse_action", parse_action},
};

}  // namespace lockstep::drivers
