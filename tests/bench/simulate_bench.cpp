// How fast programs are built, checked and timed, and how that grows with stages · microbatches.
// Prints figures; asserts nothing. Run build/bin/simulate-bench.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <ctime>

#include "cost/simulate.h"
#include "program/validate.h"
#include "schedule/lower.h"
#include "schedule/schedule.h"

using namespace lockstep;

namespace {

constexpr int kRepetitions = 5;

/// The least processor time of a few runs, in milliseconds: other programs do not count.
template <typename Work>
double milliseconds(Work work) {
  double least = 1e300;
  for (int i = 0; i < kRepetitions; ++i) {
    const std::clock_t start = std::clock();
    work();
    const auto ticks = static_cast<double>(std::clock() - start);
    least = std::min(least, 1e3 * ticks / CLOCKS_PER_SEC);
  }
  return least;
}

std::size_t instructions_of(const Program& program) {
  std::size_t count = 0;
  for (const DeviceProgram& device : program.devices) count += device.instructions.size();
  return count;
}

/// One line; returns the milliseconds per million actions of the simulation.
double print_row(const ScheduleRow& row, int ranks, int microbatches) {
  const Schedule schedule = row.make({ranks, 1, microbatches}).value();
  const Program program = lower(schedule);
  const double actions = 2.0 * ranks * microbatches;
  const double lower_ms = milliseconds([&] { lower(schedule); });
  const double simulate_ms = milliseconds([&] { simulate(program, {}).ok(); });
  std::printf("%-12s %4d %6d %9zu %9.2f %9.2f %12.1f", row.name.data(), ranks, microbatches,
              instructions_of(program), lower_ms, simulate_ms, actions / simulate_ms / 1e3);
  // The last shapes are larger than a lesson may ask for: validate refuses them at once.
  if (microbatches <= kMaxMicrobatches) {
    std::printf(" %11.2f", milliseconds([&] { validate(program); }));
  }
  std::printf("\n");
  return 1e6 * simulate_ms / actions;
}

}  // namespace

int main() {
  std::printf("%-12s %4s %6s %9s %9s %9s %12s %11s\n", "schedule", "p", "m", "instr.", "lower ms",
              "simul. ms", "M actions/s", "validate ms");
  struct Shape {
    int ranks;
    int microbatches;
  };
  for (const std::string_view name : {"gpipe", "one_f_one_b"}) {
    const ScheduleRow row = find_schedule(name).value();
    double first = 0;
    double last = 0;
    for (const Shape& shape : {Shape{10, 10}, Shape{25, 40}, Shape{50, 200}, Shape{64, 1024},
                               Shape{64, 1562}, Shape{64, 15625}}) {
      last = print_row(row, shape.ranks, shape.microbatches);
      if (first == 0) first = last;
    }
    std::printf("time per action at p·m = 10^6 against 10^2: %.2f times\n\n", last / first);
  }
}
