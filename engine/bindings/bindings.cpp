// The engine as a JavaScript module: the table at the end is all there is. Functions take and give
// JSON text; web/engine/module.d.ts says the same in TypeScript.
#include <emscripten/bind.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/convert.h"
#include "bindings/lesson_handle.h"
#include "bindings/text_calls.h"
#include "cost/measure.h"
#include "cost/simulate.h"
#include "device/device.h"
#include "device/gradient_check.h"
#include "json/picture_json.h"
#include "json/run_json.h"
#include "picture/picture.h"
#include "picture/timeline.h"
#include "strategy/strategy.h"
#include "worksheet/html.h"

namespace lockstep::bindings {
namespace {

using emscripten::val;

/// Handles that JavaScript holds and must free.
int live_device_count = 0;

struct CheckedRun {
  RunConfig config;
  Plan plan;
};

Result<CheckedRun> read_run(const std::string& json) {
  Result<RunConfig> config = read_run_config(json);
  if (!config.ok()) return config.error();
  Result<Plan> plan = make_plan(config.value());
  if (!plan.ok()) return plan.error();
  return CheckedRun{std::move(config).value(), std::move(plan).value()};
}

std::string version() {
  return LOCKSTEP_VERSION;
}

std::string describe_run(const std::string& json) {
  return guarded_text([&json] {
    const Result<CheckedRun> run = read_run(json);
    if (!run.ok()) return write_error(run.error());
    return write_plan(run.value().config, run.value().plan);
  });
}

/// A device that JavaScript holds. Once a step has failed, every later one fails alike.
class DeviceHandle {
 public:
  explicit DeviceHandle(Device device) : device_(std::move(device)) { ++live_device_count; }
  ~DeviceHandle() { --live_device_count; }
  DeviceHandle(const DeviceHandle&) = delete;
  DeviceHandle& operator=(const DeviceHandle&) = delete;

  /// The text of the error, empty when the message was taken in.
  std::string deliver(const val& message) {
    return guarded_text([this, &message]() -> std::string {
      const Result<std::vector<std::byte>> bytes = to_bytes(message, "message");
      if (!bytes.ok()) return write_error(bytes.error());
      const Status status = device_.deliver(bytes.value());
      return status.ok() ? std::string() : write_error(status.error());
    });
  }

  /// 0 ran · 1 blocked · 2 done · 3 failed.
  int step() {
    const auto fail = [](const Error& error) -> StepResult { return Failed{error}; };
    if (!failure_) {
      const StepResult result = guarded([this] { return device_.step(); }, fail);
      if (std::holds_alternative<Ran>(result)) ++position_;
      is_done_ = std::holds_alternative<Done>(result);
      const Failed* failed = std::get_if<Failed>(&result);
      if (!failed) return static_cast<int>(result.index());
      failure_ = failed->error;
    }
    return kFailed;
  }

  /// How many instructions it has run.
  int position() const { return position_; }

  /// What was sent since the last call: [{to, bytes}, …].
  val take_outbox() {
    val messages = val::array();
    for (const Outgoing& outgoing : device_.take_outbox()) {
      val message = val::object();
      message.set("to", outgoing.to);
      message.set("bytes", to_array(outgoing.bytes));
      messages.call<void>("push", message);
    }
    return messages;
  }

  /// Of a device that is done; of another nothing.
  val gradient() const { return to_array(is_done_ ? device_.result().gradient : no_bytes()); }

  /// By step, Σ of the losses over its rows, of a device that is done; of another nothing.
  val loss_sums() const {
    return to_array(is_done_ ? device_.result().loss_sums : std::vector<double>());
  }

  /// After the last update, of a device that is done; of another nothing.
  val parameters() const { return to_array(is_done_ ? device_.result().parameters : no_bytes()); }

  std::string counters() const {
    return guarded_text([this] { return write_counters(device_.counters()); });
  }

  /// The text of the error that it failed with, or empty.
  std::string failure() const { return failure_ ? write_error(*failure_) : std::string(); }

 private:
  static constexpr int kFailed = 3;
  static std::vector<std::byte> no_bytes() { return {}; }

  Device device_;
  int position_ = 0;
  bool is_done_ = false;
  std::optional<Error> failure_;
};

/// A DeviceHandle, or the text of an error.
val make_device(const std::string& json, int rank) {
  const auto fail = [](const Error& error) { return val(write_error(error)); };
  return guarded(
      [&]() -> val {
        const Result<CheckedRun> run = read_run(json);
        if (!run.ok()) return fail(run.error());
        Result<Device> device = Device::make(run.value().plan.program, run.value().plan.data, rank);
        if (!device.ok()) return fail(device.error());
        return val(std::make_unique<DeviceHandle>(std::move(device).value()));
      },
      fail);
}

/// What the devices of a run ended with, by rank, from three arrays of the same length.
Result<std::vector<DeviceResult>> read_results(const val& gradients, const val& loss_sums,
                                               const val& parameters, Precision precision) {
  std::vector<DeviceResult> results;
  const auto count = gradients["length"].as<unsigned>();
  if (count > static_cast<unsigned>(kMaxRanks)) {
    return Error{"wrong_results", "devices", "these are more gradients than a run has devices"};
  }
  for (unsigned rank = 0; rank < count; ++rank) {
    Result<std::vector<std::byte>> gradient =
        to_bytes(gradients[rank], "device " + std::to_string(rank));
    if (!gradient.ok()) return gradient.error();
    Result<std::vector<double>> losses =
        to_doubles(loss_sums[rank], "device " + std::to_string(rank));
    if (!losses.ok()) return losses.error();
    Result<std::vector<std::byte>> trained =
        to_bytes(parameters[rank], "device " + std::to_string(rank));
    if (!trained.ok()) return trained.error();
    results.push_back({precision, std::move(gradient).value(), std::move(losses).value(),
                       std::move(trained).value()});
  }
  return results;
}

std::string check_gradient(const std::string& json, const val& gradients, const val& loss_sums,
                           const val& parameters) {
  return guarded_text([&] {
    const Result<CheckedRun> run = read_run(json);
    if (!run.ok()) return write_error(run.error());
    const Result<std::vector<DeviceResult>> results =
        read_results(gradients, loss_sums, parameters, run.value().config.precision);
    if (!results.ok()) return write_error(results.error());
    const Result<GradientReport> report =
        check_gradients(run.value().plan.program, run.value().plan.data, results.value());
    return report.ok() ? write_report(report.value()) : write_error(report.error());
  });
}

/// The spans of every device, from an array of Float64Arrays: index, start and end in turn.
Result<std::vector<std::vector<MeasuredSpan>>> read_spans(const val& arrays) {
  std::vector<std::vector<MeasuredSpan>> spans;
  const auto count = arrays["length"].as<unsigned>();
  if (count > static_cast<unsigned>(kMaxRanks)) {
    return Error{"unexpected_span", "devices", "these are more devices than a run has"};
  }
  for (unsigned rank = 0; rank < count; ++rank) {
    const Result<std::vector<double>> numbers =
        to_doubles(arrays[rank], "device " + std::to_string(rank));
    if (!numbers.ok()) return numbers.error();
    if (numbers.value().size() % 3 != 0) {
      return Error{"missing_number", "device " + std::to_string(rank),
                   "the last span is not whole: it has an index, a start and an end"};
    }
    std::vector<MeasuredSpan>& list = spans.emplace_back();
    for (std::size_t i = 0; i < numbers.value().size(); i += 3) {
      const double instruction = numbers.value()[i];
      const bool is_index = instruction >= 0 && instruction < std::numeric_limits<int>::max() &&
                            instruction == std::trunc(instruction);
      list.push_back({is_index ? static_cast<int>(instruction) : -1, numbers.value()[i + 1],
                      numbers.value()[i + 2]});
    }
  }
  return spans;
}

/// How long a message takes in a simulated run, where a forward takes 1: nothing between the stages
/// of a pipeline, as the closed forms have it; else enough for the exchange to be seen.
Rational message_time(const RunConfig& config) {
  return config.strategy == "pipeline_parallel" ? Rational(0) : Rational(1, 10);
}

/// The simulated timeline of the program that a run's devices work through, in unit times.
std::string draw_run(const std::string& json) {
  return guarded_text([&json] {
    const Result<CheckedRun> run = read_run(json);
    if (!run.ok()) return write_error(run.error());
    const Program& program = run.value().plan.program;
    const Result<Timeline> timeline =
        simulate(program, {.link = {.latency = message_time(run.value().config)}});
    if (!timeline.ok()) return write_error(timeline.error());
    return write_picture(draw_timeline(program, timeline.value()));
  });
}

/// The same from what the devices' clocks have seen.
std::string draw_measured(const std::string& json, const val& spans) {
  return guarded_text([&] {
    const Result<CheckedRun> run = read_run(json);
    if (!run.ok()) return write_error(run.error());
    const Result<std::vector<std::vector<MeasuredSpan>>> measured = read_spans(spans);
    if (!measured.ok()) return write_error(measured.error());
    const Program& program = run.value().plan.program;
    const Result<Timeline> timeline = measured_timeline(program, measured.value());
    if (!timeline.ok()) return write_error(timeline.error());
    return write_picture(draw_timeline(program, timeline.value(), TimeSource::measured));
  });
}

int live_devices() {
  return live_device_count;
}

std::string picture_stylesheet() {
  return std::string(picture_style());
}

}  // namespace

EMSCRIPTEN_BINDINGS(lockstep) {
  emscripten::function("version", &version);
  emscripten::function("describe_run", &describe_run);
  emscripten::function("check_gradient", &check_gradient);
  emscripten::function("draw_run", &draw_run);
  emscripten::function("draw_measured", &draw_measured);
  emscripten::function("make_device", &make_device);
  emscripten::function("live_devices", &live_devices);
  emscripten::function("load_lesson", &load_lesson_file);
  emscripten::function("read_chapter", &read_chapter_file);
  emscripten::function("live_lessons", &live_lessons);
  emscripten::function("worksheet_stylesheet", &worksheet_stylesheet);
  emscripten::function("picture_stylesheet", &picture_stylesheet);
  emscripten::function("time_schedule", &time_schedule);
  emscripten::function("draw_schedule", &draw_schedule);
  emscripten::function("compute", &compute_form);
  emscripten::function("learning_day", &learning_day_of);
  emscripten::function("rate_answer", &rate_answer);
  emscripten::function("replay_answers", &replay_answers);
  emscripten::class_<DeviceHandle>("Device")
      .function("deliver", &DeviceHandle::deliver)
      .function("step", &DeviceHandle::step)
      .function("position", &DeviceHandle::position)
      .function("take_outbox", &DeviceHandle::take_outbox)
      .function("gradient", &DeviceHandle::gradient)
      .function("loss_sums", &DeviceHandle::loss_sums)
      .function("parameters", &DeviceHandle::parameters)
      .function("counters", &DeviceHandle::counters)
      .function("failure", &DeviceHandle::failure);
  emscripten::class_<LessonHandle>("Lesson")
      .function("page", &LessonHandle::page)
      .function("view", &LessonHandle::view)
      .function("grade", &LessonHandle::grade)
      .function("hints", &LessonHandle::hints)
      .function("reveal", &LessonHandle::reveal)
      .function("worksheet", &LessonHandle::worksheet);
}

}  // namespace lockstep::bindings
