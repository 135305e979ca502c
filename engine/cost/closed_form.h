// What a closed form is: a row of the tables in forms_*.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/rational.h"

namespace lockstep {

/// Which values a parameter may have.
enum class Domain : std::uint8_t {
  count,         ///< a whole number, at least 1
  whole,         ///< a whole number, at least 0
  positive,      ///< more than 0
  not_negative,  ///< at least 0
  share,         ///< 0 to 1
  flag,          ///< 0 or 1
};

/// A value that a closed form needs.
struct Parameter {
  std::string_view name;
  std::string_view unit;  ///< "count", "s", "bytes", "bytes/s", …; "1" for a plain number
  std::string_view description;
  Domain domain = Domain::count;
  std::optional<std::int64_t> fallback = {};  ///< its value when it is left out
};

/// A formula with a name. `evaluate` gets one value a parameter, in their order, each within its
/// domain; it answers with a fault (outside_domain) where `condition` is broken.
struct ClosedForm {
  std::string_view name;
  std::span<const Parameter> parameters;
  std::string_view unit;         ///< of the value
  std::string_view description;  ///< one line, with the formula
  std::string_view source;
  Rational (*evaluate)(std::span<const Rational> values);
  std::string_view condition = {};  ///< what the values must fulfil together; empty if nothing
};

/// The values by name: const auto [p, m] = take<2>(values).
template <std::size_t Count>
std::array<Rational, Count> take(std::span<const Rational> values) {
  std::array<Rational, Count> taken;
  for (std::size_t i = 0; i < Count; ++i) taken[i] = values[i];
  return taken;
}

/// A value of a closed form whose condition is broken.
inline Rational undefined() {
  return Rational::faulty(Fault::outside_domain);
}

/// `value` where it is whole, else undefined.
inline Rational only_whole(const Rational& value) {
  return value.is_whole() ? value : undefined();
}

/// The tables, by topic.
std::span<const ClosedForm> training_forms();     ///< tokens, steps, speedup
std::span<const ClosedForm> collective_forms();   ///< steps, bytes, time under the α-β model
std::span<const ClosedForm> pipeline_forms();     ///< bubbles, activations in flight, messages
std::span<const ClosedForm> memory_forms();       ///< model state, ZeRO
std::span<const ClosedForm> transformer_forms();  ///< activations, parameters, traffic of layers
std::span<const ClosedForm> compute_forms();      ///< floating-point operations, utilisation
std::span<const ClosedForm> scaling_forms();      ///< sizing by hand, training puzzles

}  // namespace lockstep
