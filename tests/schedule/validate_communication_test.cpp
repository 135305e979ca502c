#include "schedule/validate_communication.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>

#include "program/fault_list.h"
#include "program/validate.h"
#include "schedule/message.h"
#include "support/communication.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Places = std::vector<std::pair<std::string, std::string>>;

Places faults_of(std::string_view text, const ScheduleDemands& demands = {}) {
  Places places;
  for (const Error& fault : validate_communication(communication_from(text), demands)) {
    places.emplace_back(fault.code, fault.where);
  }
  return places;
}

std::string message_of(std::string_view text) {
  const std::vector<Error> faults = validate_communication(communication_from(text));
  REQUIRE(faults.size() == 1);
  return faults.front().message;
}

constexpr std::string_view kRank0 = "0F0,0SEND_F0,0RECV_B0,0B0\n";
constexpr std::string_view kRank1 = "1RECV_F0,1F0,1B0,1SEND_B0\n";

std::string with_rank_0(std::string_view row) {
  return std::string(row) + "\n" + std::string(kRank1);
}

std::string with_rank_1(std::string_view row) {
  return std::string(kRank0) + std::string(row) + "\n";
}

/// Takes out, doubles, moves or exchanges an action, or moves it to another rank.
void spoil(CommunicationSchedule& schedule, Draw& draw) {
  auto& actions =
      schedule.ranks[static_cast<std::size_t>(draw.below(static_cast<int>(schedule.ranks.size())))];
  if (actions.size() < 2) return;
  const auto at = static_cast<std::ptrdiff_t>(draw.below(static_cast<int>(actions.size()) - 1));
  const CommunicationAction action = actions[static_cast<std::size_t>(at)];
  switch (draw.below(4)) {
    case 0:
      std::swap(actions[static_cast<std::size_t>(at)], actions[static_cast<std::size_t>(at) + 1]);
      return;
    case 1:
      if (is_message(action.kind)) actions.erase(actions.begin() + at);
      return;
    case 2:
      if (is_message(action.kind)) actions.push_back(action);
      return;
    case 3:
      actions.erase(actions.begin() + at);
      actions.insert(actions.begin() + draw.below(static_cast<int>(actions.size()) + 1), action);
      return;
  }
}

}  // namespace

TEST_CASE("a schedule whose messages are all there, in order, has no fault") {
  CHECK(faults_of(std::string(kRank0) + std::string(kRank1)).empty());
  CHECK(faults_of("0F0,1F0,1B0,0B0\n").empty());  // stages on one rank pass on without a message
  CHECK(faults_of("0F0,0SEND_F0\n1RECV_F0,1F0\n").empty());  // a forward pass
}

TEST_CASE("a message without its other end is one fault, where it stands") {
  CHECK(faults_of(with_rank_1("1F0,1B0,1SEND_B0")) == Places{{"no_receive", "line 1, column 5"}});
  CHECK(faults_of(with_rank_0("0F0,0RECV_B0,0B0")) == Places{{"no_send", "line 2, column 1"}});
  CHECK(faults_of(with_rank_1("1RECV_F0,1F0,1B0")) == Places{{"no_send", "line 1, column 14"}});
  CHECK(faults_of(with_rank_0("0F0,0SEND_F0,0B0")) == Places{{"no_receive", "line 2, column 18"}});
  CHECK(message_of(with_rank_0("0F0,0RECV_B0,0B0")) == "1RECV_F0 has no 0SEND_F0 on rank 0.");
}

TEST_CASE("a message of which neither end is there is missing where it is needed") {
  CHECK(faults_of("0F0,0RECV_B0,0B0\n1F0,1B0,1SEND_B0") ==
        Places{{"missing_message", "line 2, column 1"}});
  CHECK(message_of("0F0,0SEND_F0,0B0\n1RECV_F0,1F0,1B0") ==
        "0B0 needs 1SEND_B0 on rank 1 and 0RECV_B0 before it; neither is there.");
}

TEST_CASE("an action before its receive and a send before its action are out of order") {
  CHECK(faults_of(with_rank_1("1F0,1RECV_F0,1B0,1SEND_B0")) ==
        Places{{"order", "line 2, column 1"}});
  CHECK(message_of(with_rank_1("1F0,1RECV_F0,1B0,1SEND_B0")) ==
        "1F0 comes before 1RECV_F0, but needs it.");
  CHECK(faults_of(with_rank_1("1RECV_F0,1F0,1SEND_B0,1B0")) ==
        Places{{"order", "line 2, column 14"}});
  CHECK(faults_of("0SEND_F0,0F0,0RECV_B0,0I0,0W0\n1RECV_F0,1F0,1SEND_B0,1I0,1W0") ==
        Places{{"order", "line 1, column 1"}, {"order", "line 2, column 14"}});
}

TEST_CASE("a message that cannot be is told with the reason") {
  CHECK(faults_of(with_rank_1("1RECV_F0,1F0,1SEND_F0,1B0,1SEND_B0")) ==
        Places{{"out_of_range", "line 2, column 14"}});
  CHECK(faults_of(with_rank_0("0RECV_F0,0F0,0SEND_F0,0RECV_B0,0B0")) ==
        Places{{"out_of_range", "line 1, column 1"}});
  CHECK(faults_of(with_rank_0("0F0,0SEND_F0,0RECV_B0,0B0,0SEND_F7")) ==
        Places{{"out_of_range", "line 1, column 27"}});
  CHECK(faults_of(with_rank_0("0F0,0SEND_F0,0SEND_F0,0RECV_B0,0B0")) ==
        Places{{"doubled_message", "line 1, column 14"}});
  CHECK(faults_of("0F0,0SEND_F0,1F0,1B0,0B0") == Places{{"self_send", "line 1, column 5"}});
  CHECK(faults_of("0F0,0SEND_F0,1RECV_F0,0RECV_B0,0B0\n1F0,1B0,1SEND_B0") ==
        Places{{"wrong_rank", "line 1, column 14"}});
}

TEST_CASE("the faults of the work alone are told at their places in the text") {
  CHECK(faults_of("0F0,0SEND_F0,0RECV_B0,0B0,0B0\n" + std::string(kRank1)) ==
        Places{{"doubled_work", "rank 0"}});
  CHECK(faults_of("0F0,0SEND_F0,0B0,0RECV_B0\n" + std::string(kRank1)) ==
        Places{{"order", "line 1, column 14"}});
  CHECK(faults_of("0F0,0SEND_F0, 0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\n"
                  "1RECV_F0,1F0,1B0,1SEND_B0,1RECV_F1,1F1,1B1,1SEND_B1\n",
                  {.memory_cap = 1}) == Places{{"memory", "line 1, column 15"}});
}

TEST_CASE("weights are whole when a stage works, and change with every unshard and reshard") {
  CHECK(faults_of("0UNSHARD,0F0,0B0,0RESHARD").empty());
  CHECK(faults_of("0UNSHARD,0F0,0B0").empty());  // as PyTorch ends
  CHECK(faults_of("0F0,0UNSHARD,0B0") == Places{{"sharded", "line 1, column 1"}});
  CHECK(faults_of("0UNSHARD,0F0,0RESHARD,0B0") == Places{{"sharded", "line 1, column 23"}});
  CHECK(faults_of("0UNSHARD,0UNSHARD,0F0,0B0") == Places{{"sharded", "line 1, column 10"}});
  CHECK(faults_of("0RESHARD,0UNSHARD,0F0,0B0") == Places{{"sharded", "line 1, column 1"}});
  CHECK(message_of("0UNSHARD,0UNSHARD,0F0,0B0") ==
        "0UNSHARD changes nothing: stage 0 is whole then.");
  // one stage sharded and the other forgotten
  CHECK(faults_of("0UNSHARD,0F0,1F0,1B0,0B0") ==
        Places{{"sharded", "line 1, column 14"}, {"sharded", "line 1, column 18"}});
}

TEST_CASE("gradients are reduced once a stage, after its last backward, or not at all") {
  CHECK(faults_of("0F0,0F1,0B0,0B1,0REDUCE_GRAD").empty());
  CHECK(faults_of("0F0,0F1,0I0,0I1,0W0,0W1,0REDUCE_GRAD").empty());
  CHECK(faults_of("0F0,0F1,0B0,0REDUCE_GRAD,0B1") == Places{{"order", "line 1, column 13"}});
  CHECK(faults_of("0F0,0B0,0REDUCE_GRAD,0REDUCE_GRAD") ==
        Places{{"doubled_reduce", "line 1, column 22"}});
  CHECK(faults_of("0F0,1F0,1B0,0B0,0REDUCE_GRAD") == Places{{"missing_reduce", "rank 0"}});
  CHECK(faults_of("0F0,0B0,0REDUCE_GRAD,5REDUCE_GRAD") ==
        Places{{"wrong_rank", "line 1, column 22"}});
}

TEST_CASE("messages that wait for each other in a circle are spelled out") {
  const std::string text =
      "0F0,0SEND_F0,0RECV_B0,0B0,0F1,0SEND_F1,0RECV_B1,0B1\n"
      "1RECV_F1,1F1,1B1,1SEND_B1,1RECV_F0,1F0,1B0,1SEND_B0\n";
  CHECK(faults_of(text) == Places{{"deadlock", "line 1, column 14"}});
  CHECK(message_of(text) ==
        "0RECV_B0 on rank 0 waits for 1SEND_B0 on rank 1, which comes after 1RECV_F1; 1RECV_F1 on "
        "rank 1 waits for 0SEND_F1 on rank 0, which comes after 0RECV_B0.");
}

TEST_CASE("a schedule that was not read from a text has faults by rank and action") {
  CommunicationSchedule schedule = communicated(made("one_f_one_b", 2, 2));
  std::erase_if(schedule.ranks[0],
                [](const CommunicationAction& action) { return to_text(action) == "0RECV_B0"; });
  const std::vector<Error> faults = validate_communication(schedule);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].where == "rank 1, action 4");
}

TEST_CASE("a spoiled schedule has a fault if and only if its program has one") {
  constexpr const char* kNames[] = {"gpipe", "one_f_one_b", "zb_h1", "zbv", "looped_bfs"};
  int faulty = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Draw draw(seed);
    const ScheduleRow row = find_schedule(kNames[draw.below(5)]).value();
    const int ranks = 1 + draw.below(4);
    CommunicationSchedule schedule = communicated(
        make_schedule(row.name, {ranks, row.default_chunks, ranks * (1 + draw.below(2))}).value());
    for (int times = 1 + draw.below(2); times > 0; --times) spoil(schedule, draw);
    CAPTURE(seed, write_csv(schedule));
    const bool is_fine = validate_communication(schedule).empty();
    CHECK(is_fine == validate(trace_program(schedule, work_of(schedule)).program).empty());
    faulty += is_fine ? 0 : 1;
  }
  CHECK(faulty > 1000);
  CHECK(faulty < 3900);
}

TEST_CASE("any bytes are read or refused at a place, and what is read can be validated") {
  const std::string valid =
      write_csv(communicated(make_schedule("dualpipe_v", {2, 2, 4}).value(), Weights::sharded));
  constexpr std::string_view kBytes = "0123456789FBIWSENDRECV_UHAGO,;()#:\n\r\t \xff";
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Draw draw(seed);
    std::string text = valid;
    for (int times = 1 + draw.below(6); times > 0; --times) {
      const std::size_t at = static_cast<std::size_t>(draw.below(static_cast<int>(text.size())));
      const char byte =
          kBytes[static_cast<std::size_t>(draw.below(static_cast<int>(kBytes.size())))];
      if (draw.below(2) == 0) {
        text[at] = byte;
      } else {
        text.erase(at, 1 + static_cast<std::size_t>(draw.below(20)));
      }
    }
    CAPTURE(seed, text);
    const Result<CommunicationSchedule> read = read_communication(text);
    if (!read.ok()) {
      CHECK(read.error().where.starts_with("line "));
    } else {
      CHECK(validate_communication(read.value()).size() <= kMaxFaults + 1);
    }
  }
}

TEST_CASE("a text with a fault in every cell tells the first thousand") {
  std::string text = "0F0";
  for (int i = 0; i < 100'000; ++i) text += ",0SEND_F0";
  const std::vector<Error> faults = validate_communication(communication_from(text));
  CHECK(faults.size() == kMaxFaults + 1);
  CHECK(faults.back().code == "more_faults");
}
