// Which send each receive waits for, and in which order a program can run.
#pragma once

#include <vector>

#include "program/program.h"

namespace lockstep {

/// A place in a program.
struct InstructionPlace {
  int rank = -1;
  int index = -1;  ///< of the instruction in its device's list

  bool exists() const { return rank >= 0; }
  bool operator==(const InstructionPlace&) const = default;
};

/// For each rank and instruction the other end of the message: of a receive its send, of a send its
/// receive; of anything else, and where there is no other end, a place that does not exist.
using MessageEnds = std::vector<std::vector<InstructionPlace>>;

/// Pairs the k-th send of a tensor name from a to b with the k-th receive of that name at b from a.
/// A message is so known by its sender's rank and the index of its send, whatever the order of
/// arrival. Messages of a device to itself, or with a peer that does not exist, have no other end.
/// Linear in the number of instructions where devices receive in the order of sending, else
/// n log n.
MessageEnds match_messages(const Program& program);

/// An order in which all instructions that can run do run.
struct RunOrder {
  std::vector<InstructionPlace> order;
  std::vector<int>
      stopped_at;  ///< by rank: the receive that it waits at for ever, or the list's size

  bool complete(const Program& program) const;
};

/// Runs the program without tensors: each device goes on until a receive whose send has not run.
/// Receives without a send do not wait (validate reports them), so that every wait that remains is
/// part of a cycle or waits for one. Which instructions run does not depend on the order that is
/// tried; the order that is returned is always the same. Linear in the number of instructions.
RunOrder run_order(const Program& program, const MessageEnds& ends);

}  // namespace lockstep
