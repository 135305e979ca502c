#include "device/local_cluster.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "core/hash.h"
#include "core/random.h"
#include "program/instruction.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kDeliveryStream = 32;  // of core/random.h

enum class Event : std::uint32_t { ran, blocked, done, failed, delivered };

class LocalCluster {
 public:
  LocalCluster(std::vector<Device> devices, const LocalOptions& options) : options_(options) {
    run_.devices = std::move(devices);
    run_.trace_hash = kFnvStart;
    for (std::size_t rank = 0; rank < run_.devices.size(); ++rank) ready_.push_back(rank);
  }

  LocalRun run() {
    while (!run_.error && (!ready_.empty() || !on_the_way_.empty())) tick();
    if (!run_.error && done_ < run_.devices.size()) run_.error = deadlock();
    return std::move(run_);
  }

 private:
  void tick() {
    if (run_.ticks == options_.ticks_max) {
      run_.error =
          Error{"ticks_used_up", "cluster",
                "the run did not end within " + std::to_string(options_.ticks_max) + " ticks"};
      return;
    }
    const std::size_t choices = ready_.size() + on_the_way_.size();
    const std::uint32_t choice = random_below(options_.delivery_seed, kDeliveryStream,
                                              static_cast<std::uint64_t>(run_.ticks++), choices);
    if (choice < ready_.size()) {
      step(choice);
    } else {
      deliver(choice - ready_.size());
    }
  }

  void step(std::size_t choice) {
    const std::size_t rank = ready_[choice];
    Device& device = run_.devices[rank];
    const StepResult result = device.step();
    if (const auto* ran = std::get_if<Ran>(&result)) {
      note(Event::ran, rank, ran->instruction);
      for (Outgoing& message : device.take_outbox()) on_the_way_.push_back(std::move(message));
      return;
    }
    take_out(ready_, choice);
    if (const auto* blocked = std::get_if<Blocked>(&result)) {
      note(Event::blocked, rank, blocked->instruction);
    } else if (const auto* failed = std::get_if<Failed>(&result)) {
      note(Event::failed, rank, 0);
      run_.error = failed->error;
    } else {
      note(Event::done, rank, 0);
      ++done_;
    }
  }

  void deliver(std::size_t choice) {
    const Outgoing message = take_out(on_the_way_, choice);
    const auto rank = static_cast<std::size_t>(message.to);
    note(Event::delivered, rank, static_cast<int>(choice));
    Device& device = run_.devices[rank];
    if (const Status status = device.deliver(message.bytes); !status.ok()) {
      run_.error = status.error();
      return;
    }
    if (std::ranges::find(ready_, rank) == ready_.end() && device.next_instruction() != nullptr) {
      ready_.push_back(rank);
    }
  }

  /// Takes an element out; the last one takes its place.
  template <typename Element>
  static Element take_out(std::vector<Element>& elements, std::size_t index) {
    std::swap(elements[index], elements.back());
    Element element = std::move(elements.back());
    elements.pop_back();
    return element;
  }

  void note(Event event, std::size_t rank, int detail) {
    const std::array<std::uint32_t, 3> record = {static_cast<std::uint32_t>(event),
                                                 static_cast<std::uint32_t>(rank),
                                                 static_cast<std::uint32_t>(detail)};
    run_.trace_hash = fnv1a(std::as_bytes(std::span(record)), run_.trace_hash);
  }

  Error deadlock() const {
    for (const Device& device : run_.devices) {
      const Instruction* waits_at = device.next_instruction();
      if (waits_at == nullptr) continue;
      const std::string place = "device " + std::to_string(device.rank());
      return Error{"deadlock", place,
                   place + " waits at \"" + to_text(*waits_at) +
                       "\" for a message that nobody sends any more"};
    }
    return Error{"deadlock", "cluster", "the devices stopped before they were done"};
  }

  LocalOptions options_;
  LocalRun run_;
  std::vector<std::size_t> ready_;    // devices that may go on
  std::vector<Outgoing> on_the_way_;  // messages that were sent and have not arrived
  std::size_t done_ = 0;
};

}  // namespace

LocalRun run_local_cluster(std::vector<Device> devices, const LocalOptions& options) {
  return LocalCluster(std::move(devices), options).run();
}

}  // namespace lockstep
