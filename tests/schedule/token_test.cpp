#include "schedule/token.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "program/program.h"
#include "support/communication.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

Result<std::vector<CommunicationAction>> read(std::string_view text, const TokenRules& rules = {}) {
  return read_token({.text = text, .line = 3, .column = 7}, rules);
}

std::string hint_of(std::string_view text, const TokenRules& rules = {}) {
  CAPTURE(text);
  const auto cell = read(text, rules);
  REQUIRE(!cell.ok());
  REQUIRE(cell.error().code == "unknown_action");
  REQUIRE(cell.error().where == "line 3, column 7");
  const std::string start = quoted(text) + " is not an action. ";
  REQUIRE(cell.error().message.starts_with(start));
  return cell.error().message.substr(start.size());
}

constexpr TokenRules kOld = {.dialect = Dialect::old};

}  // namespace

TEST_CASE("each of PyTorch's words is read as its action and written back") {
  using enum CommunicationKind;
  const std::vector<std::pair<std::string_view, CommunicationAction>> words = {
      {"2F0", {forward, 2, 0}},
      {"2B0", {backward, 2, 0}},
      {"2I0", {backward_input, 2, 0}},
      {"2W0", {backward_weight, 2, 0}},
      {"2SEND_F0", {send_forward, 2, 0}},
      {"2RECV_F0", {receive_forward, 2, 0}},
      {"2SEND_B0", {send_backward, 2, 0}},
      {"13RECV_B101", {receive_backward, 13, 101}},
      {"2UNSHARD", {unshard, 2}},
      {"2RESHARD", {reshard, 2}},
      {"2REDUCE_GRAD", {reduce_gradient, 2}},
  };
  for (const auto& [text, action] : words) {
    CAPTURE(text);
    CHECK(read(text).value() == std::vector{action});
    CHECK(to_text(action) == text);
  }
  CHECK(read("").value().empty());
}

TEST_CASE("in the older dialect B is the input gradient and BW a full backward") {
  using enum CommunicationKind;
  CHECK(read("2B0", kOld).value() == std::vector<CommunicationAction>{{backward_input, 2, 0}});
  CHECK(read("2BW0", kOld).value() == std::vector<CommunicationAction>{{backward, 2, 0}});
  CHECK(read("(2F0;1BW3)OVERLAP_F_B", kOld).value() ==
        std::vector<CommunicationAction>{{forward, 2, 0, true}, {backward, 1, 3}});
  CHECK(hint_of("2I0", kOld) == "In PyTorch's older dialect an input gradient is 2B0.");
  CHECK(hint_of("2BW0") == "BW is PyTorch's older word for a full backward: write 2B0.");
}

TEST_CASE("a pair is two actions of work that overlap, each with its place") {
  const auto pair = read("(2F0;1B3)OVERLAP_F_B").value();
  REQUIRE(pair.size() == 2);
  CHECK(pair[0].overlaps_next);
  CHECK(pair[0].column == 8);
  CHECK(pair[1].column == 12);
  CHECK(token_texts(pair) == std::vector<std::string>{"(2F0;1B3)OVERLAP_F_B"});
  const auto message = read("(2F0;1SEND_B3)OVERLAP_F_B");
  REQUIRE(!message.ok());
  CHECK(message.error().where == "line 3, column 12");
}

TEST_CASE("an unknown word is answered with the word that was probably meant") {
  CHECK(hint_of("2SENDF0") == "Did you mean 2SEND_F0?");
  CHECK(hint_of("2send_b0") == "Did you mean 2SEND_B0?");
  CHECK(hint_of("2RECVB1") == "Did you mean 2RECV_B1?");
  CHECK(hint_of("2UNSHARD0") == "Did you mean 2UNSHARD?");
  CHECK(hint_of("3REDUCE_GRADS") == "Did you mean 3REDUCE_GRAD?");
  CHECK(hint_of("SEND_F1") == "Did you mean 2SEND_F1?");
  CHECK(hint_of("2SEND_F") == "Did you mean 2SEND_F0?");
  CHECK(hint_of("2w1") == "Did you mean 2W1?");
  CHECK(hint_of("2bw1", kOld) == "Did you mean 2BW1?");
  CHECK(hint_of("2X1") ==
        "An action is a stage, one of F, B, I, W, and a microbatch, such as 2F0, or communication, "
        "such as 2SEND_F0 or 2UNSHARD.");
  CHECK(hint_of("2SEND_F0", {.communication = false}) ==
        "Give the compute actions alone: sends and receives follow from them.");
}

TEST_CASE("a stage and a microbatch are within the limits") {
  for (const char* text : {"1024SEND_F0", "2RECV_B1024", "99999999999999999999UNSHARD"}) {
    CAPTURE(text);
    const auto cell = read(text);
    REQUIRE(!cell.ok());
    CHECK(cell.error().code == "out_of_range");
  }
  CHECK(read("1023SEND_F1023").ok());
}

TEST_CASE("every action that is read knows its place in the text") {
  each_communication([](const Schedule&, const CommunicationSchedule& communication) {
    const std::string text = write_csv(communication);
    std::string_view rest = text;
    for (const auto& actions : communication_from(text).ranks) {
      const std::string_view line = take_line(rest);
      for (const CommunicationAction& action : actions) {
        REQUIRE(
            line.substr(static_cast<std::size_t>(action.column) - 1).starts_with(to_text(action)));
      }
    }
  });
}
