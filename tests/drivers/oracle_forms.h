// Cases that are one or a few closed forms: which form, and which input is which parameter.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cost/compute.h"
#include "drivers/answer.h"

namespace lockstep::drivers {

/// A field of an op's answer. A field "" is the whole answer; one that begins with '.' is only for
/// later rows of the op, which can use every field before them as an input.
/// `parameters`, split at blanks: "devices=N" is the parameter devices from the input N, "seq" from
/// the input of the same name, "tp?" one that may be missing, "causal:1" a constant. Of several
/// rows for one field the first counts whose inputs are all there.
struct FormRow {
  std::string_view topic;
  std::string_view op;  ///< with the case's selector behind it, where the op has one
  std::string_view field;
  std::string_view form;
  std::string_view parameters;
};

/// Ops whose case is told by one more input, a text.
struct Selector {
  std::string_view op;
  const char* input;
};
inline constexpr std::array kSelectors = {Selector{"allreduce_cost", "algorithm"},
                                          Selector{"collective_time", "op"},
                                          Selector{"bus_bandwidth", "op"},
                                          Selector{"first_stage_activations", "mode"},
                                          Selector{"speedup", "mode"},
                                          Selector{"efficiency", "mode"}};

inline constexpr FormRow kFormRows[] = {
    {"data-parallel", "tokens_per_update", "", "tokens_per_update",
     "micro_batch seq accum world tp? pp? cp?"},
    {"data-parallel", "tokens_per_update", "", "global_tokens",
     "per_device_batch seq accum devices"},
    {"data-parallel", "accumulation_steps", "", "accumulation_steps",
     "global_batch micro_batch world tp? pp? cp?"},
    {"data-parallel", "optimizer_steps", "", "optimizer_steps", "total_tokens tokens_per_update"},
    {"data-parallel", "updates_per_epoch", "updates_per_epoch", "updates_per_epoch",
     "dataset train_batch"},
    {"data-parallel", "updates_per_epoch", "micro_batch_if_accum1", "per_device_batch",
     "train_batch devices"},

    {"speedup", "speedup", "", "speedup", "t_single t_compute t_comm overlap?"},
    {"speedup", "speedup full overlap", "", "speedup_full_overlap", "t_single t_compute t_comm"},
    {"speedup", "efficiency", ".speedup", "speedup", "t_single t_compute t_comm overlap?"},
    {"speedup", "efficiency", "", "efficiency", "speedup=.speedup devices"},
    {"speedup", "efficiency full overlap", ".speedup", "speedup_full_overlap",
     "t_single t_compute t_comm"},
    {"speedup", "efficiency full overlap", "", "efficiency", "speedup=.speedup devices"},
    {"speedup", "amdahl", "", "amdahl", "parallel_fraction devices=N"},
    {"speedup", "gustafson", "", "gustafson", "parallel_fraction devices=N"},
    {"speedup", "karp_flatt", "", "karp_flatt", "speedup devices=N"},

    {"gradients", "linear_lr", "", "linear_lr", "base_lr per_rank_batch ranks lr_base_for"},

    {"collectives", "allreduce_cost ring", "steps", "ring_all_reduce_steps", "devices=N"},
    {"collectives", "allreduce_cost ring", "bytes_sent_per_device", "ring_all_reduce_bytes",
     "devices=N bytes"},
    {"collectives", "allreduce_cost ring", "time", "ring_all_reduce_time",
     "devices=N bytes latency=alpha bandwidth=bw"},
    {"collectives", "allreduce_cost recursive doubling", "steps", "recursive_doubling_steps",
     "devices=N"},
    {"collectives", "allreduce_cost recursive doubling", "bytes_sent_per_device",
     "recursive_doubling_bytes", "devices=N bytes"},
    {"collectives", "allreduce_cost recursive doubling", "time", "recursive_doubling_time",
     "devices=N bytes latency=alpha bandwidth=bw"},
    {"collectives", "allreduce_cost rabenseifner", "steps", "rabenseifner_steps", "devices=N"},
    {"collectives", "allreduce_cost rabenseifner", "bytes_sent_per_device", "rabenseifner_bytes",
     "devices=N bytes"},
    {"collectives", "allreduce_cost rabenseifner", "time", "rabenseifner_time",
     "devices=N bytes latency=alpha bandwidth=bw"},
    {"collectives", "allreduce_cost binomial reduce + binomial broadcast", "steps",
     "tree_all_reduce_steps", "devices=N"},
    {"collectives", "allreduce_cost binomial reduce + binomial broadcast", "time",
     "tree_all_reduce_time", "devices=N bytes latency=alpha bandwidth=bw"},
    {"collectives", "allreduce_cost all send to one, it sends back (server link serial)", "",
     "central_all_reduce_time", "devices=N bytes latency:0 bandwidth=bw"},
    {"collectives", "collective_time reduce_scatter", "", "reduce_scatter_time",
     "devices=N bytes latency=alpha bandwidth=bw"},
    {"collectives", "collective_time all_gather", "", "all_gather_time",
     "devices=N bytes latency=alpha bandwidth=bw"},
    {"collectives", "collective_time all_to_all_pairwise", "", "all_to_all_time",
     "devices=N bytes latency=alpha bandwidth=bw"},
    {"collectives", "collective_time broadcast_binomial", "", "broadcast_time",
     "devices=N bytes latency=alpha bandwidth=bw"},
    {"collectives", "collective_time broadcast_scatter_allgather", "",
     "broadcast_scatter_all_gather_time", "devices=N bytes latency=alpha bandwidth=bw"},
    {"collectives", "bus_bandwidth all_reduce", "factor", "all_reduce_bus_factor", "devices=N"},
    {"collectives", "bus_bandwidth reduce_scatter", "factor", "reduce_scatter_bus_factor",
     "devices=N"},
    {"collectives", "bus_bandwidth all_gather", "factor", "all_gather_bus_factor", "devices=N"},
    {"collectives", "bus_bandwidth all_to_all", "factor", "all_to_all_bus_factor", "devices=N"},
    {"collectives", "bus_bandwidth broadcast", "factor", "broadcast_bus_factor", "devices=N"},
    {"collectives", "bus_bandwidth reduce", "factor", "reduce_bus_factor", "devices=N"},
    {"collectives", "bus_bandwidth all_reduce_in_network", "factor",
     "all_reduce_in_network_bus_factor", "devices=N"},
    {"collectives", "bus_bandwidth *", "algbw", "algorithm_bandwidth", "bytes time"},
    {"collectives", "bus_bandwidth *", "busbw", "bus_bandwidth", "bytes time factor"},
    {"collectives", "message_count", "messages_unbucketed", "ring_all_reduce_messages",
     "devices=N collectives=collectives_unbucketed"},
    {"collectives", "message_count", "messages_bucketed", "ring_all_reduce_messages",
     "devices=N collectives=collectives_bucketed"},
    {"collectives", "crossover_bytes", "", "ring_or_doubling_crossover",
     "devices=N latency=alpha bandwidth=bw"},
    {"collectives", "ring_bytes_limit", "", "ring_all_reduce_bytes_limit", "bytes:1"},

    {"pipeline-bubble", "bubble", "bubble_over_total", "pipeline_bubble",
     "stages=p microbatches=m chunks=v?"},
    {"pipeline-bubble", "bubble", "bubble_over_ideal", "pipeline_bubble_of_ideal",
     "stages=p microbatches=m chunks=v?"},
    {"pipeline-bubble", "bubble", "utilisation", "pipeline_utilisation",
     "stages=p microbatches=m chunks=v?"},
    {"pipeline-bubble", "min_microbatches", "", "min_microbatches",
     "stages=p bubble=max_bubble_over_total"},
    {"pipeline-bubble", "microbatches_from_batch", "", "microbatches_from_batch",
     "global_batch devices=dp micro_batch"},
    {"pipeline-bubble", "zero_bubble_closed", ".tB", "full_backward",
     "backward_input=tB_input backward_weight=tW"},
    {"pipeline-bubble", "zero_bubble_closed", "1F1B", "pipeline_bubble_time",
     "stages=p forward=tF backward=.tB"},
    {"pipeline-bubble", "zero_bubble_closed", "ZB-H1", "zb_h1_bubble_time",
     "stages=p forward=tF backward_input=tB_input backward_weight=tW"},
    {"pipeline-bubble", "zero_bubble_closed", "ZB-H2", "zb_h2_bubble_time",
     "stages=p forward=tF backward_input=tB_input backward_weight=tW"},
    {"pipeline-bubble", "zero_bubble_closed", "peak_act_1F1B", "one_f_one_b_in_flight",
     "stages=p microbatches=p"},
    {"pipeline-bubble", "zero_bubble_closed", "peak_act_ZB-H1", "zb_h1_in_flight", "stages=p"},
    {"pipeline-bubble", "zero_bubble_closed", "peak_act_ZB-H2", "zb_h2_in_flight", "stages=p"},
    {"pipeline-bubble", "dualpipe_closed", "1F1B", "pipeline_bubble_time",
     "stages=PP forward=F backward=B_full"},
    {"pipeline-bubble", "dualpipe_closed", "ZB1P", "zb1p_bubble_time",
     "stages=PP forward=F backward=B_full backward_weight=W"},
    {"pipeline-bubble", "dualpipe_closed", "DualPipe", "dualpipe_bubble_time",
     "stages=PP forward_backward=FB backward=B_full backward_weight=W"},
    {"pipeline-bubble", "dualpipe_closed", "act_DualPipe", "dualpipe_in_flight", "stages=PP"},
    {"pipeline-bubble", "dualpipe_closed", "params_x", "dualpipe_parameter_copies", ""},
    {"pipeline-bubble", "zero_bubble_two_B", ".B_full", "full_backward",
     "backward_input=B_input backward_weight=W"},
    {"pipeline-bubble", "zero_bubble_two_B", "paper_formula", "zb_h1_bubble_time",
     "stages=PP forward=F backward_input=B_input backward_weight=W"},
    {"pipeline-bubble", "zero_bubble_two_B", "readme_formula_with_full_B", "zb1p_bubble_time",
     "stages=PP forward=F backward=.B_full backward_weight=W"},

    {"pipeline-comm", "p2p_bytes", "per_message", "boundary_message_bytes",
     "micro_batch=b seq=s hidden=h element_bytes=bytes"},
    {"pipeline-comm", "interleaved_boundaries", "boundaries", "pipeline_boundaries",
     "stages=p chunks=v"},
    {"pipeline-comm", "interleaved_boundaries", "ratio_to_v1", "pipeline_boundaries_ratio",
     "stages=p chunks=v"},

    // billions of parameters give GB
    {"zero", "zero_state", "baseline", "zero_0_state",
     "params=params_B devices=Nd param_bytes=bytes_param grad_bytes=bytes_grad optimizer_bytes=K"},
    {"zero", "zero_state", "Pos", "zero_1_state",
     "params=params_B devices=Nd param_bytes=bytes_param grad_bytes=bytes_grad optimizer_bytes=K"},
    {"zero", "zero_state", "Posg", "zero_2_state",
     "params=params_B devices=Nd param_bytes=bytes_param grad_bytes=bytes_grad optimizer_bytes=K"},
    {"zero", "zero_state", "Posgp", "zero_3_state",
     "params=params_B devices=Nd param_bytes=bytes_param grad_bytes=bytes_grad optimizer_bytes=K"},
    {"zero", "zero_traffic", "elements_per_device", "zero_traffic", "stage params"},
    {"zero", "zero_traffic", "bytes", "zero_traffic_bytes", "stage params param_bytes=bytes_param"},
    {"zero", "zero_traffic", "ratio_to_dp", "zero_traffic_ratio", "stage"},
    {"zero", "zero1_waste", "wasteful_elements", "all_reduce_then_all_gather", "params"},
    {"zero", "zero1_waste", "paper_elements", "zero_traffic", "stage:1 params"},
    {"zero", "zero1_waste", "ratio", "all_reduce_then_all_gather_ratio", ""},
    {"zero", "zero3_traffic", "bytes_per_device", "zero_3_traffic_bytes",
     "params devices=N param_bytes=bytes"},
    {"zero", "deepspeed_zero2", ".bytes", "deepspeed_zero2", "params devices=gpus offload?"},
    {"zero", "deepspeed_zero2", "", "bytes_to_gib", "bytes=.bytes"},
    {"zero", "deepspeed_zero3", ".all", "deepspeed_zero3", "params largest_layer devices=gpus"},
    {"zero", "deepspeed_zero3", ".none", "deepspeed_zero3",
     "params largest_layer devices=gpus offload_optimizer:1 offload_params:1"},
    {"zero", "deepspeed_zero3", ".params", "deepspeed_zero3",
     "params largest_layer devices=gpus offload_optimizer:1"},
    {"zero", "deepspeed_zero3", "case1", "bytes_to_mib", "bytes=.all"},
    {"zero", "deepspeed_zero3", "case2", "bytes_to_mib", "bytes=.none"},
    {"zero", "deepspeed_zero3", "case3", "bytes_to_mib", "bytes=.params"},
    {"zero", "bytes_per_parameter", "", "bytes_per_parameter",
     "weights gradients=grads_fp32 master momentum=m variance=v"},
    {"zero", "largest_model", "", "largest_model", "memory=hbm bytes_per_param devices=N?"},
    {"zero", "zero_gradient_bytes", "correct_grad_bytes", "model_parallel_gradient",
     "params grad_bytes tp pp"},
    {"zero", "zero_parameter_bytes", "", "zero_3_parameters", "params param_bytes=bytes world"},

    {"compute", "training_flops", "", "training_flops", "params=N tokens=D full_recompute?"},
    {"compute", "training_days", "", "training_days",
     "tokens params devices=gpus flops_per_device=flops_per_gpu"},
    {"compute", "training_days_mfu", "", "training_days_mfu", "flops devices=chips peak mfu"},
    {"compute", "training_years", "", "training_years", "flops devices=chips peak"},
    {"compute", "token_ms", "", "token_ms", "params peak"},
    {"compute", "attention_flops", "full", "attention_flops", "layers=L hidden=h seq=s"},
    {"compute", "attention_flops", "causal_half", "attention_flops",
     "layers=L hidden=h seq=s causal:1"},
    {"compute", "flops_per_token", "", "flops_per_token", "params=N layers=L hidden=h seq=s"},
    {"compute", "mfu_palm", "", "mfu_palm",
     "tokens_per_s params=N layers=L hidden=h seq=s devices=chips peak"},
    {"compute", "mfu_megatron", "", "mfu_megatron",
     "batch=B layers=L hidden=h seq=s vocabulary=V devices=gpus peak step_time=iter_s"},
    {"compute", "mfu_gpu_hours", "", "mfu_device_hours",
     "params=active_params tokens device_hours=h800_hours peak=fp8_peak"},
    {"compute", "relative_gain", "", "relative_gain", "before=full_s after=seqsel_s"},
    {"compute", "step_time", "", "step_time", "forward=fwd backward=bwd comm overlap"},
    {"compute", "step_time", "", "step_time_full_overlap", "forward=fwd backward=bwd comm"},
    {"compute", "backward_time", "bwd_s", "backward_time", "forward=fwd_s"},
    {"compute", "backward_time", "total", "pass_time", "forward=fwd_s"},

    {"activation-memory", "first_stage_activations tensor-parallel", ".bytes",
     "first_stage_activations",
     "seq=s micro_batch=b hidden=h heads=a tp=t layers=L stages=p chunks=v"},
    {"activation-memory", "first_stage_activations *", ".bytes",
     "first_stage_activations_sp_selective",
     "seq=s micro_batch=b hidden=h heads=a tp=t layers=L stages=p chunks=v"},
    {"activation-memory", "first_stage_activations *", "", "bytes_to_gib", "bytes=.bytes"},
    {"activation-memory", "layer_activations", ".none1", "layer_activations",
     "seq=s micro_batch=b hidden=h heads=a"},
    {"activation-memory", "layer_activations", "none1", "bytes_to_mib", "bytes=.none1"},
    {"activation-memory", "layer_activations", ".tp", "layer_activations",
     "seq=s micro_batch=b hidden=h heads=a tp=t"},
    {"activation-memory", "layer_activations", "tp", "bytes_to_mib", "bytes=.tp"},
    {"activation-memory", "layer_activations", ".tpsp", "layer_activations_sp",
     "seq=s micro_batch=b hidden=h heads=a tp=t"},
    {"activation-memory", "layer_activations", "tpsp", "bytes_to_mib", "bytes=.tpsp"},
    {"activation-memory", "layer_activations", ".tp_sel", "layer_activations_selective",
     "seq=s micro_batch=b hidden=h heads=a tp=t"},
    {"activation-memory", "layer_activations", "tp_sel", "bytes_to_mib", "bytes=.tp_sel"},
    {"activation-memory", "layer_activations", ".tpsp_sel", "layer_activations_sp_selective",
     "seq=s micro_batch=b hidden=h heads=a tp=t"},
    {"activation-memory", "layer_activations", "tpsp_sel", "bytes_to_mib", "bytes=.tpsp_sel"},
    {"activation-memory", "layer_activations", ".full", "layer_activations_full",
     "seq=s micro_batch=b hidden=h heads=a tp=t"},
    {"activation-memory", "layer_activations", "full", "bytes_to_mib", "bytes=.full"},
    {"activation-memory", "layer_activations", ".full_sp", "layer_activations_sp_full",
     "seq=s micro_batch=b hidden=h heads=a tp=t"},
    {"activation-memory", "layer_activations", "full_sp", "bytes_to_mib", "bytes=.full_sp"},
    {"activation-memory", "state_memory", ".bytes", "layer_state",
     "layers=L hidden=h tp=t pp=p bytes_per_param"},
    {"activation-memory", "state_memory", "", "bytes_to_gib", "bytes=.bytes"},
    {"activation-memory", "attention_share", "five_as_over_h", "attention_scores_factor",
     "seq=s hidden=h heads=a"},
    {"activation-memory", "attention_share", "share", "attention_scores_share",
     "seq=s hidden=h heads=a"},
    {"activation-memory", "interleave_factor", "", "interleave_factor", "stages=p chunks=v"},
    {"activation-memory", "in_flight", "gpipe", "gpipe_in_flight", "microbatches=m"},
    {"activation-memory", "in_flight", "f1b1", "one_f_one_b_in_flight", "stages=p microbatches=m"},

    {"tensor-parallel", "layer_traffic", "allreduces_fwd", "tensor_all_reduces", ""},
    {"tensor-parallel", "layer_traffic", "allreduces_bwd", "tensor_all_reduces", ""},
    {"tensor-parallel", "layer_traffic", "bytes_per_allreduce", "tensor_all_reduce_bytes",
     "micro_batch=b seq=s hidden=h element_bytes=bytes_per_el"},
    {"tensor-parallel", "layer_traffic", "ring_bytes_per_device_fwd_bwd", "tensor_traffic",
     "micro_batch=b seq=s hidden=h tp=t element_bytes=bytes_per_el"},

    {"scaling-book", "parameters_16B", "", "glu_model_parameters",
     "layers=L model_width=D ffn_width=F vocabulary=V"},
    {"scaling-book", "activation_bytes", ".F", "over_all_chips", "chips=D per_chip=F_over_D"},
    {"scaling-book", "activation_bytes", "", "glu_activation_bytes",
     "layers=L tokens=B model_width=D ffn_width=.F"},
    {"scaling-book", "activation_bytes", "", "glu_activation_bytes",
     "layers=L tokens=B model_width=D ffn_width=F"},
    {"scaling-book", "checkpoint_bytes", "", "checkpoint_bytes",
     "model_width=D tokens=B layers=L checkpoints=ckpt"},
    {"scaling-book", "sequences", "", "share", "total=tokens parts=seq"},
    {"scaling-book", "tokens_per_chip", "", "share", "total=tokens parts=chips"},
    {"scaling-book", "ratio", "", "arithmetic_intensity", "peak=C bandwidth=W"},
    {"scaling-book", "product", "", "over_all_chips", "chips per_chip"},
    {"scaling-book", "mixed_threshold", "", "fsdp_tensor_threshold", "intensity=alpha ffn_width=F"},
    {"scaling-book", "fsdp_ways", "", "best_fsdp_ways",
     "tokens=B chips=N ffn_width=F fsdp_axes=MX tensor_axes=MY"},
    {"scaling-book", "chips_needed", "", "parts_needed", "total parts=hbm"},
    {"scaling-book", "tp_limit", "", "tensor_parallel_limit", "ffn_width=F intensity=alpha axes?"},
    {"scaling-book", "critical_batch_int8", "", "critical_batch_int8", "peak=C bandwidth=bw"},
    {"scaling-book", "critical_batch_bf16", "", "arithmetic_intensity", "peak=C bandwidth=bw"},
    {"scaling-book", "kv_bytes", "", "kv_cache_bytes",
     "layers=L model_width=D bytes_per_value=bytes"},
    {"scaling-book", "alltoall_ring", "allgather_uni", "ring_all_gather_numbers",
     "size=N devices=D"},
    {"scaling-book", "alltoall_ring", "alltoall_uni", "ring_all_to_all_numbers",
     "size=N devices=D"},
    {"scaling-book", "alltoall_ring", ".both", "ring_all_to_all_numbers_both_ways",
     "size=N devices=D"},
    {"scaling-book", "alltoall_ring", "ratio", "share", "total=alltoall_uni parts=allgather_uni"},
    {"scaling-book", "alltoall_ring", "ratio_bidirectional", "share",
     "total=.both parts=allgather_uni"},
    {"scaling-book", "attention_crossover", "", "attention_crossover", "model_width=D"},

    {"cookbook", "cookbook_parameters", "", "gpt_parameters",
     "layers=L hidden=h seq=s vocabulary=V"},
    {"cookbook", "cookbook_flops", "", "gpt_training_flops",
     "layers=L hidden=h seq=s vocabulary=V tokens=D recompute=ckpt?"},

    {"context-parallel", "ring_attention", "bytes_per_hop", "ring_attention_hop_bytes",
     "micro_batch=b seq=s kv_heads head_dim=d cp element_bytes=bytes"},
    {"context-parallel", "ring_attention", "hops", "ring_attention_hops", "cp"},
    {"context-parallel", "ring_attention", "total_per_layer_fwd", "ring_attention_bytes",
     "micro_batch=b seq=s kv_heads head_dim=d cp element_bytes=bytes"},

    {"expert-parallel", "expert_alltoall", "bytes_per_a2a_per_device", "expert_all_to_all_bytes",
     "tokens topk hidden=h ep element_bytes=bytes"},
    {"expert-parallel", "expert_alltoall", "a2a_per_layer_fwd_bwd", "expert_all_to_alls", ""},
    {"expert-parallel", "world_size", "", "world_size", "tp pp cp dp"},
};

/// The op of a case with its selector behind it.
inline std::string selected_op(const std::string& op, const Json& inputs) {
  for (const Selector& selector : kSelectors) {
    if (op == selector.op && inputs.contains(selector.input)) {
      return op + " " + inputs[selector.input].get<std::string>();
    }
  }
  return op;
}

/// The values of a row's parameters, or nothing if an input of it is missing.
inline std::optional<std::vector<NamedValue>> parameters_of(const FormRow& row, const Json& inputs,
                                                            const Fields& fields) {
  std::vector<NamedValue> values;
  std::istringstream words{std::string(row.parameters)};
  for (std::string word; words >> word;) {
    const bool optional = word.back() == '?';
    if (optional) word.pop_back();
    const std::size_t mark = word.find_first_of("=:");
    const std::string parameter = word.substr(0, mark);
    const std::string input = mark == std::string::npos ? word : word.substr(mark + 1);
    const auto field = fields.find(input);
    if (mark != std::string::npos && word[mark] == ':') {
      values.push_back({parameter, must(rational_from_decimal(input))});
    } else if (field != fields.end()) {
      values.push_back({parameter, field->second.number});
    } else if (inputs.contains(input)) {
      values.push_back({parameter, exact(inputs[input])});
    } else if (!optional) {
      return std::nullopt;
    }
  }
  return values;
}

/// The answer of the closed forms, or nothing if the op has none.
inline std::optional<Answer> answer_by_forms(const std::string& topic, const std::string& op,
                                             const Json& inputs) {
  const std::string selected = selected_op(op, inputs);
  Fields fields;
  bool any = false;
  for (const FormRow& row : kFormRows) {
    const bool is_for_all = row.op.ends_with(" *") && row.op == op + " *";
    if (row.topic != topic || (row.op != selected && !is_for_all)) continue;
    if (fields.contains(std::string(row.field))) continue;
    const auto parameters = parameters_of(row, inputs, fields);
    if (!parameters) continue;
    fields[std::string(row.field)] = must(compute(row.form, *parameters));
    any = true;
  }
  if (!any) return std::nullopt;
  std::erase_if(fields, [](const auto& field) { return field.first.starts_with('.'); });
  const auto whole = fields.find("");
  return whole != fields.end() ? whole->second : Answer(fields);
}

}  // namespace lockstep::drivers
