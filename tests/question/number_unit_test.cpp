#include "question/number_unit.h"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <string_view>

#include "question/number_support.h"

namespace lockstep {
namespace {

TEST_CASE("Units convert by their exact ratio") {
  struct Row {
    const char* from;
    const char* to;
    Rational factor;
  };
  const std::array rows = {
      Row{"GB", "B", 1'000'000'000},
      Row{"GiB", "B", 1'073'741'824},
      Row{"GiB", "MiB", 1024},
      Row{"Gb", "GB", Rational(1, 8)},
      Row{"Gbit/s", "MB/s", 125},
      Row{"ms", "s", Rational(1, 1000)},
      Row{"\u00b5s", "ns", 1000},
      Row{"us", "ns", 1000},
      Row{"hours", "s", 3600},
      Row{"days", "h", 24},
      Row{"TFLOP/s", "FLOP/s", ten_to(12)},
      Row{"PFLOPS", "TFLOP/s", 1000},
      Row{"PFLOPs", "FLOP", ten_to(15)},
      Row{"Mtokens", "tokens", 1'000'000},
      Row{"tokens/s", "ktok/s", Rational(1, 1000)},
      Row{"kilobytes", "kB", 1},
      Row{"mebibyte", "KiB", 1024},
      Row{"feet", "cm", exact_value("30.48")},
      Row{"m/s^2", "cm s^-2", 100},
      Row{"V*A", "W", 1},
      Row{"kWh", "J", 3'600'000},
      Row{"%", "x", Rational(1, 100)},
  };
  for (const Row& row : rows) {
    CAPTURE(row.from, row.to);
    CHECK(conversion_factor(row.from, row.to) == row.factor);
    CHECK(conversion_factor(row.to, row.from) == 1 / row.factor);
    CHECK(conversion_factor(row.from, row.from) == Rational(1));
  }
}

TEST_CASE("Different quantities do not convert") {
  CHECK_FALSE(conversion_factor("GB", "s").has_value());
  CHECK_FALSE(conversion_factor("m", "m/s").has_value());
  CHECK_FALSE(conversion_factor("tokens", "FLOP").has_value());
  CHECK_FALSE(conversion_factor("V*m/A", "V").has_value());
  CHECK_FALSE(conversion_factor("FLOPS", "FLOPs").has_value());
  CHECK_FALSE(conversion_factor("widgets", "widgets").has_value());
}

TEST_CASE("What is no unit is not read as one") {
  for (const std::string_view text :
       {"",    " ",      "gb",   "mb",          "mb/s",
        "xyz", "m^",     "m^0",  "m^12",        "m^-",
        "/s",  "m/",     "m//s", "*",           "T",
        "Kis", "mtoken", "GGB",  "m^9*m^9*m^9", "m m m m m m m m m m m m m m m m m m"}) {
    CAPTURE(text);
    CHECK_FALSE(read_unit(text).has_value());
  }
}

TEST_CASE("Names of one unit are the same, neighbours are not") {
  CHECK(same_unit("s", "seconds"));
  CHECK(same_unit("token", "tokens"));
  CHECK(same_unit("device", "devices"));
  CHECK(same_unit("FLOP", "FLOPs"));
  CHECK(same_unit("GB/s", "GB / s"));
  CHECK_FALSE(same_unit("GB", "Gb"));
  CHECK_FALSE(same_unit("GB", "GiB"));
  CHECK_FALSE(same_unit("GB", "MB"));
  CHECK_FALSE(same_unit("device", "worker"));
  CHECK_FALSE(same_unit("FLOPS", "FLOPs"));
}

}  // namespace
}  // namespace lockstep
