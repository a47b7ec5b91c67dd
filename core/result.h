// What may fail because of the machine or the user carries its error as a value, up to the command that can print a
// clear sentence about it.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "core/check.h"

namespace jp {

/// One clear sentence for the user: what is wrong and what to do.
struct Error {
  std::string message;
};

/// A value or an Error. `value()` of an error is a broken invariant: check `ok()` first.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  const T& value() const& {
    JP_CHECK(ok(), "value of an error: {}", std::get<1>(state_).message);
    return std::get<0>(state_);
  }
  T& value() & {
    JP_CHECK(ok(), "value of an error: {}", std::get<1>(state_).message);
    return std::get<0>(state_);
  }
  T&& value() && {
    JP_CHECK(ok(), "value of an error: {}", std::get<1>(state_).message);
    return std::get<0>(std::move(state_));
  }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// For operations that return nothing.
struct Done {};
using Status = Result<Done>;

}  // namespace jp
