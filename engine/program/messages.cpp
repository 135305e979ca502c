#include "program/messages.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "program/instruction.h"

namespace lockstep {
namespace {

std::size_t index(int value) {
  return static_cast<std::size_t>(value);
}

/// What a send and its receive have in common.
struct MessageKey {
  int from;
  int to;
  TensorName tensor;

  bool operator==(const MessageKey&) const = default;
};

struct MessageKeyHash {
  std::size_t operator()(const MessageKey& key) const {
    const TensorName& tensor = key.tensor;
    std::uint64_t hash = 0;
    for (const int part : {key.from, key.to, static_cast<int>(tensor.kind), tensor.stage,
                           tensor.microbatch, tensor.chunk, tensor.chunks}) {
      // The multiplier of SplitMix64: odd, with well spread bits.
      hash = (hash ^ static_cast<std::uint32_t>(part)) * 0xbf58476d1ce4e5b9u;
      hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash);
  }
};

/// Sends of one key that no receive has taken yet: the oldest, and where the newest is chained on.
struct OpenSends {
  InstructionPlace oldest;
  InstructionPlace newest;
};

/// Pairs sends with receives in two passes. Until a send is paired, its entry in `ends_` holds the
/// next open send of the same key.
class Matcher {
 public:
  explicit Matcher(const Program& program) : program_(program) {
    std::size_t sends = 0;
    for (const DeviceProgram& device : program.devices) {
      ends_.emplace_back(device.instructions.size());
      for (const Instruction& instruction : device.instructions)
        sends += instruction.op == Op::send;
    }
    open_.reserve(sends);
  }

  MessageEnds match() {
    each_message([](Op op) { return op == Op::send; }, [this](auto... at) { add_send(at...); });
    each_message(is_receive, [this](auto... at) { take_send(at...); });
    for (const auto& [key, sends] : open_) cut(sends.oldest);
    return std::move(ends_);
  }

 private:
  template <typename Wanted, typename Visit>
  void each_message(Wanted wanted, Visit visit) {
    const int ranks = static_cast<int>(program_.devices.size());
    for (int rank = 0; rank < ranks; ++rank) {
      const std::vector<Instruction>& instructions = program_.devices[index(rank)].instructions;
      for (int i = 0; i < static_cast<int>(instructions.size()); ++i) {
        const Instruction& instruction = instructions[index(i)];
        const int peer = instruction.peer;
        if (!wanted(instruction.op) || peer == rank || peer < 0 || peer >= ranks) continue;
        visit(instruction, InstructionPlace{rank, i});
      }
    }
  }

  void add_send(const Instruction& send, InstructionPlace place) {
    const auto [entry, is_first] = open_.try_emplace({place.rank, send.peer, send.tensor});
    OpenSends& sends = entry->second;
    if (is_first) sends.oldest = place;
    if (!is_first) end_of(sends.newest) = place;
    sends.newest = place;
  }

  void take_send(const Instruction& receive, InstructionPlace place) {
    const auto entry = open_.find({receive.peer, place.rank, receive.tensor});
    if (entry == open_.end() || !entry->second.oldest.exists()) return;
    const InstructionPlace send = entry->second.oldest;
    entry->second.oldest = end_of(send);
    end_of(send) = place;
    end_of(place) = send;
  }

  /// Clears the chain of sends that nobody received.
  void cut(InstructionPlace send) {
    while (send.exists()) {
      const InstructionPlace following = end_of(send);
      end_of(send) = {};
      send = following;
    }
  }

  InstructionPlace& end_of(InstructionPlace place) {
    return ends_[index(place.rank)][index(place.index)];
  }

  const Program& program_;
  MessageEnds ends_;
  std::unordered_map<MessageKey, OpenSends, MessageKeyHash> open_;
};

}  // namespace

MessageEnds match_messages(const Program& program) {
  return Matcher(program).match();
}

bool RunOrder::complete(const Program& program) const {
  std::size_t instructions = 0;
  for (const DeviceProgram& device : program.devices) instructions += device.instructions.size();
  return order.size() == instructions;
}

RunOrder run_order(const Program& program, const MessageEnds& ends) {
  RunOrder result;
  result.stopped_at.assign(program.devices.size(), 0);
  std::size_t instructions = 0;
  for (const DeviceProgram& device : program.devices) instructions += device.instructions.size();
  result.order.reserve(instructions);

  std::vector<int> ready;
  for (std::size_t rank = program.devices.size(); rank > 0; --rank) {
    ready.push_back(static_cast<int>(rank) - 1);
  }
  while (!ready.empty()) {
    const int rank = ready.back();
    ready.pop_back();
    const std::vector<Instruction>& list = program.devices[index(rank)].instructions;
    int& next = result.stopped_at[index(rank)];
    for (; next < static_cast<int>(list.size()); ++next) {
      const InstructionPlace other = ends[index(rank)][index(next)];
      if (is_receive(list[index(next)].op)) {
        const bool sent = !other.exists() || result.stopped_at[index(other.rank)] > other.index;
        if (!sent) break;
      } else if (other.exists() && result.stopped_at[index(other.rank)] == other.index) {
        ready.push_back(other.rank);  // it waits for just this message
      }
      result.order.push_back({rank, next});
    }
  }
  return result;
}

}  // namespace lockstep
