// oracle-cases FILE: computes every case of a file in the format of parallel-training-cases.json
// from its inputs and compares. Prints a line a failing case, last "N passed, N failed"; cases for
// information only are counted apart.
// Exit status 1 when a case failed, 2 when there is nothing to run.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <optional>
#include <string>

#include "drivers/answer.h"
#include "drivers/oracle_forms.h"
#include "drivers/oracle_ops.h"

namespace lockstep::drivers {
namespace {

/// The engine's answer to a case. Throws for an op that is not known and for an error of the
/// engine.
Answer answer_to(const std::string& topic, const std::string& op, const Json& inputs) {
  for (const OpRow& row : kOpRows) {
    if (row.topic == topic && row.op == op) return row.answer(inputs);
  }
  const std::optional<Answer> answer = answer_by_forms(topic, op, inputs);
  if (!answer) throw std::runtime_error("unknown op " + topic + "/" + op);
  return *answer;
}

/// What is expected, of the keys that are to be compared.
Json compared_part(const Json& test_case) {
  const Json& expected = test_case.at("expected");
  if (!test_case.contains("compare")) return expected;
  Json part;
  for (const Json& key : test_case["compare"]) {
    part[key.get<std::string>()] = expected.at(key.get<std::string>());
  }
  return part;
}

/// Nothing if the case passes, else what is wrong.
std::optional<std::string> problem_of(const Json& test_case) {
  const bool wants_error = test_case.value("compare", Json()) == "error";
  try {
    const Answer answer =
        answer_to(test_case.at("topic"), test_case.at("op"), test_case.at("inputs"));
    if (wants_error) return "an error was expected";
    const Rational tolerance = exact(test_case.value("tol", Json(0)));
    if (equal(compared_part(test_case), answer, tolerance)) return std::nullopt;
    return "expected " + compared_part(test_case).dump().substr(0, 200);
  } catch (const std::exception& error) {
    const std::string message = error.what();
    if (wants_error && !message.starts_with("unknown op")) return std::nullopt;
    return message;
  }
}

int run(const std::string& path) {
  std::ifstream file(path);
  const Json content = Json::parse(file, nullptr, false);
  if (!content.is_object() || !content.contains("cases")) {
    std::fprintf(stderr, "oracle-cases: %s is no file of cases\n", path.c_str());
    return 2;
  }
  int passed = 0;
  int failed = 0;
  int declined = 0;
  for (const Json& test_case : content["cases"]) {
    const std::string topic = test_case.value("topic", "");
    if (test_case.value("compare", Json()) == "none") {
      ++declined;
      continue;
    }
    const std::optional<std::string> problem = problem_of(test_case);
    ++(problem ? failed : passed);
    if (!problem) continue;
    std::printf("%s (%s): %s\n", test_case.value("id", "?").c_str(), topic.c_str(),
                problem->c_str());
  }
  if (declined > 0) std::printf("%d for information only\n", declined);
  std::printf("%d passed, %d failed\n", passed, failed);
  if (passed + failed == 0) return 2;
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lockstep::drivers

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "Usage: oracle-cases FILE\n");
    return 2;
  }
  return lockstep::drivers::run(arguments[1]);
}
