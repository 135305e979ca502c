#include "cli/schedule_options.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "program/program.h"
#include "schedule/validate_communication.h"

namespace lockstep::cli {

Result<GivenDurations> given_durations(const Arguments& arguments) {
  std::vector<DurationText> texts;
  for (const std::string_view key : duration_keys()) {
    std::string option = "--" + std::string(key);
    std::ranges::replace(option, '_', '-');
    if (!arguments.has(option)) continue;
    std::string text = arguments.text(option);
    texts.push_back({key, std::move(option), std::move(text)});
  }
  return read_durations(texts);
}

Result<OrderLimits> given_limits(const Arguments& arguments) {
  OrderLimits limits;
  if (arguments.has("--memory")) {
    const Result<long> cap = arguments.integer("--memory", 1, 1, kMaxChunks * kMaxMicrobatches);
    if (!cap.ok()) return cap.error();
    limits.memory_cap = static_cast<int>(cap.value());
  }
  static constexpr std::string_view kFreed[] = {"weight", "input"};
  const Result<std::string> freed = arguments.word("--freed-at", kFreed);
  if (!freed.ok()) return freed.error();
  if (freed.value() == "input") limits.freeing = Freeing::at_input_gradient;
  if (arguments.has("--whole")) limits.backward = BackwardForm::whole;
  return limits;
}

Dialect given_dialect(const Arguments& arguments) {
  return arguments.has("--old") ? Dialect::old : Dialect::current;
}

std::vector<Error> faults_of(const CommunicationSchedule& schedule,
                             const ScheduleDemands& demands) {
  return schedule.has_communication() ? validate_communication(schedule, demands)
                                      : validate_schedule(work_of(schedule), demands);
}

}  // namespace lockstep::cli
