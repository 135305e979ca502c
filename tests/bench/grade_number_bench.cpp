// Gradings a second of processor time of typed numbers, on one core, for the answers that learners
// type most.
#include <array>
#include <cstdio>
#include <ctime>
#include <string_view>

#include "question/number.h"

namespace lockstep {
namespace {

NumberKey bubble() {
  NumberKey key;
  key.value = Rational(3, 11);
  key.rule.comparison = Comparison::decimals;
  key.rule.digits = 3;
  key.mistakes = {{"over-ideal", Rational(3, 8), "That compares with the useful work."},
                  {"efficiency", Rational(8, 11), "That is the busy share."}};
  return key;
}

void measure(std::string_view name, std::string_view answer, const NumberKey& key) {
  constexpr int kRounds = 200'000;
  const std::clock_t start = std::clock();
  int correct = 0;
  for (int i = 0; i < kRounds; ++i) {
    correct += grade_number(answer, key).kind == VerdictKind::correct ? 1 : 0;
  }
  const double took_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("%-16.*s %9.0f gradings/s  (%s)\n", static_cast<int>(name.size()), name.data(),
              kRounds / took_s, correct > 0 ? "correct" : "not correct");
}

}  // namespace
}  // namespace lockstep

int main() {
  using namespace lockstep;
  const NumberKey key = bubble();
  constexpr std::array<std::array<std::string_view, 2>, 9> kAnswers = {{{"decimal", "0.273"},
                                                                        {"fraction", "3/11"},
                                                                        {"percent", "27.3 %"},
                                                                        {"scientific", "2.73e-1"},
                                                                        {"fewer digits", "0.27"},
                                                                        {"cut", "0.272"},
                                                                        {"mistake", "0.375"},
                                                                        {"wrong", "0.5"},
                                                                        {"unreadable", "abc"}}};
  for (const auto& [name, answer] : kAnswers) measure(name, answer, key);
}
