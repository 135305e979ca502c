// What validators find: every fault of a program or a schedule, not the first alone.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"

namespace lockstep {

/// Nobody reads more than this; a text of a few words can have a million faults.
inline constexpr std::size_t kMaxFaults = 1000;

/// Collects faults up to kMaxFaults; then one more, code "more_faults", says that there are others.
class FaultList {
 public:
  void add(std::string code, std::string where, std::string message) {
    if (faults_.size() < kMaxFaults) {
      faults_.push_back({std::move(code), std::move(where), std::move(message)});
    } else if (!full()) {
      faults_.push_back({"more_faults", "", "There are more faults; mend these first."});
    }
  }
  bool empty() const { return faults_.empty(); }
  bool full() const { return faults_.size() > kMaxFaults; }
  std::vector<Error> take() { return std::move(faults_); }

 private:
  std::vector<Error> faults_;
};

}  // namespace lockstep
