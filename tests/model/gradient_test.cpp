#include "model/gradient.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/hash.h"

using namespace lockstep;

namespace {

Matrix<double> read_matrix(const nlohmann::json& rows) {
  Matrix<double> matrix(static_cast<int>(rows.size()), static_cast<int>(rows.at(0).size()));
  for (int row = 0; row < matrix.rows; ++row) {
    const auto values = rows.at(static_cast<std::size_t>(row)).get<std::vector<double>>();
    std::ranges::copy(values, matrix.row(row).begin());
  }
  return matrix;
}

}  // namespace

TEST_CASE("the gradient of a three-layer model is PyTorch's") {
  std::ifstream file(LOCKSTEP_TEST_DATA "/mlp-pytorch.json");
  REQUIRE(file.good());
  const nlohmann::json reference = nlohmann::json::parse(file);
  const MlpSpec spec{reference.at("widths").get<std::vector<int>>()};
  Stage<double> model(spec, 0);
  const auto parameters = reference.at("parameters").get<std::vector<double>>();
  REQUIRE(parameters.size() == model.parameters().size());
  std::ranges::copy(parameters, model.parameters().begin());

  const auto result = single_device_gradient(
      model, {read_matrix(reference.at("inputs")), read_matrix(reference.at("targets"))});
  REQUIRE(result.ok());
  CHECK(result.value().loss == Catch::Approx(reference.at("loss").get<double>()).epsilon(1e-14));
  const auto expected = reference.at("gradient").get<std::vector<double>>();
  REQUIRE(expected.size() == result.value().gradient.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(result.value().gradient[i] == Catch::Approx(expected[i]).epsilon(1e-12).margin(1e-14));
  }
}

TEST_CASE("a gradient worked by hand: two layers of one unit") {
  Stage<double> model(MlpSpec{{1, 1, 1}}, 0);
  // h = relu(2 x + 1), y = 3 h + 4; x = 1, -1 gives h = 3, 0 and y = 13, 4
  const std::vector<double> parameters{2, 1, 3, 4};
  std::ranges::copy(parameters, model.parameters().begin());
  Batch<double> batch{Matrix<double>(2, 1), Matrix<double>(2, 1)};
  batch.inputs.values = {1, -1};
  batch.targets.values = {12, 6};
  const auto result = single_device_gradient(model, batch);
  REQUIRE(result.ok());
  CHECK(result.value().loss == 2.5);  // (1 + 4) / 2
  // dy = 2 (y - t) / 2 = 1, -2; second layer: 1 * 3 - 2 * 0, 1 - 2; first: 3 * 1 * 1, 3 * 1
  CHECK(result.value().gradient == std::vector<double>{3, 3, 3, -1});
}

TEST_CASE("what is not a finite number is refused with its place") {
  const MlpSpec spec{{4, 3, 2}};
  Stage<double> model(spec, 1);
  const auto refused = [&](const Batch<double>& batch) {
    const auto result = single_device_gradient(model, batch);
    return result.ok() ? "fine" : result.error().code + " at " + result.error().where;
  };
  const Batch<double> good = draw_batch<double>(spec, 1, 8);
  CHECK(refused(good) == "fine");

  Batch<double> bad = good;
  bad.inputs.at(3, 2) = std::numeric_limits<double>::quiet_NaN();
  CHECK(refused(bad) == "not_finite at inputs row 3, column 2");
  bad = good;
  bad.targets.at(7, 1) = std::numeric_limits<double>::infinity();
  CHECK(refused(bad) == "not_finite at targets row 7, column 1");
  bad = good;
  bad.targets = copy_rows(bad.targets, 0, 7);
  CHECK(refused(bad) == "shape_mismatch at targets");
  bad = good;
  bad.inputs = Matrix<double>(8, 3);
  CHECK(refused(bad) == "shape_mismatch at inputs");
  CHECK(refused({Matrix<double>(0, 4), Matrix<double>(0, 2)}) == "rows_out_of_range at rows");

  for (double& value : model.parameters()) value = 1e200;
  CHECK(refused(good) == "not_finite at loss");
}

TEST_CASE("a gradient that overflows is refused although the loss is finite") {
  Stage<double> model(MlpSpec{{1, 1, 1}}, 0);
  // h = 1e-200, y = 1e150 * 1e-200 * …; dy = 2 (0 - 1e150) and 1e200 * 1e150 overflows
  const std::vector<double> parameters{0, 1e-300, 1e200, 0};
  std::ranges::copy(parameters, model.parameters().begin());
  Batch<double> batch{Matrix<double>(1, 1), Matrix<double>(1, 1)};
  batch.inputs.values = {1};
  batch.targets.values = {1e150};
  const auto result = single_device_gradient(model, batch);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().where == "layer 0 weight, row 0, column 0");
}

TEST_CASE("the gradient hash is FNV-1a over little-endian bytes") {
  // 1.0 is 3ff0000000000000, 1.0f is 3f800000
  const std::vector<std::byte> wide{std::byte{0}, std::byte{0}, std::byte{0},    std::byte{0},
                                    std::byte{0}, std::byte{0}, std::byte{0xf0}, std::byte{0x3f}};
  const std::vector<std::byte> narrow{std::byte{0}, std::byte{0}, std::byte{0x80}, std::byte{0x3f}};
  CHECK(gradient_hash<double>(std::vector<double>{1.0}) == hex16(fnv1a(wide)));
  CHECK(gradient_hash<float>(std::vector<float>{1.0f}) == hex16(fnv1a(narrow)));
  CHECK(gradient_hash<double>({}) == "cbf29ce484222325");
}

TEST_CASE("the default run has the same bits in every build") {
  const MlpSpec spec{{16, 32, 32, 4}};
  const auto hash = [&spec]<typename T>(T) {
    const auto result = single_device_gradient(Stage<T>(spec, 1), draw_batch<T>(spec, 1, 64));
    REQUIRE(result.ok());
    return gradient_hash<T>(result.value().gradient);
  };
  // Both also computed by plain loops over Python floats (float32 by rounding after every step).
  CHECK(hash(double{}) == "edf520ec44ac851f");
  CHECK(hash(float{}) == "3ce431ae12d0d2d3");
}
