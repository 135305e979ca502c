#include "schedule/building_block.h"
#include "schedule/make.h"

namespace lockstep {

Result<Schedule> make_v_min(const ScheduleShape& shape) {
  Result<Schedule> made = v_schedule("v_min", shape);
  if (!made.ok()) return made;
  // The steps are the paper's: no pass can be faster. With turns of one slot two passes of a rank
  // would fall on one slot of six where 3 divides p.
  const bool collides = shape.ranks % 3 == 0;
  repeat_block({.step = {1, 1, 1, 1},
                .turn = collides ? std::array{3, 1, 3} : std::array{1, 1, 1},
                .memory = 2 * ((shape.ranks + 4) / 3)},
               shape, made.value());
  return made;
}

}  // namespace lockstep
