#include "schedule/building_block.h"
#include "schedule/make.h"

namespace lockstep {

Result<Schedule> make_v_half(const ScheduleShape& shape) {
  Result<Schedule> made = v_schedule("v_half", shape);
  if (!made.ok()) return made;
  // The steps are the paper's. The turns are the shortest for which no two passes of a rank fall on
  // one slot of six, which depends on the parity of p.
  const bool is_even = shape.ranks % 2 == 0;
  repeat_block({.step = {2, 1, 2, 1},
                .turn = is_even ? std::array{4, 1, 5} : std::array{1, 1, 2},
                .memory = 2 * (shape.ranks / 2 + 1)},
               shape, made.value());
  return made;
}

}  // namespace lockstep
