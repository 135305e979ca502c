// pytorch-cases FILE: what PyTorch made, one JSON object a line: plans of its schedules and the
// shapes that they refuse, its texts of schedules with their communication, or results of
// operators, models, optimizers and rounding. Prints each failing case with what it came to, last
// "N passed, N failed". Exit status 1 when a case failed, 2 when there is nothing to run.
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>

#include "drivers/answer.h"
#include "drivers/pytorch_numerics.h"
#include "schedule/action.h"
#include "schedule/communication.h"
#include "schedule/schedule.h"
#include "schedule/text.h"
#include "schedule/validate_communication.h"

namespace lockstep::drivers {
namespace {

std::string row_text(const std::vector<Action>& actions) {
  std::string text;
  for (const std::string& cell : cell_texts(actions)) text += (text.empty() ? "" : " ") + cell;
  return text;
}

void check_plan(const Json& test_case) {
  const Result<Schedule> made =
      make_schedule(test_case.at("schedule").get<std::string>(),
                    {test_case.at("p"), test_case.at("v"), test_case.at("m")});
  if (test_case.contains("refused")) {
    if (made.ok()) throw std::runtime_error("is not refused");
    return;
  }
  const Schedule schedule = must(made);
  const Json& grid = test_case.at("grid");
  if (grid.size() != schedule.ranks.size()) throw std::runtime_error("has other ranks");
  for (std::size_t rank = 0; rank < grid.size(); ++rank) {
    const std::string row = row_text(schedule.ranks[rank]);
    if (grid[rank] != row) {
      throw std::runtime_error("rank " + std::to_string(rank) + " is " + row);
    }
  }
}

std::string csv_text(const Json& rows) {
  std::string text;
  for (const Json& row : rows) text += row.get<std::string>() + "\n";
  return text;
}

void check_equal(const std::string& text, const std::string& expected, const std::string& what) {
  if (text != expected) throw std::runtime_error(what + " is\n" + text);
}

/// A text with communication: without faults, of the same work, written back byte for byte, and
/// what our own lowering makes of that work.
void check_communication(const std::string& text, const Schedule& schedule, Weights weights) {
  const CommunicationSchedule read = must(read_communication(text));
  for (const Error& fault : validate_communication(read)) {
    throw std::runtime_error(fault.where + ": " + fault.message);
  }
  check_equal(write_csv(read), text, "the text written back");
  check_equal(write_csv(work_of(read)), write_csv(schedule), "its work");
  check_equal(write_csv(must(add_communication(schedule, weights))), text, "our communication");
}

void check_csv(const Json& test_case) {
  const std::string text = csv_text(test_case.at("compute_only"));
  const Schedule schedule = must(read_schedule(text));
  check_equal(write_csv(schedule), text, "the compute-only text written back");
  if (test_case.at("stage_to_rank") != schedule.stage_rank) {
    throw std::runtime_error("has its stages on other ranks");
  }
  check_communication(csv_text(test_case.at("compute_comms")), schedule, Weights::whole);
  check_communication(csv_text(test_case.at("compute_comms_sharded")), schedule, Weights::sharded);
}

void check(const Json& test_case) {
  if (test_case.contains("op")) {
    check_numerics(test_case);
  } else if (test_case.contains("compute_only")) {
    check_csv(test_case);
  } else {
    check_plan(test_case);
  }
}

std::string name_of(const Json& test_case, int line) {
  return test_case.is_object() ? test_case.value("id", "line " + std::to_string(line)) : "a line";
}

int run(const char* path) {
  std::ifstream file(path);
  int passed = 0;
  int failed = 0;
  for (std::string line; std::getline(file, line);) {
    const Json test_case = Json::parse(line, nullptr, false);
    try {
      check(test_case);
      ++passed;
    } catch (const std::exception& error) {
      ++failed;
      std::printf("%s: %s\n", name_of(test_case, passed + failed).c_str(), error.what());
    }
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  if (passed + failed == 0) return 2;
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lockstep::drivers

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "Usage: pytorch-cases FILE\n");
    return 2;
  }
  return lockstep::drivers::run(arguments[1]);
}
