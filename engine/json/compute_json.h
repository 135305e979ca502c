// Exact values as text and as JSON text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/rational.h"
#include "core/result.h"
#include "cost/compute.h"

namespace lockstep {

/// A closed form and the values that a page wants it for.
struct ComputeRequest {
  std::string name;
  std::vector<NamedValue> values;
};

/// {"name": "speedup", "values": {"t_single": "80", "t_comm": "1/2", …}}, exact texts by parameter.
/// Errors: those of read_request and read_exact.
Result<ComputeRequest> read_compute_request(std::string_view json);

/// "20/3 = 6.667", "256 tokens": exact, rounded to three decimals where it is not whole, and the
/// unit where it has one.
std::string value_text(const Rational& value, std::string_view unit);

/// "[3/2, 0.25]": each number in its shortest exact form.
std::string values_text(std::span<const Rational> values);

/// {"name", "value": exact text, "number": nearest double, "unit"}.
std::string write_value_json(std::string_view name, const Rational& value, std::string_view unit);

/// {"name", "values": [exact text, …]}.
std::string write_values_json(std::string_view name, std::span<const Rational> values);

/// {"formulas": [{"name", "unit", "description", "source", "parameters": [{"name", "unit",
/// "description", "default": whole number or null}, …]}, …]}.
std::string write_closed_forms_json();

/// {"accelerators": [{"name", "source", "figures": {"bf16": …, …}}, …]}: numbers, null where the
/// maker gives none.
std::string write_hardware_json();

}  // namespace lockstep
