#include "json/progress_json.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "json/request.h"
#include "lesson/star.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

/// What a JavaScript number holds exactly.
constexpr std::int64_t kSafeMost = (std::int64_t{1} << 53) - 1;
constexpr std::int64_t kIntMost = std::numeric_limits<int>::max();

constexpr KeyRow time_row(std::string_view name) {
  return {.name = name, .form = Form::integer, .least = -kSafeMost, .most = kSafeMost};
}

constexpr KeyRow count_row(std::string_view name, std::int64_t most) {
  return {.name = name, .form = Form::integer, .need = Need::optional, .most = most};
}

constexpr KeyRow list_row(std::string_view name, const KeyTable& table, std::size_t items_most) {
  return {.name = name,
          .form = Form::list,
          .need = Need::optional,
          .item = Form::object,
          .table = &table,
          .items_most = items_most};
}

constexpr KeyRow kMomentRows[] = {
    time_row("ms"),
    {.name = "offset_min", .form = Form::integer, .least = -kIntMost, .most = kIntMost},
};
constexpr KeyTable kMomentTable = {.name = "moment", .rows = kMomentRows};

constexpr KeyRow kAttemptRows[] = {
    {.name = "verdict"},
    count_row("hints", kIntMost),
    count_row("confidence", static_cast<std::int64_t>(Confidence::sure)),
    count_row("flags", kIntMost),
    count_row("elapsed_days", kSafeMost),
};
constexpr KeyTable kAttemptTable = {.name = "attempt", .rows = kAttemptRows};

constexpr KeyRow kEventRows[] = {
    {.name = "id"},
    {.name = "skill"},
    time_row("ms"),
    time_row("day"),
    {.name = "rating", .form = Form::integer, .need = Need::optional, .least = 1, .most = 4},
};
constexpr KeyTable kEventTable = {.name = "event", .rows = kEventRows};

constexpr KeyRow kRenamingRows[] = {{.name = "from"}, {.name = "to"}};
constexpr KeyTable kRenamingTable = {.name = "renaming", .rows = kRenamingRows};

constexpr KeyRow kReplayRows[] = {
    {.name = "now", .form = Form::object, .table = &kMomentTable},
    list_row("events", kEventTable, kMaxLogEvents),
    list_row("renamings", kRenamingTable, kMaxItems),
};
constexpr KeyTable kReplayTable = {.name = "replay", .rows = kReplayRows};

/// An event is six values of about 120 bytes in all, ids and skills of 64 letters some 250.
constexpr JsonLimits kReplayLimits = {
    .bytes = kMaxLogEvents * 256, .values = kMaxLogEvents * 7, .items = kMaxLogEvents};

Moment moment_of(const FileNode& node) {
  return {integer_of(node["ms"], 0), static_cast<int>(integer_of(node["offset_min"], 0))};
}

AnswerEvent event_of(const FileNode& node) {
  AnswerEvent event{.id = std::string(text_of(node["id"])),
                    .skill = std::string(text_of(node["skill"])),
                    .ms = integer_of(node["ms"], 0),
                    .day = integer_of(node["day"], 0),
                    .rating = std::nullopt};
  if (node["rating"]) event.rating = static_cast<Rating>(integer_of(node["rating"], 1));
  return event;
}

std::optional<VerdictKind> kind_of(std::string_view name) {
  for (const VerdictKind kind : {VerdictKind::correct, VerdictKind::incorrect, VerdictKind::partial,
                                 VerdictKind::invalid, VerdictKind::needs_precision}) {
    if (verdict_kind_name(kind) == name) return kind;
  }
  return std::nullopt;
}

Json star_json(const Star& star) {
  return {{"band", band_name(star.band)},
          {"brightness", star.brightness},
          {"size", star.size},
          {"retrievability", star.retrievability},
          {"interval_days", star.interval_days},
          {"due_in_days", star.due_in_days}};
}

Json skill_json(const std::string& skill, const SkillState& state, std::int64_t today) {
  return {{"skill", skill},
          {"stability_days", state.memory.stability_days},
          {"difficulty", state.memory.difficulty},
          {"last_day", state.last_day},
          {"last_ms", state.last_ms},
          {"reps", state.reps},
          {"lapses", state.lapses},
          {"last_rating", static_cast<int>(state.last_rating)},
          {"ever_right", state.ever_right},
          {"due_day", due_day(state)},
          {"star", star_json(star(state, today))}};
}

}  // namespace

Result<Moment> read_moment(std::string_view json) {
  const Result<FileValue> value = read_request(json, kMomentTable);
  if (!value.ok()) return value.error();
  return moment_of({&value.value(), ""});
}

std::string write_learning_day(std::int64_t day) {
  return Json{{"day", day}}.dump();
}

Result<Attempt> read_attempt(std::string_view json) {
  const Result<FileValue> value = read_request(json, kAttemptTable);
  if (!value.ok()) return value.error();
  const FileNode root{&value.value(), ""};
  const std::optional<VerdictKind> kind = kind_of(text_of(root["verdict"]));
  if (!kind) {
    return Error{"unknown_verdict", "/verdict",
                 "no kind of verdict is called " + in_quotes(text_of(root["verdict"]))};
  }
  return Attempt{.verdict = *kind,
                 .hints = static_cast<int>(integer_of(root["hints"], 0)),
                 .confidence = static_cast<Confidence>(integer_of(root["confidence"], 0)),
                 .flags = static_cast<unsigned>(integer_of(root["flags"], 0)),
                 .elapsed_days = integer_of(root["elapsed_days"], 0)};
}

std::string write_rating(const std::optional<Rating>& rating) {
  return Json{{"rating", rating ? Json(static_cast<int>(*rating)) : Json()}}.dump();
}

Result<ReplayRequest> read_replay_request(std::string_view json) {
  const Result<FileValue> value = read_request(json, kReplayTable, kReplayLimits);
  if (!value.ok()) return value.error();
  const FileNode root{&value.value(), ""};
  ReplayRequest request{.now = moment_of(root["now"]), .events = {}, .renamings = {}};
  const FileNode events = root["events"];
  for (std::size_t i = 0; i < events.size(); ++i) {
    request.events.push_back(event_of(events.item(i)));
  }
  const FileNode renamings = root["renamings"];
  for (std::size_t i = 0; i < renamings.size(); ++i) {
    const FileNode one = renamings.item(i);
    request.renamings.push_back(
        {std::string(text_of(one["from"])), std::string(text_of(one["to"]))});
  }
  return request;
}

std::string write_replay(const Replay& replay, std::int64_t today) {
  Json skills = Json::array();
  for (const auto& [skill, state] : replay.skills) {
    skills.push_back(skill_json(skill, state, today));
  }
  return Json{{"day", today}, {"skills", std::move(skills)}, {"future_ids", replay.future_ids}}
      .dump();
}

}  // namespace lockstep
