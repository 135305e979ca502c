#include "device/local_cluster.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/hash.h"
#include "core/random.h"
#include "device/fault_injector.h"
#include "program/instruction.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kDeliveryStream = 32;  // of core/random.h

enum class Event : std::uint32_t {
  ran,
  blocked,
  done,
  failed,
  delivered,
  stalled,
  crashed,
  sent_faulty,
  idle,
};

/// A message that was sent and has not arrived.
struct Sent {
  int from = 0;
  Outgoing message;
};

/// One that a fault keeps back, until a tick or until the sender's next message has arrived.
struct Held {
  Sent sent;
  std::int64_t until = 0;
  bool behind_next = false;
};

class LocalCluster {
 public:
  LocalCluster(std::vector<Device> devices, const LocalOptions& options)
      : options_(options), faults_(options.faults, devices.size()), steps_(devices.size(), 0) {
    run_.devices = std::move(devices);
    run_.trace_hash = kFnvStart;
    for (std::size_t rank = 0; rank < run_.devices.size(); ++rank) ready_.push_back(rank);
  }

  LocalRun run() {
    if (Status fits = check_fault_plan(options_.faults, run_.devices); !fits.ok()) {
      run_.error = fits.error();
      return std::move(run_);
    }
    if (const std::size_t count = options_.faults.faults.size(); count > 0) {
      options_.ticks_max = std::min(options_.ticks_max, fault_deadline(run_.devices, count));
    }
    while (!run_.error && !(ready_.empty() && on_the_way_.empty() && held_.empty())) tick();
    if (!run_.error && done_ < run_.devices.size()) {
      if (!blame(false)) run_.error = deadlock();
    }
    run_.struck = faults_.struck();
    return std::move(run_);
  }

 private:
  void tick() {
    if (run_.ticks == options_.ticks_max) {
      if (!options_.faults.faults.empty() && blame(true)) return;
      run_.error =
          Error{"ticks_used_up", "cluster",
                "the run did not end within " + std::to_string(options_.ticks_max) + " ticks"};
      return;
    }
    release_held();
    const std::size_t choices = ready_.size() + on_the_way_.size();
    const auto now = static_cast<std::uint64_t>(run_.ticks++);
    if (choices == 0) {
      note(Event::idle, 0, 0);
      return;
    }
    const std::uint32_t choice =
        random_below(options_.delivery_seed, kDeliveryStream, now, choices);
    if (choice < ready_.size()) {
      step(choice);
    } else {
      deliver(choice - ready_.size());
    }
  }

  void step(std::size_t choice) {
    const std::size_t rank = ready_[choice];
    Device& device = run_.devices[rank];
    const Turn turn = faults_.turn(device, run_.ticks - 1);
    if (turn != Turn::go) {
      lose_turn(turn, choice);
      return;
    }
    const Instruction* next = device.next_instruction();
    const bool updates = next != nullptr && next->op == Op::update;
    const StepResult result = device.step();
    if (const auto* ran = std::get_if<Ran>(&result)) {
      note(Event::ran, rank, ran->instruction);
      if (updates) ++steps_[rank];
      for (Outgoing& message : device.take_outbox()) {
        send(choice, ran->instruction, std::move(message));
      }
      return;
    }
    take_out(ready_, choice);
    if (const auto* blocked = std::get_if<Blocked>(&result)) {
      note(Event::blocked, rank, blocked->instruction);
    } else if (const auto* failed = std::get_if<Failed>(&result)) {
      note(Event::failed, rank, 0);
      end_by(rank, rank, failed->error);
    } else {
      note(Event::done, rank, 0);
      ++done_;
    }
  }

  /// A fault takes the turn of a device.
  void lose_turn(Turn turn, std::size_t choice) {
    const std::size_t rank = ready_[choice];
    if (turn == Turn::stall) {
      note(Event::stalled, rank, 0);
      return;
    }
    take_out(ready_, choice);
    if (turn == Turn::crash) {
      note(Event::crashed, rank, 0);
      return;
    }
    note(Event::failed, rank, 1);
    const Device& device = run_.devices[rank];
    const std::string place =
        device_place(rank) + ", instruction " + std::to_string(device.position());
    end_by(rank, rank, Error{"out_of_memory", place, "on " + place + " no memory was left"});
  }

  /// Takes a message from the device at `choice` of ready_ and hands it to the network.
  void send(std::size_t choice, int instruction, Outgoing message) {
    const std::size_t rank = ready_[choice];
    const int ranks = static_cast<int>(run_.devices.size());
    const MessageFate fate =
        faults_.send({static_cast<int>(rank), instruction, ranks}, run_.ticks - 1, message.bytes);
    if (fate.struck) note(Event::sent_faulty, rank, instruction);
    const Sent sent{static_cast<int>(rank), std::move(message)};
    for (int copy = 0; copy < fate.copies; ++copy) {
      if (fate.delay > 0 || fate.behind_next) {
        held_.push_back({sent, run_.ticks + fate.delay, fate.behind_next});
      } else {
        on_the_way_.push_back(sent);
      }
    }
    if (!fate.sender_crashes) return;
    take_out(ready_, choice);
    note(Event::crashed, rank, 1);
  }

  /// Puts back on their way the messages that were kept long enough.
  void release_held() {
    const bool quiet = ready_.empty() && on_the_way_.empty();
    for (std::size_t i = 0; i < held_.size();) {
      const bool due = held_[i].behind_next ? quiet : held_[i].until <= run_.ticks;
      if (due) {
        on_the_way_.push_back(take_out(held_, i).sent);
      } else {
        ++i;
      }
    }
  }

  void deliver(std::size_t choice) {
    const Sent sent = take_out(on_the_way_, choice);
    const auto rank = static_cast<std::size_t>(sent.message.to);
    note(Event::delivered, rank, static_cast<int>(choice));
    for (Held& held : held_) {
      if (held.behind_next && held.sent.from == sent.from) {
        held.behind_next = false;
        held.until = run_.ticks;
      }
    }
    if (faults_.has_crashed(rank)) return;
    Device& device = run_.devices[rank];
    if (const Status status = device.deliver(sent.message.bytes); !status.ok()) {
      Error error = status.error();
      error.message += " (it was sent by device " + std::to_string(sent.from) + ")";
      end_by(static_cast<std::size_t>(sent.from), rank, error);
      return;
    }
    if (std::ranges::find(ready_, rank) == ready_.end() && device.next_instruction() != nullptr) {
      ready_.push_back(rank);
    }
  }

  /// Ends the run: device `at_fault` is to blame for what `noticed_by` saw.
  void end_by(std::size_t at_fault, std::size_t noticed_by, Error error) {
    run_.fault = FaultError{static_cast<int>(at_fault), steps_[noticed_by], error.code,
                            options_.faults.seed};
    run_.error = std::move(error);
  }

  /// Names who keeps the run from going on, by what can be seen from outside: who ended, who let
  /// turns pass, who waits for what was sent.
  bool blame(bool at_deadline) {
    for (std::size_t rank = 0; rank < run_.devices.size(); ++rank) {
      if (!faults_.has_crashed(rank)) continue;
      const std::string place = device_place(rank);
      end_by(rank, rank, Error{"device_crashed", place, place + " ended before it was done"});
      return true;
    }
    return (at_deadline && blame_hung()) || blame_lost();
  }

  bool blame_hung() {
    std::optional<std::size_t> worst;
    for (std::size_t rank = 0; rank < run_.devices.size(); ++rank) {
      const bool done = run_.devices[rank].next_instruction() == nullptr &&
                        std::ranges::find(ready_, rank) == ready_.end();
      const std::int64_t stalls = done ? 0 : faults_.stalls(rank);
      if (stalls > (worst ? faults_.stalls(*worst) : 0)) worst = rank;
    }
    if (!worst) return false;
    std::string waiting;
    for (const Device& device : run_.devices) {
      const std::optional<InstructionPlace> send = device.awaited_send();
      if (!send || send->rank != static_cast<int>(*worst)) continue;
      waiting += "; device " + std::to_string(device.rank()) + " waits for it";
    }
    const std::string place = device_place(*worst);
    end_by(*worst, *worst,
           Error{"device_hung", place,
                 place + " let " + std::to_string(faults_.stalls(*worst)) +
                     " turns pass and was not done after " + std::to_string(run_.ticks) + " ticks" +
                     waiting});
    return true;
  }

  bool blame_lost() {
    if (options_.faults.faults.empty()) return false;
    for (std::size_t rank = 0; rank < run_.devices.size(); ++rank) {
      const std::optional<InstructionPlace> send = run_.devices[rank].awaited_send();
      if (!send) continue;
      const auto sender = static_cast<std::size_t>(send->rank);
      if (run_.devices[sender].position() <= send->index) continue;
      const std::string place = device_place(sender);
      end_by(sender, rank,
             Error{"message_lost", place,
                   "message " + std::to_string(send->index) + " from " + place +
                       " was sent and did not come; device " + std::to_string(rank) +
                       " waits for it"});
      return true;
    }
    return false;
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

  static std::string device_place(std::size_t rank) { return "device " + std::to_string(rank); }

  LocalOptions options_;
  FaultInjector faults_;
  std::vector<std::uint32_t> steps_;  // updates that each device has done
  LocalRun run_;
  std::vector<std::size_t> ready_;  // devices that may go on
  std::vector<Sent> on_the_way_;    // messages that may arrive next
  std::vector<Held> held_;          // messages that a fault keeps back
  std::size_t done_ = 0;
};

}  // namespace

LocalRun run_local_cluster(std::vector<Device> devices, const LocalOptions& options) {
  return LocalCluster(std::move(devices), options).run();
}

}  // namespace lockstep
