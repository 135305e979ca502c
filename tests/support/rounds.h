// Plays the gradient messages of a program on small vectors of whole numbers, round by round, as
// the definition of a collective says it on paper. The engine's own way to run is engine/device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "program/instruction.h"
#include "program/messages.h"
#include "program/program.h"

namespace lockstep::test {

using Vector = std::vector<std::int64_t>;

struct SentMessage {
  int from;
  int to;
  int chunk;
  std::int64_t elements;
};

/// One round: every device sends what it can before its next receive, then receives once.
struct Round {
  std::vector<SentMessage> sends;
  bool adds = false;            ///< the receives of this round add
  std::vector<Vector> vectors;  ///< of every device, after the round
};

/// The part of a vector that a gradient tensor names.
inline std::span<std::int64_t> chunk_of(Vector& vector, const TensorName& tensor) {
  const auto size = static_cast<std::int64_t>(vector.size());
  const ElementRange range = chunk_range(size, tensor.chunk, tensor.chunks);
  return std::span(vector).subspan(static_cast<std::size_t>(range.first),
                                   static_cast<std::size_t>(range.count));
}

/// `vectors` holds each device's gradient, all of one size; `program` has no other instructions
/// than messages of gradients, and no fault. Ends when no device goes on.
inline std::vector<Round> play_rounds(const Program& program, std::vector<Vector> vectors) {
  const MessageEnds ends = match_messages(program);
  std::vector<std::size_t> next(program.devices.size(), 0);
  std::map<std::pair<int, int>, Vector> on_the_way;  // by rank and index of the send
  std::vector<Round> rounds;
  while (true) {
    Round round;
    for (std::size_t rank = 0; rank < next.size(); ++rank) {
      const auto& list = program.devices[rank].instructions;
      for (; next[rank] < list.size() && list[next[rank]].op == Op::send; ++next[rank]) {
        const Instruction& send = list[next[rank]];
        const std::span<std::int64_t> chunk = chunk_of(vectors[rank], send.tensor);
        on_the_way[{static_cast<int>(rank), static_cast<int>(next[rank])}] =
            Vector(chunk.begin(), chunk.end());
        round.sends.push_back({static_cast<int>(rank), send.peer, send.tensor.chunk,
                               static_cast<std::int64_t>(chunk.size())});
      }
    }
    bool received = false;
    for (std::size_t rank = 0; rank < next.size(); ++rank) {
      const auto& list = program.devices[rank].instructions;
      if (next[rank] == list.size()) continue;
      const InstructionPlace send = ends[rank][next[rank]];
      const auto message = on_the_way.find({send.rank, send.index});
      if (message == on_the_way.end()) continue;
      const Instruction& receive = list[next[rank]++];
      const std::span<std::int64_t> chunk = chunk_of(vectors[rank], receive.tensor);
      for (std::size_t i = 0; i < chunk.size(); ++i) {
        const std::int64_t element = message->second[i];
        chunk[i] = receive.op == Op::receive_add ? chunk[i] + element : element;
      }
      round.adds = receive.op == Op::receive_add;
      received = true;
    }
    if (!received && round.sends.empty()) return rounds;
    round.vectors = vectors;
    rounds.push_back(std::move(round));
  }
}

}  // namespace lockstep::test
