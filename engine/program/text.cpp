#include "program/text.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "core/nearest.h"
#include "program/instruction.h"
#include "program/line_reader.h"

namespace lockstep {
namespace {

/// The row of `table` whose word comes next on the line, or none after noting an error.
template <typename Row>
const Row* known_word(LineReader& line, std::span<const Row> table, std::string_view what) {
  const Word word = line.next(what);
  const auto row = std::ranges::find(table, word.text, &Row::word);
  if (row != table.end()) return &*row;
  std::vector<std::string_view> words;
  for (const Row& known : table) words.push_back(known.word);
  line.fail(
      "unknown_word", word,
      quoted(word.text) + " is not " + std::string(what) + did_you_mean(word.text, words) + ".");
  return nullptr;
}

void read_stage_and_microbatch(LineReader& line, int& stage, int& microbatch) {
  line.keyword("stage");
  stage = line.integer("a stage");
  line.keyword("microbatch");
  microbatch = line.integer("a microbatch");
}

/// "chunk 2 of 4", "chunks 2 to 3 of 4"
void read_chunks(LineReader& line, TensorName& tensor) {
  const bool several = line.peek().text == "chunks";
  line.keyword(several ? "chunks" : "chunk");
  tensor.chunk = line.integer("a chunk");
  if (several) {
    line.keyword("to");
    const Word last = line.peek();
    tensor.count = line.integer("the last chunk") - tensor.chunk + 1;
    if (tensor.count < 1) line.fail("out_of_range", last, "The last chunk is not after the first.");
  }
  line.keyword("of");
  tensor.chunks = line.integer("a number of chunks");
}

TensorName read_tensor(LineReader& line) {
  TensorName tensor;
  const TensorKindRow* row = known_word(line, tensor_kind_table(), "a kind of tensor");
  if (row == nullptr) return tensor;
  tensor.kind = row->kind;
  if (is_of_microbatch(tensor.kind)) {
    read_stage_and_microbatch(line, tensor.stage, tensor.microbatch);
    const std::string_view next = line.peek().text;
    if (next != "chunk" && next != "chunks") return tensor;
  } else if (tensor.kind != TensorKind::block) {
    tensor.stage = kAllStages;
    if (line.peek().text == "stage") {
      line.keyword("stage");
      tensor.stage = line.integer("a stage");
    }
  }
  read_chunks(line, tensor);
  return tensor;
}

void read_fraction(LineReader& line, Instruction& instruction) {
  const Word word = line.next("a fraction");
  const std::size_t bar = std::min(word.text.find('/'), word.text.size());
  const auto numerator = to_int(word.text.substr(0, bar));
  const auto denominator = to_int(word.text.substr(std::min(bar + 1, word.text.size())));
  if (!numerator || !denominator) {
    line.fail("not_a_number", word, "Expected a fraction such as 1/4.");
    return;
  }
  instruction.numerator = *numerator;
  instruction.denominator = *denominator;
}

Instruction read_instruction(LineReader& line) {
  Instruction instruction;
  const OpRow* row = known_word(line, op_table(), "an instruction");
  if (row == nullptr) return instruction;
  instruction.op = row->op;
  if (is_stage_work(row->op)) {
    read_stage_and_microbatch(line, instruction.stage, instruction.microbatch);
  } else if (row->op == Op::scale) {
    read_fraction(line, instruction);
  } else if (is_message(row->op)) {
    instruction.tensor = read_tensor(line);
    line.keyword(row->op == Op::send ? "to" : "from");
    instruction.peer = line.integer("a device");
  }
  return instruction;
}

/// "device 0 replica 0 stages 0 1": devices come in the order of their ranks.
DeviceProgram read_device(LineReader& line, std::size_t devices_before) {
  DeviceProgram device;
  line.keyword("device");
  const Word rank = line.peek();
  if (line.integer("the device's rank") != static_cast<int>(devices_before)) {
    line.fail("unexpected", rank,
              "Devices come in order; this one is device " + std::to_string(devices_before) + ".");
  }
  if (devices_before >= static_cast<std::size_t>(kMaxRanks)) {
    line.fail("too_large", rank, "At most " + std::to_string(kMaxRanks) + " devices.");
  }
  line.keyword("replica");
  device.replica = line.integer("a replica");
  if (line.peek().text == "shard") {
    line.keyword("shard");
    device.shard = line.integer("a shard");
  }
  line.keyword("stages");
  while (!line.at_end()) device.stages.push_back(line.integer("a stage"));
  return device;
}

/// The three lines at the top, in order; `line_index` counts lines that are not blank, from 0.
void read_header(LineReader& line, int line_index, Program& program) {
  if (line_index == 0) {
    line.keyword("program");
    program.name = line.next("the program's name").text;
  } else if (line_index == 1) {
    line.keyword("stages");
    program.stages = line.integer("a number of stages");
  } else {
    line.keyword("microbatches");
    program.microbatches = line.integer("a number of microbatches");
  }
}

constexpr int kHeaderLines = 3;

}  // namespace

std::string write_program(const Program& program) {
  assert(!program.name.empty() && program.name.find_first_of(" \t\r\n#") == std::string::npos);
  std::string text = "program " + program.name + "\nstages " + std::to_string(program.stages) +
                     "\nmicrobatches " + std::to_string(program.microbatches) + "\n";
  if (program.shards != 1) text += "shards " + std::to_string(program.shards) + "\n";
  for (std::size_t rank = 0; rank < program.devices.size(); ++rank) {
    const DeviceProgram& device = program.devices[rank];
    text += "device " + std::to_string(rank) + " replica " + std::to_string(device.replica);
    if (program.shards != 1) text += " shard " + std::to_string(device.shard);
    text += " stages";
    for (const int stage : device.stages) text += " " + std::to_string(stage);
    text += "\n";
    for (const Instruction& instruction : device.instructions) {
      text += "  " + to_text(instruction) + "\n";
    }
  }
  return text;
}

Result<Program> read_program(std::string_view text) {
  if (text.size() > kMaxProgramTextBytes) {
    return Error{"too_large", "line 1, column 1", "The text is larger than any program of ours."};
  }
  Program program;
  int line_number = 0;
  int lines_read = 0;
  while (!text.empty()) {
    LineReader line(take_line(text), ++line_number);
    if (line.at_end()) continue;
    if (lines_read < kHeaderLines) {
      read_header(line, lines_read, program);
    } else if (line.peek().text == "shards" && program.devices.empty()) {
      line.keyword("shards");
      program.shards = line.integer("a number of shards");
    } else if (line.peek().text == "device") {
      program.devices.push_back(read_device(line, program.devices.size()));
    } else if (program.devices.empty()) {
      line.keyword("device");
    } else {
      program.devices.back().instructions.push_back(read_instruction(line));
    }
    line.end();
    if (line.error()) return *line.error();
    ++lines_read;
  }
  if (lines_read < kHeaderLines) {
    LineReader end_of_text({}, line_number + 1);
    read_header(end_of_text, lines_read, program);
    return *end_of_text.error();
  }
  return program;
}

}  // namespace lockstep
