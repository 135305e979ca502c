// How instructions are spelled, in program texts and in messages alike.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "program/program.h"

namespace lockstep {

/// An op and its word: "backward_input".
struct OpRow {
  Op op;
  std::string_view word;
};
std::span<const OpRow> op_table();
std::string_view op_word(Op op);

/// A kind of tensor and its word: "activation_gradient".
struct TensorKindRow {
  TensorKind kind;
  std::string_view word;
};
std::span<const TensorKindRow> tensor_kind_table();
std::string_view tensor_word(TensorKind kind);

/// True for forward and the backwards: work of a stage on a microbatch, which takes time.
bool is_stage_work(Op op);

/// True for receive and receive_add: the only instructions that can wait.
bool is_receive(Op op);

/// True for activation and activation_gradient.
bool is_of_microbatch(TensorKind kind);

/// True for send and the receives.
bool is_message(Op op);

/// Steps of training in a program: its devices' updates, or 1 where there is none.
int step_count(const Program& program);

/// "activation stage 0 microbatch 3", "gradient chunk 2 of 4", "parameters stage 1 chunks 2 to 3
/// of 8".
std::string to_text(const TensorName& tensor);

/// "forward stage 0 microbatch 3", "receive gradient chunk 2 of 4 from 1", "scale 1/4".
std::string to_text(const Instruction& instruction);

}  // namespace lockstep
