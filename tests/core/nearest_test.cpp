#include "core/nearest.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace lockstep;

namespace {
constexpr std::array<std::string_view, 4> kNames = {"gpipe", "one_f_one_b", "looped_bfs", "zbv"};
}

TEST_CASE("a mistyped name finds the name it was meant to be") {
  CHECK(nearest("gpip", kNames) == "gpipe");
  CHECK(nearest("gppie", kNames) == "gpipe");
  CHECK(nearest("GPipe", kNames) == "gpipe");
  CHECK(nearest("onef_oneb", kNames) == "one_f_one_b");
  CHECK(nearest("zvb", kNames) == "zbv");
}

TEST_CASE("a word that is near nothing finds nothing") {
  CHECK(nearest("", kNames).empty());
  CHECK(nearest("ring", kNames).empty());
  CHECK(nearest("zzz", kNames).empty());
  CHECK(nearest(std::string(100000, 'g'), kNames).empty());
  CHECK(nearest("gpipe", {}).empty());
}

TEST_CASE("of two equally near names the first is taken") {
  constexpr std::array<std::string_view, 2> names = {"v_half", "v_haln"};
  CHECK(nearest("v_hal", names) == "v_half");
}

TEST_CASE("the suggestion reads as the end of a sentence, or is empty") {
  CHECK(did_you_mean("gpip", kNames) == " (did you mean \"gpipe\"?)");
  CHECK(did_you_mean("ring", kNames).empty());
}
