// lockstep schedule: a schedule by name, as text, data or picture, with its exact simulation.
#include "schedule/schedule.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "cli/command.h"
#include "cli/schedule_chart.h"
#include "cli/schedule_options.h"
#include "cost/timed_schedule.h"
#include "export/trace.h"
#include "json/schedule_json.h"
#include "json/trace_json.h"
#include "picture/svg.h"
#include "picture/timeline.h"
#include "schedule/text.h"

namespace lockstep::cli {
namespace {

constexpr Option kOptions[] = {
    {"--stages", "P", "devices in the pipeline, 1 to 64 (needed without --from)"},
    {"--microbatches", "M", "microbatches of one step, 1 to 1024 (the same)"},
    {"--chunks", "V", "model chunks a device holds, 1 to 16 (as the schedule needs)"},
    {"--forward", "T", "time of one forward, exact: 1, 3/2; or one a stage: 1,2,1,1 (1)"},
    {"--backward-input", "T", "time of one input gradient, the same (1)"},
    {"--backward-weight", "T", "time of one weight gradient, the same (1)"},
    {"--overlap", "T", "time of a forward and a backward that overlap (as one after the other)"},
    {"--latency", "T", "from the end of a transfer to its arrival (0)"},
    {"--bandwidth", "B", "bytes a unit of time that a device sends, or takes in (no limit)"},
    {"--bytes", "S", "size of an activation between stages, and of its gradient (1)"},
    {"--link", "L", "other links, from-to: 0-1:latency=1/2,bandwidth=4,1-0:latency=2"},
    {"--weights", "N", "bytes of a stage's weights, or one number a stage (0)"},
    {"--gradients", "N", "bytes of a stage's weight gradients, the same (0)"},
    {"--optimizer", "N", "bytes of a stage's optimizer state, the same (0)"},
    {"--activations", "N", "bytes that a forward keeps until its backward, the same (0)"},
    {"--search", "", "the shortest order of all instead of a schedule by name, for small P and M"},
    {"--memory", "N", "of a search: activations in flight on a device, at most (no limit)"},
    {"--freed-at", "W", "of a search: gradient at which they are free: weight or input (weight)"},
    {"--whole", "", "of a search: backwards are whole, not in halves"},
    {"--nodes", "N", "of a search: beginnings to look at before it gives up (1000000)"},
    {"--from", "FILE", "a schedule that somebody wrote, grid or CSV, instead of one by name"},
    {"--old", "", "of --from: PyTorch's older dialect: B is the input gradient, BW the whole"},
    {"--format", "F",
     "grid, json, svg, trace, csv, csv-comms, csv-sharded; each csv also -old (grid)"},
};

Result<ScheduleShape> read_shape(const Arguments& arguments, const ScheduleRow& row) {
  const Result<long> ranks = arguments.integer("--stages", 1, 1, kMaxRanks);
  if (!ranks.ok()) return ranks.error();
  const Result<long> chunks = arguments.integer("--chunks", row.default_chunks, 1, kMaxChunks);
  if (!chunks.ok()) return chunks.error();
  const Result<long> microbatches = arguments.integer("--microbatches", 1, 1, kMaxMicrobatches);
  if (!microbatches.ok()) return microbatches.error();
  return ScheduleShape{.ranks = static_cast<int>(ranks.value()),
                       .chunks = static_cast<int>(chunks.value()),
                       .microbatches = static_cast<int>(microbatches.value())};
}

/// What a learner should know before trying it, as comment lines.
std::string remarks(const ScheduleRow& row, const ScheduleShape& shape) {
  std::string text;
  if (!row.not_trainable.empty()) {
    text += "# devices cannot train by it: " + std::string(row.not_trainable) + "\n";
  }
  const std::string remark = row.remark == nullptr ? "" : row.remark(shape);
  if (!remark.empty()) text += "# " + remark + "\n";
  return text;
}

/// A PyTorch CSV to write.
struct CsvFormat {
  std::string_view name;
  Dialect dialect;
  std::optional<Weights> communication;  ///< none: work alone
};

constexpr CsvFormat kCsvFormats[] = {
    {"csv", Dialect::current, std::nullopt},
    {"csv-comms", Dialect::current, Weights::whole},
    {"csv-sharded", Dialect::current, Weights::sharded},
    {"csv-old", Dialect::old, std::nullopt},
    {"csv-comms-old", Dialect::old, Weights::whole},
    {"csv-sharded-old", Dialect::old, Weights::sharded},
};

int print_csv(const Arguments& arguments, const Schedule& schedule, const CsvFormat& format) {
  if (!format.communication) {
    print(write_csv(schedule, format.dialect));
    return kFine;
  }
  const Result<CommunicationSchedule> communication =
      add_communication(schedule, *format.communication);
  if (!communication.ok()) return fail(arguments, communication.error());
  print(write_csv(communication.value(), format.dialect));
  return kFine;
}

/// --stages and --microbatches, which only a file says by itself.
Status check_size(const Arguments& arguments) {
  for (const std::string_view option : {"--stages", "--microbatches"}) {
    if (!arguments.has(option)) return Error{"bad_use", std::string(option), "it is needed"};
  }
  return fine();
}

Status check_no_search(const Arguments& arguments) {
  for (const std::string_view option : {"--memory", "--freed-at", "--whole", "--nodes"}) {
    if (!arguments.has(option)) continue;
    return Error{"bad_use", std::string(option), "the option is for --search"};
  }
  return fine();
}

/// A schedule has a name and takes no option of a search.
Status check_named(const Arguments& arguments) {
  if (arguments.operands().empty()) {
    return Error{"bad_use", "schedule", "a schedule's name is needed, or --search or --from"};
  }
  if (arguments.has("--old")) return Error{"bad_use", "--old", "the option is for --from"};
  return check_no_search(arguments);
}

int run(const Arguments& arguments) {
  if (arguments.has("--from")) return show_schedule_file(arguments);
  if (const Status checked = check_size(arguments); !checked.ok()) {
    return fail(arguments, checked.error());
  }
  if (arguments.has("--search")) return search_schedule(arguments);
  if (const Status checked = check_named(arguments); !checked.ok()) {
    return fail(arguments, checked.error());
  }
  const Result<ScheduleRow> row = find_schedule(arguments.operands()[0]);
  if (!row.ok()) return fail(arguments, row.error());
  const Result<ScheduleShape> shape = read_shape(arguments, row.value());
  if (!shape.ok()) return fail(arguments, shape.error());
  const Result<GivenDurations> given = given_durations(arguments);
  if (!given.ok()) return fail(arguments, given.error());
  Result<Schedule> made = make_schedule(row.value().name, shape.value());
  if (!made.ok()) return fail(arguments, made.error());
  const Result<TimedSchedule> timed =
      timed_schedule(std::move(made).value(), given.value().durations, given.value().bytes);
  if (!timed.ok()) return fail(arguments, timed.error());
  return print_schedule(arguments, timed.value(), remarks(row.value(), shape.value()));
}

}  // namespace

int print_schedule(const Arguments& arguments, const TimedSchedule& timed, std::string_view remarks,
                   const SearchResult* search) {
  static constexpr std::string_view kFormats[] = {
      "grid",      "csv",         "json",    "svg",           "trace",
      "csv-comms", "csv-sharded", "csv-old", "csv-comms-old", "csv-sharded-old"};
  const Result<std::string> format = arguments.word("--format", kFormats);
  if (!format.ok()) return fail(arguments, format.error());
  const auto csv = std::ranges::find(kCsvFormats, format.value(), &CsvFormat::name);
  if (csv != std::end(kCsvFormats) && !arguments.has("--json")) {
    return print_csv(arguments, timed.schedule, *csv);
  }
  if (arguments.has("--json") || format.value() == "json") {
    print(write_timed_schedule(timed, search));
  } else if (format.value() == "trace") {
    print(write_trace(make_trace(timed)));
  } else if (format.value() == "svg") {
    print(to_svg(draw_timeline(timed.program, timed.simulation)));
  } else {
    print(write_grid(timed.schedule) + std::string(remarks) + schedule_chart(timed));
  }
  return kFine;
}

const Command kSchedule = {
    .name = "schedule",
    .operands = "NAME|--search|--from FILE",
    .operands_min = 0,
    .operands_max = 1,
    .summary = "Write a pipeline schedule, with its simulated time and bubble",
    .options = kOptions,
    .examples =
        "  lockstep schedule one_f_one_b --stages 4 --microbatches 8\n"
        "  lockstep schedule gpipe --stages 4 --microbatches 8 --format svg > gpipe.svg\n"
        "  lockstep schedule 1F1B --stages 2 --microbatches 4 | lockstep validate -\n"
        "  lockstep schedule --search --stages 3 --microbatches 4 --memory 2\n"
        "  lockstep schedule zbv --stages 4 --microbatches 8 --format trace > zbv.json\n"
        "      for ui.perfetto.dev\n"
        "  lockstep schedule --from mine.csv --format csv-comms\n"
        "      PyTorch's CSV with sends and receives; csv-sharded has unshards as well, and -old\n"
        "      after either is the older dialect, where B is the input gradient and BW the whole\n",
    .run = run,
};

}  // namespace lockstep::cli
