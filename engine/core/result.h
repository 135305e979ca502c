// Result<T>: a value or a located error. Nothing in the engine throws across a border.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace lockstep {

/// What went wrong, for a person and for a program.
struct Error {
  std::string code;     ///< stable word, snake_case: "rows_not_divisible"
  std::string where;    ///< the place: "devices", "line 3, column 7", "/questions/0/key"
  std::string message;  ///< one plain sentence that says what to do
};

/// Either a T or an Error. Ask `ok()` first; reading the other side is a bug of ours.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Error error) : content_(std::move(error)) {}

  bool ok() const { return content_.index() == 0; }
  const T& value() const& {
    assert(ok());
    return *std::get_if<0>(&content_);
  }
  T& value() & {
    assert(ok());
    return *std::get_if<0>(&content_);
  }
  T value() && {
    assert(ok());
    return std::move(*std::get_if<0>(&content_));
  }
  const Error& error() const {
    assert(!ok());
    return *std::get_if<1>(&content_);
  }

 private:
  std::variant<T, Error> content_;
};

/// A result without a value: fine, or an Error.
using Status = Result<std::monostate>;
inline Status fine() {
  return std::monostate{};
}

}  // namespace lockstep
