#include "program/messages.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

#include "program/instruction.h"

namespace lockstep {
namespace {

std::size_t index(int value) {
  return static_cast<std::size_t>(value);
}

/// Pairs sends with receives, one channel (sender, receiver) after the other.
class Matcher {
 public:
  explicit Matcher(const Program& program)
      : program_(program), ranks_(static_cast<int>(program.devices.size())) {
    for (const DeviceProgram& device : program.devices) {
      ends_.emplace_back(device.instructions.size());
    }
  }

  MessageEnds match() {
    Channels sends = channels([](Op op) { return op == Op::send; });
    Channels receives = channels(is_receive);
    for (std::size_t channel = 0; channel + 1 < sends.first.size(); ++channel) {
      pair(sends.of(channel), receives.of(channel));
    }
    return std::move(ends_);
  }

 private:
  /// The messages of every channel, each in the order of its device's list.
  struct Channels {
    std::vector<std::size_t> first;  // by channel, and one more: where it begins in `places`
    std::vector<InstructionPlace> places;

    std::span<InstructionPlace> of(std::size_t channel) {
      return std::span(places).subspan(first[channel], first[channel + 1] - first[channel]);
    }
  };

  /// A counting sort of the wanted messages by channel.
  template <typename Wanted>
  Channels channels(Wanted wanted) const {
    Channels result;
    result.first.assign(index(ranks_) * index(ranks_) + 1, 0);
    each_message(wanted,
                 [&](std::size_t channel, InstructionPlace) { ++result.first[channel + 1]; });
    std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
    result.places.resize(result.first.back());
    std::vector<std::size_t> next = result.first;
    each_message(wanted, [&](std::size_t channel, InstructionPlace place) {
      result.places[next[channel]++] = place;
    });
    return result;
  }

  template <typename Wanted, typename Visit>
  void each_message(Wanted wanted, Visit visit) const {
    for (int rank = 0; rank < ranks_; ++rank) {
      const std::vector<Instruction>& instructions = program_.devices[index(rank)].instructions;
      for (int i = 0; i < static_cast<int>(instructions.size()); ++i) {
        const Instruction& instruction = instructions[index(i)];
        const int peer = instruction.peer;
        if (!wanted(instruction.op) || peer == rank || peer < 0 || peer >= ranks_) continue;
        const bool sends = instruction.op == Op::send;
        const std::size_t from = index(sends ? rank : peer);
        const std::size_t to = index(sends ? peer : rank);
        visit(from * index(ranks_) + to, InstructionPlace{rank, i});
      }
    }
  }

  const TensorName& tensor(InstructionPlace place) const {
    return program_.devices[index(place.rank)].instructions[index(place.index)].tensor;
  }

  /// Most channels receive in the order of sending; of the others both sides are sorted by tensor
  /// name, which keeps the order within a name.
  void pair(std::span<InstructionPlace> sends, std::span<InstructionPlace> receives) {
    const auto by_tensor = [this](InstructionPlace place) -> const TensorName& {
      return tensor(place);
    };
    if (!std::ranges::equal(sends, receives, {}, by_tensor, by_tensor)) {
      std::ranges::stable_sort(sends, {}, by_tensor);
      std::ranges::stable_sort(receives, {}, by_tensor);
    }
    std::size_t send = 0;
    std::size_t receive = 0;
    while (send < sends.size() && receive < receives.size()) {
      const auto order = tensor(sends[send]) <=> tensor(receives[receive]);
      if (order == 0) connect(sends[send], receives[receive]);
      if (order <= 0) ++send;
      if (order >= 0) ++receive;
    }
  }

  void connect(InstructionPlace a, InstructionPlace b) {
    ends_[index(a.rank)][index(a.index)] = b;
    ends_[index(b.rank)][index(b.index)] = a;
  }

  const Program& program_;
  int ranks_;
  MessageEnds ends_;
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
