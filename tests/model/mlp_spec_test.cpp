#include "model/mlp_spec.h"

#include <catch2/catch_test_macros.hpp>

using namespace lockstep;

TEST_CASE("a layer has outputs times inputs weights and one bias an output") {
  const MlpSpec spec{{16, 32, 32, 4}};
  CHECK(spec.layer_count() == 3);
  // 32 * 16 + 32 = 544, 32 * 32 + 32 = 1056, 4 * 32 + 4 = 132
  CHECK(parameter_count(spec) == 544 + 1056 + 132);
  CHECK(parameter_count(spec, 1, 3) == 1056 + 132);
  CHECK(parameter_count(spec, 2, 2) == 0);
}

TEST_CASE("the flat index of every parameter leads back to its place in model order") {
  const MlpSpec spec{{3, 1, 4, 2}};
  std::size_t index = 0;
  for (int layer = 0; layer < spec.layer_count(); ++layer) {
    for (int row = 0; row < spec.outputs(layer); ++row) {
      for (int column = 0; column < spec.inputs(layer); ++column) {
        CHECK(locate_parameter(spec, index++) == ParameterPlace{layer, false, row, column});
      }
    }
    for (int row = 0; row < spec.outputs(layer); ++row) {
      CHECK(locate_parameter(spec, index++) == ParameterPlace{layer, true, row, 0});
    }
  }
  CHECK(index == parameter_count(spec));
}

TEST_CASE("a place reads as words") {
  CHECK(describe({2, false, 3, 1}) == "layer 2 weight, row 3, column 1");
  CHECK(describe({2, true, 3, 0}) == "layer 2 bias, row 3");
}

TEST_CASE("a spec out of its limits is refused with its place") {
  const auto refused = [](std::vector<int> widths) {
    const Status status = check_spec({std::move(widths)});
    return status.ok() ? "fine" : status.error().code + " at " + status.error().where;
  };
  CHECK(refused({1, 1}) == "fine");
  CHECK(refused({kWidthMax, 1}) == "fine");
  CHECK(refused(std::vector<int>(kLayersMax + 1, 2)) == "fine");
  CHECK(refused({}) == "layers_out_of_range at widths");
  CHECK(refused({4}) == "layers_out_of_range at widths");
  CHECK(refused(std::vector<int>(kLayersMax + 2, 2)) == "layers_out_of_range at widths");
  CHECK(refused({4, 0, 4}) == "width_out_of_range at widths 1");
  CHECK(refused({4, 4, -1}) == "width_out_of_range at widths 2");
  CHECK(refused({kWidthMax + 1, 4}) == "width_out_of_range at widths 0");
  // 4096 * 4096 weights alone are the limit of 2^24, the biases go over it.
  CHECK(refused({kWidthMax, kWidthMax}) == "model_too_large at widths");
}

TEST_CASE("rows out of their limits are refused") {
  const auto refused = [](const MlpSpec& spec, int rows) {
    const Status status = check_rows(spec, rows);
    return status.ok() ? "fine" : status.error().code;
  };
  CHECK(refused({{4, 2}}, 1) == "fine");
  CHECK(refused({{4, 2}}, kRowsMax) == "fine");
  CHECK(refused({{4, 2}}, 0) == "rows_out_of_range");
  CHECK(refused({{4, 2}}, -3) == "rows_out_of_range");
  CHECK(refused({{4, 2}}, kRowsMax + 1) == "rows_out_of_range");
  CHECK(refused({{4, kWidthMax}}, 4096) == "fine");
  CHECK(refused({{4, kWidthMax}}, 4097) == "batch_too_large");
}
