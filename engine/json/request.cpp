#include "json/request.h"

#include <optional>
#include <string>
#include <utility>

namespace lockstep {
namespace {

Error first_error(const FileFaults& faults) {
  const FileFault fault = faults.sorted().front();
  const std::string place =
      "line " + std::to_string(fault.place.line) + ", column " + std::to_string(fault.place.column);
  const std::string hint =
      fault.suggestion.empty() ? "" : " (did you mean " + in_quotes(fault.suggestion) + "?)";
  return {fault.code, fault.pointer.empty() ? place : fault.pointer, fault.message + hint};
}

}  // namespace

Result<FileValue> read_request(std::string_view json, const KeyTable& table,
                               const JsonLimits& limits) {
  const FileText text{std::string(json)};
  FileFaults faults("request", text);
  std::optional<FileValue> value = parse_json(faults, limits);
  if (!value) return first_error(faults);
  check_keys({&*value, ""}, table, faults);
  if (faults.size() > 0) return first_error(faults);
  return *std::move(value);
}

}  // namespace lockstep
