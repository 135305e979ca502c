#include "json/trace_json.h"

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/decimal.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

/// The texts of events, one after the other: as values, those of a large trace would take a GB.
class Events {
 public:
  void push_back(const Json& event) { text_ += (text_.empty() ? "[" : ",\n") + event.dump(); }
  std::string take() { return std::move(text_) + "]"; }

 private:
  std::string text_;
};

std::string exact(const Rational& value) {
  return fraction_text(value, NumberStyle{.ascii = true});
}

/// An event of `phase` on a rank's track: the track is a thread of the one process 0.
Json event(std::string_view phase, std::string_view name, std::size_t rank) {
  return {{"ph", phase}, {"name", name}, {"pid", 0}, {"tid", rank}};
}

Json event_at(std::string_view phase, std::string_view name, std::size_t rank,
              const Rational& time) {
  Json json = event(phase, name, rank);
  json["ts"] = to_double(time);
  return json;
}

Json flow(std::string_view phase, const TraceMessage& message, std::size_t rank,
          const Rational& time) {
  Json json = event_at(phase, message.name, rank, time);
  json["cat"] = "message";
  json["id"] = message.number;
  return json;
}

void add_names(Events& events, const Trace& trace) {
  Json process = event("M", "process_name", 0);
  process["args"] = {{"name", trace.name + " (simulated)"}};
  events.push_back(process);
  for (std::size_t rank = 0; rank < trace.tracks.size(); ++rank) {
    Json name = event("M", "thread_name", rank);
    name["args"] = {{"name", trace.tracks[rank].name}};
    events.push_back(name);
    Json order = event("M", "thread_sort_index", rank);
    order["args"] = {{"sort_index", rank}};
    events.push_back(order);
  }
}

/// Viewers tie a flow to the slice that was begun last before it, so that it follows its own.
void add_slice(Events& events, const TraceSlice& slice, std::size_t rank) {
  Json json = event_at("X", slice.name, rank, slice.start);
  json["dur"] = to_double(slice.end - slice.start);
  json["cat"] = slice.category;
  json["args"] = {{"start", exact(slice.start)}, {"duration", exact(slice.end - slice.start)}};
  events.push_back(json);
  for (const TraceMessage& message : slice.received) {
    Json end = flow("f", message, rank, slice.start);
    end["bp"] = "e";  // ends in the slice that is open, not in the next one
    events.push_back(end);
  }
  for (const TraceMessage& message : slice.sent) {
    events.push_back(flow("s", message, rank, slice.end));
  }
}

}  // namespace

std::string write_trace(const Trace& trace) {
  Events events;
  add_names(events, trace);
  for (std::size_t rank = 0; rank < trace.tracks.size(); ++rank) {
    for (const TraceSlice& slice : trace.tracks[rank].slices) add_slice(events, slice, rank);
    const std::string counter = "activations in flight on rank " + std::to_string(rank);
    for (const TraceCount& count : trace.tracks[rank].counts) {
      Json json = event_at("C", counter, rank, count.time);
      json["args"] = {{"activations", count.activations}};
      events.push_back(json);
    }
  }
  const Json about = {{"schedule", trace.name}, {"makespan", exact(trace.makespan)}};
  return R"({"displayTimeUnit":"ns","otherData":)" + about.dump() + R"(,"traceEvents":)" +
         events.take() + "}";
}

}  // namespace lockstep
