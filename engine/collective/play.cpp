#include "collective/play.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "program/instruction.h"
#include "program/messages.h"

namespace lockstep {
namespace {

using Vector = std::vector<double>;

class Play {
 public:
  Play(const Program& program, std::vector<Vector> vectors)
      : program_(program),
        ends_(match_messages(program)),
        at_first_(vectors),
        now_(std::move(vectors)),
        next_(program.devices.size(), 0) {}

  std::vector<CollectiveRound> rounds() {
    std::vector<CollectiveRound> rounds;
    while (true) {
      CollectiveRound round;
      for (std::size_t rank = 0; rank < next_.size(); ++rank) send_all(rank, round);
      bool received = false;
      for (std::size_t rank = 0; rank < next_.size(); ++rank) {
        received = receive_one(rank, round) || received;
      }
      if (!received && round.sends.empty()) return rounds;
      round.vectors = now_;
      rounds.push_back(std::move(round));
    }
  }

 private:
  const Instruction* next_of(std::size_t rank) const {
    const std::vector<Instruction>& list = program_.devices[rank].instructions;
    return next_[rank] < list.size() ? &list[next_[rank]] : nullptr;
  }

  /// Where in its vector a device has a part. Block (i, j) of N² is chunk j of i's and chunk i of
  /// j's.
  ElementRange place_of(const TensorName& part, std::size_t rank) const {
    const auto size = static_cast<std::int64_t>(now_[rank].size());
    if (part.kind != TensorKind::block) return element_range(size, part);
    const int devices = static_cast<int>(now_.size());
    const int from = part.chunk / devices;
    const int to = part.chunk % devices;
    return chunk_range(size, from == static_cast<int>(rank) ? to : from, devices);
  }

  void send_all(std::size_t rank, CollectiveRound& round) {
    for (; next_of(rank) != nullptr && next_of(rank)->op == Op::send; ++next_[rank]) {
      const Instruction& send = *next_of(rank);
      // What arrives in an all-to-all does not replace what is still to be sent.
      const Vector& vector = send.tensor.kind == TensorKind::block ? at_first_[rank] : now_[rank];
      const ElementRange range = place_of(send.tensor, rank);
      const std::span<const double> part = std::span(vector).subspan(
          static_cast<std::size_t>(range.first), static_cast<std::size_t>(range.count));
      on_the_way_[{static_cast<int>(rank), static_cast<int>(next_[rank])}] =
          Vector(part.begin(), part.end());
      round.sends.push_back({static_cast<int>(rank), send.peer, send.tensor, range.count});
    }
  }

  bool receive_one(std::size_t rank, CollectiveRound& round) {
    if (next_of(rank) == nullptr) return false;
    const InstructionPlace send = ends_[rank][next_[rank]];
    const auto message = on_the_way_.find({send.rank, send.index});
    if (message == on_the_way_.end()) return false;
    const Instruction& receive = *next_of(rank);
    const ElementRange range = place_of(receive.tensor, rank);
    for (std::int64_t i = 0; i < range.count; ++i) {
      double& element = now_[rank][static_cast<std::size_t>(range.first + i)];
      const double arrived = message->second[static_cast<std::size_t>(i)];
      element = receive.op == Op::receive_add ? element + arrived : arrived;
    }
    round.adds = round.adds || receive.op == Op::receive_add;
    ++next_[rank];
    return true;
  }

  const Program& program_;
  MessageEnds ends_;
  std::vector<Vector> at_first_;
  std::vector<Vector> now_;
  std::vector<std::size_t> next_;
  std::map<std::pair<int, int>, Vector> on_the_way_;  ///< by rank and index of the send
};

bool is_message_of_a_vector(const Instruction& instruction) {
  return is_message(instruction.op) && (instruction.tensor.kind == TensorKind::gradient ||
                                        instruction.tensor.kind == TensorKind::block);
}

}  // namespace

Result<std::vector<CollectiveRound>> play_collective(const Program& program,
                                                     std::vector<std::vector<double>> vectors) {
  const bool fits = vectors.size() == program.devices.size() &&
                    std::ranges::adjacent_find(vectors, [](const Vector& a, const Vector& b) {
                      return a.size() != b.size();
                    }) == vectors.end();
  if (!fits) {
    return Error{"not_a_collective", "vectors",
                 "Each device needs a vector, all of them of one size."};
  }
  for (std::size_t rank = 0; rank < program.devices.size(); ++rank) {
    for (const Instruction& instruction : program.devices[rank].instructions) {
      if (is_message_of_a_vector(instruction)) continue;
      return Error{"not_a_collective", "device " + std::to_string(rank),
                   "\"" + to_text(instruction) + "\" is no message of a collective."};
    }
  }
  return Play(program, std::move(vectors)).rounds();
}

}  // namespace lockstep
