#include "model/stage.h"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/random.h"
#include "model/draw.h"
#include "model/drawn_model.h"
#include "model/gradient.h"
#include "model/layers.h"

using namespace lockstep;

namespace {

/// The model cut at random between its blocks.
template <typename T>
std::vector<Stage<T>> drawn_stages(const MlpSpec& spec, std::uint64_t seed) {
  std::vector<Stage<T>> stages;
  int first = 0;
  for (int block = 1; block <= spec.layer_count(); ++block) {
    const bool cut = random_below(seed, 103, static_cast<std::uint64_t>(block), 2) == 1;
    if (!cut && block < spec.layer_count()) continue;
    stages.emplace_back(spec, first, block, seed);
    first = block;
  }
  return stages;
}

}  // namespace

TEMPLATE_TEST_CASE("a stage holds exactly its part of the whole model's parameters", "", float,
                   double) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const MlpSpec spec = drawn_spec(seed);
    const Stage<TestType> whole(spec, seed);
    std::vector<TestType> joined;
    for (const Stage<TestType>& stage : drawn_stages<TestType>(spec, seed)) {
      joined.insert(joined.end(), stage.parameters().begin(), stage.parameters().end());
    }
    REQUIRE(same_bits<TestType>(joined, whole.parameters()));
  }
}

TEMPLATE_TEST_CASE("cut into stages and microbatches, with weights delayed, no bit changes", "",
                   float, double) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    const MlpSpec spec = drawn_spec(seed);
    const int rows = drawn_rows(seed);
    const auto batch = draw_batch<TestType>(spec, seed, rows);
    const auto expected = single_device_gradient(Stage<TestType>(spec, seed), batch);
    REQUIRE(expected.ok());

    const auto stages = drawn_stages<TestType>(spec, seed);
    const int per_microbatch = 1 + static_cast<int>(random_below(seed, 104, 0, 9));
    std::vector<std::vector<Stash<TestType>>> stashes;  // by microbatch and stage
    double squared_error = 0;
    for (int first = 0; first < rows; first += per_microbatch) {
      const int count = std::min(per_microbatch, rows - first);
      auto& stash = stashes.emplace_back(stages.size());
      auto x = draw_inputs<TestType>(spec, seed, first, count);
      for (std::size_t s = 0; s < stages.size(); ++s) x = stages[s].forward(x, stash[s]);
      const auto targets = draw_targets<TestType>(spec, seed, first, count);
      squared_error = add_squared_error<TestType>(x, targets, squared_error);
      auto dy = squared_error_gradient<TestType>(x, targets, batch.element_count());
      for (std::size_t s = stages.size(); s-- > 0;) dy = stages[s].backward_input(dy, stash[s]);
    }
    std::vector<TestType> gradient;
    for (std::size_t s = 0; s < stages.size(); ++s) {
      std::vector<TestType> sums(stages[s].parameters().size());
      for (const auto& stash : stashes) stages[s].backward_weight(stash[s], sums);
      gradient.insert(gradient.end(), sums.begin(), sums.end());
    }
    REQUIRE(squared_error / double(batch.element_count()) == expected.value().loss);
    REQUIRE(same_bits<TestType>(gradient, expected.value().gradient));
  }
}

TEST_CASE("parameters lie within one over the root of the inputs and fill that range") {
  const MlpSpec spec{{100, 50, 25}};
  const Stage<double> model(spec, 7);
  for (int layer = 0; layer < spec.layer_count(); ++layer) {
    const double limit = 1 / std::sqrt(double(spec.inputs(layer)));
    double largest = 0;
    double sum = 0;
    for (const double value : model.weight(layer).values) {
      largest = std::max(largest, std::abs(value));
      sum += value;
    }
    CHECK(largest <= limit);
    CHECK(largest > 0.99 * limit);
    const auto count = static_cast<double>(model.weight(layer).values.size());
    CHECK(std::abs(sum) < 4 * limit * std::sqrt(count / 3));  // 4 standard deviations of the sum
  }
}

TEST_CASE("a float32 run has the numbers of the float64 run, rounded") {
  const MlpSpec spec{{7, 5, 3}};
  const Stage<double> exact(spec, 3);
  const Stage<float> rounded(spec, 3);
  for (std::size_t i = 0; i < exact.parameters().size(); ++i) {
    CHECK(rounded.parameters()[i] == static_cast<float>(exact.parameters()[i]));
  }
  CHECK(draw_inputs<float>(spec, 3, 2, 1).at(0, 6) ==
        static_cast<float>(draw_inputs<double>(spec, 3, 0, 4).at(2, 6)));
}

TEST_CASE("inputs, targets and every layer's parameters are different numbers") {
  const MlpSpec spec{{4, 4, 4}};
  const Stage<double> model(spec, 5);
  const double first_weight = model.weight(0).at(0, 0) * 2;  // fan-in 4: drawn times 1/2
  CHECK(first_weight != model.weight(1).at(0, 0) * 2);
  CHECK(first_weight != draw_inputs<double>(spec, 5, 0, 1).at(0, 0));
  CHECK(draw_inputs<double>(spec, 5, 0, 1).at(0, 0) !=
        draw_targets<double>(spec, 5, 0, 1).at(0, 0));
  CHECK(draw_inputs<double>(spec, 5, 0, 1).at(0, 0) != draw_inputs<double>(spec, 6, 0, 1).at(0, 0));
}

TEST_CASE("the stash holds what backward needs, is counted, and can be freed") {
  const MlpSpec spec{{3, 5, 4, 2}};
  const int rows = 10;
  Stash<double> keep;
  const Stage<double> last(spec, 1, 3, 1);
  const auto output = last.forward(Matrix<double>(rows, 5), keep);
  CHECK(keep.value_count() == rows * (5 + 4));  // the input, and the output of the block with relu
  last.backward_input(output, keep);
  CHECK(keep.value_count() == rows * (5 + 4) + rows * (4 + 2));
  keep = {};
  CHECK(keep.value_count() == 0);

  const Stage<double> first(spec, 0, 1, 1);
  first.forward(Matrix<double>(rows, 3), keep);
  CHECK(keep.value_count() == rows * (3 + 5));  // its relu is known by its output
}
