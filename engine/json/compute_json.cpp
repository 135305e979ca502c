#include "json/compute_json.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/decimal.h"
#include "cost/hardware.h"
#include "formula/exact_value.h"
#include "json/request.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

constexpr KeyRow kRequestRows[] = {
    {.name = "name"},
    // A form that needs other numbers says so itself.
    {.name = "values", .form = Form::map, .item = Form::text, .items_least = 0},
};
constexpr KeyTable kRequestTable = {.name = "compute", .rows = kRequestRows};

constexpr NumberStyle kAscii{.ascii = true};

std::string exact(const Rational& value) {
  return shortest_text(value, kAscii);
}

}  // namespace

Result<ComputeRequest> read_compute_request(std::string_view json) {
  const Result<FileValue> value = read_request(json, kRequestTable);
  if (!value.ok()) return value.error();
  const FileNode root{&value.value(), ""};
  ComputeRequest request{.name = std::string(text_of(root["name"])), .values = {}};
  const FileNode values = root["values"];
  for (std::size_t i = 0; i < values.size(); ++i) {
    const FileNode one = values.item(i);
    Result<Rational> number = read_exact(one.pointer, text_of(one));
    if (!number.ok()) return number.error();
    request.values.push_back({values.value->keys[i].name, std::move(number).value()});
  }
  return request;
}

std::string value_text(const Rational& value, std::string_view unit) {
  std::string text = value.is_whole() ? exact(value) : fraction_text(value, kAscii);
  if (!value.is_whole()) text += " = " + fixed_text(value, 3, kAscii);
  const bool plain_number = unit.empty() || unit == "1" || unit == "count";
  return plain_number ? text : text + " " + std::string(unit);
}

std::string values_text(std::span<const Rational> values) {
  std::string text = "[";
  for (const Rational& value : values) text += (text.size() == 1 ? "" : ", ") + exact(value);
  return text + "]";
}

std::string write_value_json(std::string_view name, const Rational& value, std::string_view unit) {
  return Json{{"name", name}, {"value", exact(value)}, {"number", to_double(value)}, {"unit", unit}}
      .dump();
}

std::string write_values_json(std::string_view name, std::span<const Rational> values) {
  Json texts = Json::array();
  for (const Rational& value : values) texts.push_back(exact(value));
  return Json{{"name", name}, {"values", std::move(texts)}}.dump();
}

std::string write_closed_forms_json() {
  Json forms = Json::array();
  for (const ClosedForm& form : closed_forms()) {
    Json parameters = Json::array();
    for (const Parameter& parameter : form.parameters) {
      parameters.push_back({{"name", parameter.name},
                            {"unit", parameter.unit},
                            {"description", parameter.description},
                            {"default", parameter.fallback ? Json(*parameter.fallback) : Json()}});
    }
    forms.push_back({{"name", form.name},
                     {"unit", form.unit},
                     {"description", form.description},
                     {"source", form.source},
                     {"parameters", std::move(parameters)}});
  }
  return Json{{"formulas", std::move(forms)}}.dump();
}

std::string write_hardware_json() {
  Json list = Json::array();
  for (const Accelerator& chip : accelerators()) {
    Json figures;
    for (std::size_t i = 0; i < hardware_figures().size(); ++i) {
      const std::int64_t value = chip.values[i];
      figures[std::string(hardware_figures()[i].name)] = value > 0 ? Json(value) : Json();
    }
    list.push_back({{"name", chip.name}, {"source", chip.source}, {"figures", std::move(figures)}});
  }
  return Json{{"accelerators", std::move(list)}}.dump();
}

}  // namespace lockstep
