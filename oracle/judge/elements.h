// The elements of a recorded tensor, read from its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/dtype.h"
#include "core/observation.h"

namespace jp::oracle {

/// A view of a record's elements, in row-major order. The record must outlive it.
class Elements {
 public:
  /// Nothing if the record has no bytes that fit its shape: unreadable, another layout than strided, malformed.
  static std::optional<Elements> of(const TensorRecord& record);

  /// Empty for types that our rules don't cover (unsigned 16 bit, float8 …).
  std::optional<Dtype> dtype() const { return dtype_; }
  /// Floating or complex.
  bool is_inexact() const { return dtype_ && (is_floating(*dtype_) || is_complex(*dtype_)); }
  std::size_t count() const { return count_; }
  /// Numbers in an element: 2 for complex ones, else 1.
  std::size_t parts() const { return dtype_ && is_complex(*dtype_) ? 2 : 1; }
  /// The bytes of part `i`, counted over all elements: i < count() * parts().
  std::string_view raw(std::size_t i) const { return bytes_.substr(i * width_, width_); }
  std::string_view bytes() const { return bytes_; }
  /// Part `i` as a number. Only for inexact elements.
  double number(std::size_t i) const;
  /// Element `i` for people: "1.5", "(1+2j)", "-3", "True"; hexadecimal bytes for other types.
  std::string show(std::size_t i) const;

 private:
  std::optional<Dtype> dtype_;
  std::size_t count_ = 0;
  std::size_t width_ = 0;  // bytes of one part
  std::string_view bytes_;
};

/// Whether a tensor of a half type is among those that are shown.
bool shows_halves(const Observation& run);

/// "[1, 0]": the position of element `i` in row-major order; "" for a tensor without dimensions.
std::string position(const TensorRecord& record, std::size_t i);

}  // namespace jp::oracle
