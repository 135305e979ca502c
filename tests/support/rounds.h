// Plays the gradient messages of a program on small vectors of whole numbers, round by round, as
// the definition of a collective says it on paper. The engine's own way to run is engine/device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
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
        const auto size = static_cast<std::int64_t>(vectors[rank].size());
        const ElementRange range = chunk_range(size, send.tensor.chunk, send.tensor.chunks);
        const auto first = vectors[rank].begin() + range.first;
        on_the_way[{static_cast<int>(rank), static_cast<int>(next[rank])}] =
            Vector(first, first + range.count);
        round.sends.push_back({static_cast<int>(rank), send.peer, send.tensor.chunk, range.count});
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
      const auto size = static_cast<std::int64_t>(vectors[rank].size());
      auto to = vectors[rank].begin() +
                chunk_range(size, receive.tensor.chunk, receive.tensor.chunks).first;
      for (const std::int64_t element : message->second) {
        *to = receive.op == Op::receive_add ? *to + element : element;
        ++to;
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
