// What crosses the border to JavaScript: JSON text, and bytes that are copied. No exception leaves:
// JavaScript would get a bare number, and the memory of the call would stay taken.
#pragma once

#include <emscripten/val.h>

#include <cstddef>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "device/message.h"
#include "json/run_json.h"
#include "model/mlp_spec.h"

namespace lockstep::bindings {

/// The largest array taken in: a message or a gradient of the largest model.
inline constexpr std::size_t kBytesMax = kMessageHeaderBytes + kParametersMax * sizeof(double);

/// The largest array of numbers taken in: three a span, of more instructions than a device of a run
/// has.
inline constexpr std::size_t kNumbersMax = std::size_t{3} << 20;

/// What `call` gives; an exception, which only running out of memory should bring, becomes what
/// `on_error` makes of the error.
template <typename Call, typename OnError>
auto guarded(Call&& call, OnError&& on_error) -> decltype(call()) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return on_error(Error{"out_of_memory", "engine", "this is too large for the browser's memory"});
  } catch (...) {
    return on_error(Error{"internal", "engine", "the engine met an error of its own: report it"});
  }
}

/// As above, for calls that give JSON text.
template <typename Call>
std::string guarded_text(Call&& call) {
  return guarded(std::forward<Call>(call), [](const Error& error) { return write_error(error); });
}

/// A copy of a Uint8Array. Errors: not_bytes, too_large.
inline Result<std::vector<std::byte>> to_bytes(const emscripten::val& array,
                                               const std::string& where) {
  if (!array.instanceof (emscripten::val::global("Uint8Array"))) {
    return Error{"not_bytes", where, "a Uint8Array is expected"};
  }
  const double size = array["byteLength"].as<double>();
  if (size > static_cast<double>(kBytesMax)) {
    return Error{"too_large", where, "this is larger than any message or gradient"};
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  const auto* place = reinterpret_cast<const unsigned char*>(bytes.data());
  // The view is taken after all memory was: growth would have emptied it.
  emscripten::val(emscripten::typed_memory_view(bytes.size(), place)).call<void>("set", array);
  return bytes;
}

/// A copy of a Float64Array. Errors: not_numbers, too_large.
inline Result<std::vector<double>> to_doubles(const emscripten::val& array,
                                              const std::string& where) {
  if (!array.instanceof (emscripten::val::global("Float64Array"))) {
    return Error{"not_numbers", where, "a Float64Array is expected"};
  }
  const double count = array["length"].as<double>();
  if (count > static_cast<double>(kNumbersMax)) {
    return Error{"too_large", where, "these are more numbers than a device's spans have"};
  }
  std::vector<double> numbers(static_cast<std::size_t>(count));
  emscripten::val(emscripten::typed_memory_view(numbers.size(), numbers.data()))
      .call<void>("set", array);
  return numbers;
}

/// A new Uint8Array with a buffer of its own.
inline emscripten::val to_array(std::span<const std::byte> bytes) {
  const auto* place = reinterpret_cast<const unsigned char*>(bytes.data());
  return emscripten::val(emscripten::typed_memory_view(bytes.size(), place))
      .call<emscripten::val>("slice");
}

/// A new Float64Array with a buffer of its own.
inline emscripten::val to_array(const std::vector<double>& numbers) {
  return emscripten::val(emscripten::typed_memory_view(numbers.size(), numbers.data()))
      .call<emscripten::val>("slice");
}

}  // namespace lockstep::bindings
