// lockstep compute: an exact formula of the subject by name, or one of the lesson's functions on
// lists.
#include "cost/compute.h"
#include "cost/hardware.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/exact_value.h"
#include "core/nearest.h"
#include "cost/gradients.h"
#include "formula/exact_value.h"
#include "json/compute_json.h"

namespace lockstep::cli {
namespace {

constexpr Option kOptions[] = {
    {"--list", "", "list every formula with its parameters and units"},
    {"--hardware", "", "list published figures of accelerators; H100.bf16 is a value"},
};

using Texts = std::map<std::string, std::string, std::less<>>;

/// A function whose arguments are lists; the same that learners write in the lesson.
struct ListFunction {
  std::string_view name;
  std::vector<std::string_view> parameters;
  std::string_view description;
  Result<RationalVector> (*evaluate)(const Texts& texts);
};

Result<RationalVector> evaluate_mean(const Texts& texts) {
  const auto vectors = read_exact_rows("grads", texts.at("grads"));
  if (!vectors.ok()) return vectors.error();
  return allreduce_mean(vectors.value());
}

Result<RationalVector> evaluate_gradient(const Texts& texts) {
  auto weights = read_exact_list("w", texts.at("w"));
  if (!weights.ok()) return weights.error();
  auto rows = read_exact_rows("X", texts.at("X"));
  if (!rows.ok()) return rows.error();
  auto targets = read_exact_list("y", texts.at("y"));
  if (!targets.ok()) return targets.error();
  const Result<Rational> devices = read_exact("devices", texts.at("devices"));
  if (!devices.ok()) return devices.error();
  const std::optional<std::int64_t> count = to_int64(devices.value());
  if (!count || *count < 1 || *count > std::int64_t{kMaxGradientNumbers}) {
    return Error{"out_of_range", "devices", "a whole number of at least 1 is needed"};
  }
  return data_parallel_grad(
      {std::move(weights).value(), std::move(rows).value(), std::move(targets).value()},
      static_cast<int>(*count));
}

const std::vector<ListFunction>& list_functions() {
  static const std::vector<ListFunction> kFunctions = {
      {"allreduce_mean", {"grads"}, "element-wise mean of one gradient a device", evaluate_mean},
      {"data_parallel_grad",
       {"w", "X", "y", "devices"},
       "gradient of the mean-squared error of Xw, rows split evenly",
       evaluate_gradient},
  };
  return kFunctions;
}

/// The words "key=value" by key.
Result<Texts> read_pairs(std::span<const std::string> words) {
  Texts texts;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Error{"bad_use", word, "key=value is needed"};
    }
    if (!texts.emplace(word.substr(0, equals), word.substr(equals + 1)).second) {
      return Error{"doubled_parameter", word.substr(0, equals), "the parameter is given twice"};
    }
  }
  return texts;
}

Status check_parameters(const ListFunction& function, const Texts& texts) {
  for (const auto& [name, text] : texts) {
    if (std::ranges::find(function.parameters, name) != function.parameters.end()) continue;
    return Error{"unknown_parameter", name,
                 std::string(function.name) + " has no parameter \"" + name + "\"" +
                     did_you_mean(name, function.parameters)};
  }
  for (const std::string_view name : function.parameters) {
    if (!texts.contains(name)) {
      return Error{"missing_parameter", std::string(name), "the parameter is needed"};
    }
  }
  return fine();
}

int run_list_function(const Arguments& arguments, const ListFunction& function,
                      const Texts& texts) {
  const Status complete = check_parameters(function, texts);
  if (!complete.ok()) return fail(arguments, complete.error());
  const Result<RationalVector> values = function.evaluate(texts);
  if (!values.ok()) return fail(arguments, values.error());
  print(arguments.has("--json") ? write_values_json(function.name, values.value())
                                : values_text(values.value()));
  return kFine;
}

/// A number, or a figure of an accelerator by its name: "H100.bf16".
Result<Rational> read_value(const std::string& key, const std::string& text) {
  const bool is_name = !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0;
  if (!is_name || text.find('.') == std::string::npos) return read_exact(key, text);
  Result<Rational> figure = hardware_figure(text);
  if (figure.ok()) return figure;
  return Error{figure.error().code, key, figure.error().message};
}

int run_closed_form(const Arguments& arguments, const std::string& name, const Texts& texts) {
  std::vector<NamedValue> values;
  for (const auto& [key, text] : texts) {
    Result<Rational> value = read_value(key, text);
    if (!value.ok()) return fail(arguments, value.error());
    values.push_back({key, std::move(value).value()});
  }
  const Result<Rational> value = compute(name, values);
  if (!value.ok()) return fail(arguments, value.error());
  const std::string_view unit = find_closed_form(name).value().unit;
  print(arguments.has("--json") ? write_value_json(name, value.value(), unit)
                                : value_text(value.value(), unit));
  return kFine;
}

std::string listing() {
  std::string text;
  for (const ClosedForm& form : closed_forms()) {
    text += std::string(form.name) + " [" + std::string(form.unit) +
            "]: " + std::string(form.description) + "\n";
    for (const Parameter& parameter : form.parameters) {
      text += "    " + std::string(parameter.name) + " [" + std::string(parameter.unit) + "] " +
              std::string(parameter.description) +
              (parameter.fallback ? " (" + std::to_string(*parameter.fallback) + ")" : "") + "\n";
    }
  }
  for (const ListFunction& function : list_functions()) {
    text += std::string(function.name) + "(";
    for (const std::string_view parameter : function.parameters) {
      text += (text.back() == '(' ? "" : ", ") + std::string(parameter);
    }
    text += "): " + std::string(function.description) + "\n";
  }
  return text;
}

std::string hardware_listing() {
  std::string text;
  for (const Accelerator& chip : accelerators()) {
    text += std::string(chip.name) + " (" + std::string(chip.source) + ")\n";
    for (std::size_t i = 0; i < hardware_figures().size(); ++i) {
      const HardwareFigure& figure = hardware_figures()[i];
      const std::string value =
          chip.values[i] > 0 ? value_text(Rational(chip.values[i]), figure.unit) : "not given";
      text += "    " + std::string(chip.name) + "." + std::string(figure.name) + " = " + value +
              ": " + std::string(figure.description) + "\n";
    }
  }
  return text;
}

int run(const Arguments& arguments) {
  if (arguments.has("--hardware")) {
    print(arguments.has("--json") ? write_hardware_json() : hardware_listing());
    return kFine;
  }
  if (arguments.has("--list")) {
    print(arguments.has("--json") ? write_closed_forms_json() : listing());
    return kFine;
  }
  const std::vector<std::string>& operands = arguments.operands();
  if (operands.empty()) {
    return fail(arguments, {"bad_use", "compute", "a formula's name is needed; --list shows all"});
  }
  const Result<Texts> texts = read_pairs(std::span(operands).subspan(1));
  if (!texts.ok()) return fail(arguments, texts.error());
  const auto function = std::ranges::find(list_functions(), operands[0], &ListFunction::name);
  if (function != list_functions().end()) {
    return run_list_function(arguments, *function, texts.value());
  }
  return run_closed_form(arguments, operands[0], texts.value());
}

}  // namespace

const Command kCompute = {
    .name = "compute",
    .operands = "NAME key=value...",
    .operands_min = 0,
    .operands_max = 64,
    .summary = "Evaluate a formula of the subject exactly",
    .options = kOptions,
    .examples =
        "  lockstep compute pipeline_bubble stages=4 microbatches=8\n"
        "  lockstep compute speedup t_single=80 t_compute=10 t_comm=2\n"
        "  lockstep compute data_parallel_grad w=[1] X=[[1],[2]] y=[1,1] devices=2\n"
        "  lockstep compute arithmetic_intensity peak=H100.bf16 bandwidth=H100.memory_bandwidth\n"
        "  lockstep compute --list\n",
    .run = run,
};

}  // namespace lockstep::cli
