// What facts know of the arguments and results of a run that becomes a function.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.h"
#include "core/facts.h"
#include "mutate/outline/outline.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// What an argument or result is.
struct Value {
  std::string name;
  bool tensor = false;  // else a number
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::int64_t> shape;
  bool contiguous = false;
  bool requires_grad = false;
  /// Results only: a tensor whose memory no other value shares.
  bool fresh = false;
};
struct Values {
  std::vector<Value> arguments;
  std::vector<Value> results;

  bool any_gradient() const;
  bool all_fresh() const;
  bool any_complex() const;
  std::vector<std::string> tensor_arguments() const;
};

/// What facts know of the arguments before the run and of the results behind it; nothing when one is unknown.
std::optional<Values> known_values(const Parsed& parsed, const Outline& outline, const Facts& facts);
/// The same as a note: "" when one is unknown.
std::string note_values(const Parsed& parsed, const Outline& outline, const Facts& facts);
/// The note read back; nothing when it is of other names.
std::optional<Values> read_values(const Outline& outline, std::string_view note);

/// Torch's control flow may call the run: it is closed and pure, no gradients, nothing complex, no operand that may be
/// yet to be negated, and nobody who counts writes.
bool fits_control_flow(const Parsed& parsed, const Outline& outline, const Values& values);

/// No argument that is a number is bound by the run.
bool keeps_numbers(const Parsed& parsed, const Outline& outline, const Values& values);

}  // namespace jp::mutate
