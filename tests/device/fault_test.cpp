#include <catch2/catch_test_macros.hpp>
#include <string>

#include "core/hash.h"
#include "device/fault_plan.h"
#include "device/fault_run.h"
#include "support/fault_soak.h"

using namespace lockstep;

namespace {

/// Runs one fault on each run and each device of the soak, and says how often it struck. Seeds
/// draw the order of delivery and where a message changes.
int strike(FaultKind kind, int seeds = 20) {
  int struck = 0;
  for (const test::SoakRun& base : test::soak_runs()) {
    for (int seed = 0; seed < seeds; ++seed) {
      for (int device = 0; device < static_cast<int>(base.devices.size()); ++device) {
        const FaultPlan plan{static_cast<std::uint64_t>(seed), {{kind, device, kAnySend, seed}}};
        const FaultRun run = run_with_faults(base.devices, plan, base.expected);
        CAPTURE(seed, device, base.devices.size());
        CHECK(test::soak_fault(run, base.devices) == "");
        if (run.run.error) CHECK(run.run.fault->device == device);
        struck += static_cast<int>(run.run.struck.size());
      }
    }
  }
  return struck;
}

FaultRun pipeline_with(const PlannedFault& fault) {
  const test::SoakRun base = test::soak_runs()[9];  // 1F1B on four devices
  return run_with_faults(base.devices, {5, {fault}}, base.expected);
}

}  // namespace

TEST_CASE("a stale message is refused, and its sender named") {
  CHECK(strike(FaultKind::stale_step) > 100);
}
TEST_CASE("a message of a wrong shape is refused although its checksum is right") {
  CHECK(strike(FaultKind::wrong_shape) > 100);
}
TEST_CASE("a message for another rank is refused although its checksum is right") {
  CHECK(strike(FaultKind::wrong_rank) > 100);
}
TEST_CASE("a NaN in a message is refused although its checksum is right") {
  CHECK(strike(FaultKind::nan) > 100);
}
TEST_CASE("an infinity in a message is refused although its checksum is right") {
  CHECK(strike(FaultKind::infinity) > 100);
}
TEST_CASE("a message whose end is lost is refused, and its sender named") {
  CHECK(strike(FaultKind::truncate) > 100);
}
TEST_CASE("a bit that flips on the wire is found, and the sender named") {
  CHECK(strike(FaultKind::bit_flip) > 100);
}
TEST_CASE("a message of another version is refused, and its sender named") {
  CHECK(strike(FaultKind::version_mismatch) > 100);
}
TEST_CASE("a delayed message changes no bit") {
  CHECK(strike(FaultKind::delay) > 100);
}
TEST_CASE("messages that overtake each other change no bit") {
  CHECK(strike(FaultKind::reorder) > 100);
}
TEST_CASE("a message that comes twice counts once") {
  CHECK(strike(FaultKind::duplicate) > 100);
}
TEST_CASE("a message that is dropped is missed, and its sender named") {
  CHECK(strike(FaultKind::drop) > 100);
}
TEST_CASE("a device that crashes before it sends is named") {
  CHECK(strike(FaultKind::crash_before_send) > 100);
}
TEST_CASE("a device that crashes after it sent is named") {
  CHECK(strike(FaultKind::crash_after_send) > 100);
}
TEST_CASE("a device that hangs is named at the deadline, with those that wait for it") {
  CHECK(strike(FaultKind::hang) > 100);
  const FaultRun run = pipeline_with({FaultKind::hang, 2, kAnySend, 0});
  REQUIRE(run.run.error);
  CHECK(run.run.error->message.find("device 1 waits for it") != std::string::npos);
  CHECK(run.run.error->message.find("device 3 waits for it") != std::string::npos);
}
TEST_CASE("a device 100 times slower makes the same bits, or is named at the deadline") {
  CHECK(strike(FaultKind::slow) > 100);
}
TEST_CASE("a device without memory is named") {
  CHECK(strike(FaultKind::out_of_memory) > 100);
}
TEST_CASE("a pause changes no bit") {
  CHECK(strike(FaultKind::pause) > 100);
}

TEST_CASE("every seed of faults gives the right bits or names a device that had a fault") {
  test::soak(0, LOCKSTEP_SOAK_SEEDS);  // tests/CMakeLists.txt says how many
}

TEST_CASE("the table of faults has its kinds in order, each found by its name") {
  for (std::size_t i = 0; i < fault_kinds().size(); ++i) {
    CHECK(static_cast<std::size_t>(fault_kinds()[i].kind) == i);
    CHECK(find_fault_kind(fault_kinds()[i].name).value().kind == fault_kinds()[i].kind);
  }
  CHECK(find_fault_kind("dorp").error().message.find("did you mean \"drop\"") != std::string::npos);
}

TEST_CASE("a fault plan out of range is refused with its place, and nothing runs") {
  const struct {
    PlannedFault fault;
    const char* code;
    const char* where;
  } cases[] = {
      {{FaultKind::drop, 4}, "unknown_device", "faults/1/device"},
      {{FaultKind::drop, -1}, "unknown_device", "faults/1/device"},
      {{FaultKind::drop, 0, kAnySend, -1}, "negative_tick", "faults/1/when"},
      {{FaultKind::drop, 0, 0}, "unknown_send", "faults/1/send"},  // a forward stands there
      {{FaultKind::drop, 0, 999}, "unknown_send", "faults/1/send"},
      {{FaultKind::hang, 0, 1}, "unknown_send", "faults/1/send"},
      {{static_cast<FaultKind>(99), 0}, "unknown_fault", "faults/1/kind"},
      {{static_cast<FaultKind>(-1), 0}, "unknown_fault", "faults/1/kind"},
  };
  const test::SoakRun base = test::soak_runs()[9];
  for (const auto& row : cases) {
    const FaultPlan plan{0, {{FaultKind::delay, 0}, row.fault}};
    const LocalRun run = run_local_cluster(base.devices, {.faults = plan});
    REQUIRE(run.error);
    CHECK(run.error->code == row.code);
    CHECK(run.error->where == row.where);
    CHECK(run.ticks == 0);
  }
  const FaultPlan many{0, std::vector<PlannedFault>(kFaultsMax + 1)};
  CHECK(check_fault_plan(many, base.devices).error().code == "too_many_faults");
}

TEST_CASE("a seed replays its faults: the same trace natively and in WebAssembly") {
  const std::vector<test::SoakRun> runs = test::soak_runs();
  std::string hashes;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const test::SoakRun& base = runs[seed % runs.size()];
    const FaultPlan plan = draw_fault_plan(seed, base.devices);
    const FaultRun first = run_with_faults(base.devices, plan, base.expected);
    const FaultRun again = run_with_faults(base.devices, plan, base.expected);
    CHECK(first.run.trace_hash == again.run.trace_hash);
    hashes += hex16(first.run.trace_hash) + "\n";
  }
  CHECK(hashes ==
        "7b76e36e51586120\n"
        "8ff22a5bbb15a326\n"
        "2749a4afcc16ef8c\n"
        "0f8617e516d184c7\n"
        "dd3e365aa37622e5\n"
        "f28fad0dfc336bec\n"
        "c1021bd6a1f2300d\n"
        "62a871ff6450d25c\n"
        "c49a6bcc4cf5aca5\n"
        "1ce3450b941cb85e\n"
        "a7559ccad62578ec\n"
        "603d5526851c86c0\n");
}
