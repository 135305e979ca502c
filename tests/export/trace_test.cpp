#include "export/trace.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>
#include <utility>

#include "program/instruction.h"
#include "schedule/action.h"
#include "support/schedules.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

TimedSchedule timed(const Schedule& schedule, const Durations& durations = {}) {
  Result<TimedSchedule> result = timed_schedule(schedule, durations);
  REQUIRE(result.ok());
  return std::move(result).value();
}

/// Even stages take other times than odd ones, in thirds, and messages take half a unit.
Durations uneven(const Schedule& schedule) {
  Durations durations;
  durations.stages.clear();
  for (std::size_t stage = 0; stage < schedule.stage_rank.size(); ++stage) {
    durations.stages.push_back(stage % 2 == 0 ? StageTimes{1, Rational(4, 3), Rational(2, 3)}
                                              : StageTimes{Rational(5, 3), 2, 0});
  }
  durations.link.latency = Rational(1, 2);
  return durations;
}

template <typename Visit>
void each_trace(Visit visit) {
  each_schedule([&](const ScheduleRow& row, const ScheduleShape& shape, const Schedule& schedule) {
    CAPTURE(row.name, shape.ranks, shape.chunks, shape.microbatches);
    const TimedSchedule run = timed(schedule, uneven(schedule));
    visit(run, make_trace(run));
  });
}

}  // namespace

TEST_CASE("every rank has a slice a cell, one after the other, that make up its simulated work") {
  each_trace([](const TimedSchedule& run, const Trace& trace) {
    Rational end_of_all = 0;
    for (std::size_t rank = 0; rank < run.schedule.ranks.size(); ++rank) {
      const std::vector<std::string> cells = cell_texts(run.schedule.ranks[rank]);
      const std::vector<TraceSlice>& slices = trace.tracks.at(rank).slices;
      REQUIRE(slices.size() == cells.size());
      Rational busy = 0;
      Rational end = 0;
      for (std::size_t i = 0; i < slices.size(); ++i) {
        REQUIRE(slices[i].name == cells[i]);
        REQUIRE(slices[i].start >= end);
        REQUIRE(slices[i].end >= slices[i].start);
        end = slices[i].end;
        busy += slices[i].end - slices[i].start;
      }
      REQUIRE(busy == run.simulation.time(run.simulation.devices[rank].busy));
      end_of_all = std::max(end_of_all, end);
    }
    REQUIRE(trace.makespan == run.simulation.time(run.simulation.makespan));
    REQUIRE(end_of_all == trace.makespan);
  });
}

TEST_CASE("every message leaves one slice, arrives at another, and takes its latency") {
  each_trace([](const TimedSchedule& run, const Trace& trace) {
    std::map<int, std::pair<std::string, Rational>> sent;
    std::size_t received = 0;
    for (const TraceTrack& track : trace.tracks) {
      for (const TraceSlice& slice : track.slices) {
        for (const TraceMessage& message : slice.sent) {
          REQUIRE(sent.try_emplace(message.number, message.name, slice.end).second);
        }
      }
    }
    for (const TraceTrack& track : trace.tracks) {
      for (const TraceSlice& slice : track.slices) {
        for (const TraceMessage& message : slice.received) {
          const auto& [name, time] = sent.at(message.number);
          REQUIRE(name == message.name);
          REQUIRE(slice.start >= time + Rational(1, 2));
          ++received;
        }
      }
    }
    std::size_t sends = 0;
    for (const DeviceProgram& device : run.program.devices) {
      for (const Instruction& instruction : device.instructions) {
        if (instruction.op == Op::send) ++sends;
      }
    }
    REQUIRE(received == sends);
    REQUIRE(sent.size() == sends);
  });
}

TEST_CASE("the activations in flight begin at none, reach the simulated peak and end at none") {
  each_trace([](const TimedSchedule& run, const Trace& trace) {
    for (std::size_t rank = 0; rank < trace.tracks.size(); ++rank) {
      const std::vector<TraceCount>& counts = trace.tracks[rank].counts;
      REQUIRE(counts.front().time == 0);
      int peak = 0;
      for (std::size_t i = 0; i < counts.size(); ++i) {
        if (i > 0) REQUIRE(counts[i].time > counts[i - 1].time);
        peak = std::max(peak, counts[i].activations);
      }
      REQUIRE(counts.back().activations == 0);
      REQUIRE(peak == run.memory[rank].peak(Freeing::at_weight_gradient).count);
    }
  });
}

TEST_CASE("GPipe of two ranks and one microbatch, by hand") {
  const Trace trace = make_trace(timed(made("gpipe", 2, 1)));
  // forward 1, backward 2: rank 0 works 0–1 and 4–6, rank 1 1–2 and 2–4
  REQUIRE(trace.tracks.size() == 2);
  CHECK(trace.tracks[0].name == "rank 0: stage 0");
  const std::vector<TraceSlice>& first = trace.tracks[0].slices;
  REQUIRE(first.size() == 2);
  CHECK(first[0].category == "forward");
  CHECK(first[0].end == 1);
  CHECK(first[0].sent.at(0).name == "activation stage 0 microbatch 0");
  CHECK(first[1].start == 4);
  CHECK(first[1].end == 6);
  CHECK(first[1].received.at(0).name == "activation_gradient stage 0 microbatch 0");
  CHECK(first[1].received.at(0).number == trace.tracks[1].slices.at(1).sent.at(0).number);
  CHECK(trace.makespan == 6);
}

TEST_CASE("a pair that overlaps is one slice, which takes and sends what both do") {
  const Schedule schedule = make_schedule("dualpipe", {4, 1, 8}).value();
  const Trace trace = make_trace(timed(schedule, {.overlap = Rational(5, 2)}));
  int pairs = 0;
  for (const TraceTrack& track : trace.tracks) {
    for (const TraceSlice& slice : track.slices) {
      if (slice.category != "overlap") continue;
      ++pairs;
      CHECK(slice.end - slice.start == Rational(5, 2));
      CHECK(slice.received.size() + slice.sent.size() >= 2);
    }
  }
  CHECK(pairs > 0);
  CHECK(trace.tracks[1].name == "rank 1: stages 1, 2");
}
