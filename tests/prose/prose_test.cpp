#include "prose/prose.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"

using namespace lockstep;

namespace {

constexpr std::string_view kNames[] = {"single_s", "devices", "key"};

Environment numbers() {
  Environment environment;
  environment.set("single_s", 80);
  environment.set("devices", 12);
  environment.set("key", Rational(20, 3));
  return environment;
}

ProseTemplate parse(const std::vector<std::string_view>& texts, std::vector<ProseFault>& faults) {
  return ProseTemplate::parse(texts, {kNames, standard_functions()}, faults);
}

Prose prose_of(const std::vector<std::string_view>& texts) {
  std::vector<ProseFault> faults;
  const ProseTemplate prose = parse(texts, faults);
  REQUIRE(faults.empty());
  const Environment environment = numbers();
  const Result<Prose> filled = prose.fill({&environment, {{"key", "6.667"}}, {}});
  REQUIRE(filled.ok());
  return filled.value();
}

/// "code offset" of each fault of one text.
std::vector<std::string> faults_of(std::string_view text) {
  std::vector<ProseFault> faults;
  parse({text}, faults);
  std::vector<std::string> list;
  for (const ProseFault& fault : faults) {
    list.push_back(fault.code + " " + std::to_string(fault.offset));
  }
  return list;
}

using Faults = std::vector<std::string>;

}  // namespace

TEST_CASE("paragraphs and neighbouring items become blocks") {
  const Prose prose = prose_of({"One.", "- a", "- b", "Two.", "- c"});
  REQUIRE(prose.size() == 4);
  CHECK_FALSE(prose[0].is_list);
  CHECK(prose[1].is_list);
  CHECK(prose[1].lines.size() == 2);
  CHECK(prose[3].lines.size() == 1);
  CHECK(plain_text(prose) == "One.\n- a\n- b\nTwo.\n- c");
}

TEST_CASE("code is taken as it stands, emphasis may hold code and values") {
  const Prose prose = prose_of({"a `{x} *y*` *b `c` {devices}* d"});
  REQUIRE(prose.size() == 1);
  const std::vector<Span> expected = {{SpanKind::text, "a ", {}},
                                      {SpanKind::code, "{x} *y*", {}},
                                      {SpanKind::text, " ", {}},
                                      {SpanKind::emphasis,
                                       "",
                                       {{SpanKind::text, "b ", {}},
                                        {SpanKind::code, "c", {}},
                                        {SpanKind::text, " ", {}},
                                        {SpanKind::value, "12", {}}}},
                                      {SpanKind::text, " d", {}}};
  CHECK(prose[0].lines[0] == expected);
}

TEST_CASE("a value is worked out exactly; a lone name may be shown as a text of its own") {
  CHECK(plain_text(prose_of({"{single_s / devices}"})) == "20/3");
  CHECK(plain_text(prose_of({"{single_s / 32} s"})) == "2.5 s");
  CHECK(plain_text(prose_of({"{key}"})) == "6.667");
  CHECK(plain_text(prose_of({"{key * 3}"})) == "20");
  CHECK(plain_text(prose_of({"{-devices}"})) ==
        "\xE2\x88\x92"
        "12");
}

TEST_CASE("a backslash makes the five signs plain") {
  CHECK(plain_text(prose_of({"\\* \\` \\{ \\} \\\\"})) == "* ` { } \\");
}

TEST_CASE("every fault of a text is told with its place") {
  CHECK(faults_of("a `b") == Faults{"unclosed_code 2"});
  CHECK(faults_of("a *b") == Faults{"unclosed_emphasis 2"});
  CHECK(faults_of("4 * 8 * 2") == Faults{"spaced_emphasis 2"});
  CHECK(faults_of("a ** b") == Faults{"spaced_emphasis 2"});
  CHECK(faults_of("a {devices") == Faults{"unclosed_value 2"});
  CHECK(faults_of("a } b") == Faults{"stray_brace 2"});
  CHECK(faults_of("a \\n") == Faults{"bad_escape 2"});
  CHECK(faults_of("a\\") == Faults{"bad_escape 1"});
  CHECK(faults_of("a {devises} b {1 +} c } d") ==
        Faults{"unknown_name 3", "unexpected_token 18", "stray_brace 22"});
}

TEST_CASE("a value never becomes markup, whatever its text is") {
  std::vector<ProseFault> faults;
  const ProseTemplate prose = parse({"a {key} b"}, faults);
  REQUIRE(faults.empty());
  const Environment environment = numbers();
  for (const std::string text : {"*x*", "`x`", "{devices}", "<b>x</b>", "- x", "\\*"}) {
    const Result<Prose> filled = prose.fill({&environment, {{"key", text}}, {}});
    REQUIRE(filled.ok());
    CHECK(filled.value()[0].lines[0][1] == Span{SpanKind::value, text, {}});
    CHECK(plain_text(filled.value()) == "a " + text + " b");
  }
}

TEST_CASE("a value that does not exist is an error, not a hole in the text") {
  std::vector<ProseFault> faults;
  const ProseTemplate prose = parse({"a {1 / (devices - 12)} b"}, faults);
  REQUIRE(faults.empty());
  const Environment environment = numbers();
  const Result<Prose> filled = prose.fill({&environment, {}, {}});
  REQUIRE_FALSE(filled.ok());
  CHECK(filled.error().code == "division_by_zero");
}

TEST_CASE("any text is either read or refused with a place inside it, and never lost") {
  constexpr std::string_view kPieces[] = {"*", "`", "{", "}", "\\", " ", "- ", "a", "devices", "é"};
  for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
    CAPTURE(seed);
    std::string text;
    for (std::uint64_t i = 0; i < 1 + seed % 12; ++i) {
      text += kPieces[random_below(seed, 1, i, std::size(kPieces))];
    }
    std::vector<ProseFault> faults;
    const ProseTemplate prose = parse({text}, faults);
    for (const ProseFault& fault : faults) REQUIRE(fault.offset <= text.size());
    if (!faults.empty()) continue;
    const Environment environment = numbers();
    const Result<Prose> filled = prose.fill({&environment, {}, {}});
    REQUIRE(filled.ok());
    const std::size_t letters = static_cast<std::size_t>(std::count(text.begin(), text.end(), 'a'));
    const std::string shown = plain_text(filled.value());
    REQUIRE(static_cast<std::size_t>(std::count(shown.begin(), shown.end(), 'a')) == letters);
  }
}
