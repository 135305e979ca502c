#include "cost/hardware.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace lockstep;

TEST_CASE("every figure of every accelerator is found by its name, or said to be missing") {
  for (const Accelerator& chip : accelerators()) {
    CHECK(!chip.source.empty());
    for (std::size_t i = 0; i < hardware_figures().size(); ++i) {
      const std::string name =
          std::string(chip.name) + "." + std::string(hardware_figures()[i].name);
      CAPTURE(name);
      const Result<Rational> figure = hardware_figure(name);
      if (chip.values[i] > 0) {
        CHECK(figure.value() == Rational(chip.values[i]));
      } else {
        CHECK(figure.error().code == "no_figure");
      }
    }
  }
  // Google counts in 2^30, NVIDIA in 10^9.
  CHECK(hardware_figure("TPUv4.memory").value() == Rational(34'359'738'368));
  CHECK(hardware_figure("A100.memory").value() == Rational(80'000'000'000));
}

TEST_CASE("a mistyped accelerator or figure is answered with the nearest one") {
  CHECK(hardware_figure("H10.bf16").error().code == "unknown_hardware");
  CHECK(hardware_figure("H100.bf61").error().code == "unknown_figure");
  CHECK(hardware_figure("H100").error().code == "unknown_figure");
  CHECK(hardware_figure("").error().code == "unknown_hardware");
}
