#include "json/durations.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/nearest.h"
#include "formula/exact_value.h"
#include "program/line_reader.h"

namespace lockstep {
namespace {

constexpr std::string_view kKeys[] = {
    "forward", "backward_input", "backward_weight", "overlap",   "latency",   "bandwidth",
    "bytes",   "link",           "weights",         "gradients", "optimizer", "activations"};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    parts.push_back(trimmed(text.substr(0, comma)));
    if (comma == text.size()) return parts;
    text.remove_prefix(comma + 1);
  }
}

class Reader {
 public:
  explicit Reader(std::span<const DurationText> texts) : texts_(texts) {}

  Result<GivenDurations> read() {
    read_stages();
    read_bytes();
    Durations& durations = given_.durations;
    durations.bytes.activation = 1;
    read_number("bytes", durations.bytes.activation);
    read_number("latency", durations.link.latency);
    if (const DurationText* text = find("overlap")) {
      durations.overlap = exact(text->where, text->text);
    }
    if (const DurationText* text = find("bandwidth")) {
      set_bandwidth(text->where, text->text, durations.link);
    }
    if (const DurationText* text = find("link")) read_links(*text);
    if (error_) return *error_;
    return std::move(given_);
  }

 private:
  const DurationText* find(std::string_view key) const {
    const auto text = std::ranges::find(texts_, key, &DurationText::key);
    return text == texts_.end() ? nullptr : &*text;
  }

  void fail(Error error) {
    if (!error_) error_ = std::move(error);
  }

  Rational exact(const std::string& where, std::string_view text) {
    const Result<Rational> value = read_exact(where, text);
    if (value.ok()) return value.value();
    fail(value.error());
    return 0;
  }

  void read_number(std::string_view key, Rational& field) {
    if (const DurationText* text = find(key)) field = exact(text->where, text->text);
  }

  /// Calls `set(stage, value)` for each number of a list, which makes `stages` as long as it. A
  /// single number is for all.
  template <typename Stage, typename Set>
  void read_list(std::string_view key, std::vector<Stage>& stages, Set set) {
    const DurationText* const text = find(key);
    if (text == nullptr) return;
    const std::vector<std::string_view> parts = split(text->text);
    if (parts.size() > 1 && stages.size() == 1) stages.resize(parts.size(), stages.front());
    if (parts.size() > 1 && stages.size() != parts.size()) {
      fail({"different_counts", text->where,
            "Here are " + std::to_string(parts.size()) + " numbers, and " +
                std::to_string(stages.size()) + " of something else: give one, or one a stage."});
      return;
    }
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      const std::string where =
          parts.size() == 1 ? text->where : text->where + ", stage " + std::to_string(stage);
      set(stages[stage], where, exact(where, parts[parts.size() == 1 ? 0 : stage]));
    }
  }

  void read_stages() {
    std::vector<StageTimes>& stages = given_.durations.stages;
    const auto time = [this, &stages](std::string_view key, Rational StageTimes::*field) {
      read_list(key, stages, [field](StageTimes& times, const std::string&, Rational value) {
        times.*field = std::move(value);
      });
    };
    time("forward", &StageTimes::forward);
    time("backward_input", &StageTimes::backward_input);
    time("backward_weight", &StageTimes::backward_weight);
  }

  void read_bytes() {
    std::vector<StageBytes> stages = {StageBytes{}};
    const auto part = [this, &stages](std::string_view key, std::int64_t StageBytes::*field) {
      read_list(key, stages,
                [&](StageBytes& bytes, const std::string& where, const Rational& value) {
                  const std::optional<std::int64_t> whole = to_int64(value);
                  if (!whole || *whole < 0 || *whole > kStageBytesMax) {
                    return fail({"out_of_range", where,
                                 "A whole number of bytes is needed, 0 to " +
                                     std::to_string(kStageBytesMax) + "."});
                  }
                  bytes.*field = *whole;
                });
      return find(key) != nullptr;
    };
    const bool any[] = {
        part("weights", &StageBytes::weights), part("gradients", &StageBytes::gradients),
        part("optimizer", &StageBytes::optimizer), part("activations", &StageBytes::activations)};
    if (std::ranges::count(any, true) > 0) given_.bytes = std::move(stages);
  }

  void set_bandwidth(const std::string& where, std::string_view text, Link& link) {
    const Rational bandwidth = exact(where, text);
    if (error_) return;
    if (bandwidth.sign() <= 0) {
      return fail({"out_of_range", where, "A bandwidth is more than 0."});
    }
    link.per_byte = Rational(1) / bandwidth;
  }

  /// "0-1:latency=1/2,bandwidth=4,1-0:latency=2": what stands behind "from-to:" is of that link, as
  /// far as the next; what is not said is as between all devices.
  void read_links(const DurationText& text) {
    Link* link = nullptr;
    for (std::string_view part : split(text.text)) {
      const std::size_t colon = part.find(':');
      if (colon != std::string_view::npos) {
        link = new_link(text.where, part.substr(0, colon));
        part = trimmed(part.substr(colon + 1));
      } else if (link == nullptr) {
        fail(not_a_link(text.where, part));
      }
      if (error_) return;
      set_field(text.where, part, *link);
    }
  }

  static Error not_a_link(const std::string& where, std::string_view text) {
    return {"not_a_link", where,
            quoted(text) +
                " is no link: write from-to:latency=T or from-to:bandwidth=B, such as "
                "0-1:latency=1/2."};
  }

  Link* new_link(const std::string& where, std::string_view ends) {
    const std::size_t dash = std::min(ends.find('-'), ends.size());
    const std::optional<int> from = to_int(ends.substr(0, dash));
    const std::optional<int> to = to_int(ends.substr(std::min(dash + 1, ends.size())));
    if (!from || !to) {
      fail(not_a_link(where, ends));
      return nullptr;
    }
    Durations& durations = given_.durations;
    return &durations.links.try_emplace({*from, *to}, durations.link).first->second;
  }

  void set_field(const std::string& where, std::string_view text, Link& link) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string_view name = text.substr(0, equals);
    const std::string_view value = text.substr(std::min(equals + 1, text.size()));
    if (name == "latency") {
      link.latency = exact(where, value);
    } else if (name == "bandwidth") {
      set_bandwidth(where, value, link);
    } else {
      fail({"unknown_key", where,
            "A link has a latency and a bandwidth, no " + quoted(name) +
                did_you_mean(name, std::vector<std::string_view>{"latency", "bandwidth"}) + "."});
    }
  }

  std::span<const DurationText> texts_;
  GivenDurations given_;
  std::optional<Error> error_;
};

}  // namespace

std::span<const std::string_view> duration_keys() {
  return kKeys;
}

Result<GivenDurations> read_durations(std::span<const DurationText> texts) {
  return Reader(texts).read();
}

}  // namespace lockstep
