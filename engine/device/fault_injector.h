// Lets the faults of a plan strike: asked by the cluster before a device takes its turn and when a
// message goes out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/device.h"
#include "device/fault_plan.h"

namespace lockstep {

/// What becomes of the turn of a device.
enum class Turn { go, stall, crash, out_of_memory };

/// What becomes of a message, besides changed bytes.
struct MessageFate {
  int copies = 1;
  std::int64_t delay = 0;    ///< ticks until it is on its way
  bool behind_next = false;  ///< it waits until the sender's next message has arrived
  bool sender_crashes = false;
  bool struck = false;  ///< whether any fault struck
};

/// Where a message comes from: a send of a device, in a run of `ranks` devices.
struct SendPlace {
  int device = 0;
  int instruction = 0;
  int ranks = 1;
};

class FaultInjector {
 public:
  /// For a plan that check_fault_plan accepts, or one without faults.
  FaultInjector(const FaultPlan& plan, std::size_t devices);

  /// What happens to the turn that `device` has at tick `now`.
  Turn turn(const Device& device, std::int64_t now);

  /// What happens to a message that is sent at tick `now`; changes its bytes.
  MessageFate send(const SendPlace& place, std::int64_t now, std::vector<std::byte>& bytes);

  bool has_crashed(std::size_t device) const { return states_[device].crashed; }

  /// The turns that the device let pass.
  std::int64_t stalls(std::size_t device) const { return states_[device].stalls; }

  /// The faults that struck, in the order of the plan.
  std::vector<PlannedFault> struck() const;

 private:
  struct State {
    bool crashed = false;
    bool hung = false;
    bool slow = false;
    int turns_waited = 0;  ///< of a slow device, for its next instruction
    std::int64_t paused_until = 0;
    std::int64_t stalls = 0;
  };

  Turn strike_device(const Device& device, std::int64_t now, State& state);
  Turn stall(State& state);
  bool change_bytes(const PlannedFault& fault, const SendPlace& place,
                    std::vector<std::byte>& bytes);
  std::size_t draw(std::size_t bound);

  FaultPlan plan_;
  std::vector<bool> struck_;
  std::vector<State> states_;
  std::uint64_t draws_ = 0;
};

}  // namespace lockstep
