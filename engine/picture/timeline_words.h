// What a timeline's picture says in words.
#pragma once

#include <string>
#include <vector>

#include "cost/timeline.h"
#include "picture/timeline.h"
#include "program/program.h"

namespace lockstep {

/// True for what brings the gradients of several devices together: sends and receives of gradient
/// chunks, and scales.
bool is_exchange(const Instruction& instruction);

/// The texts of one timeline; keeps references to what it is made of.
class TimelineWords {
 public:
  TimelineWords(const Program& program, const Timeline& timeline, TimeSource source)
      : program_(program), timeline_(timeline), is_measured_(source == TimeSource::measured) {}

  /// "1F1B: 4 devices, 8 microbatches"
  std::string title() const;

  /// How much of the time is idle; then, where it was so, that the clock was too coarse.
  std::vector<std::string> notes() const;

  /// Says what the picture says, for those who do not see it.
  std::string description() const;

  /// What the axis counts: "simulated time", "measured time, ms".
  std::string axis() const;

  /// What an instruction does and when, in one line.
  std::string cell(int rank, int instruction) const;

 private:
  std::string name() const;
  std::string idle() const;
  std::string coarse_clock() const;
  std::string device(int rank) const;
  std::string share(const Rational& share) const;
  std::string time(Ticks ticks) const;
  std::string_view kind_of_time() const;

  const Program& program_;
  const Timeline& timeline_;
  bool is_measured_;
};

}  // namespace lockstep
