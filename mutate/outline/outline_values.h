// What facts know of the arguments and results of a statement range that becomes a function.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/choices.h"
#include "core/dtype.h"
#include "core/facts.h"
#include "mutate/outline/outline.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// The type of an argument or result.
struct Value {
  std::string name;
  bool tensor = false;  // otherwise a Python number
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::int64_t> shape;
  bool contiguous = false;
  bool requires_grad = false;
  /// Of results only: a tensor that shares memory with no other value.
  bool fresh = false;

  auto fields() { return std::tie(name, tensor, dtype, shape, contiguous, requires_grad, fresh); }
  bool fits() const;
};
struct Values {
  std::vector<Value> arguments;
  std::vector<Value> results;

  auto fields() { return std::tie(arguments, results); }

  bool any_gradient() const;
  bool all_fresh() const;
  bool any_complex() const;
  std::vector<std::string> tensor_arguments() const;
};

/// The arguments before the range and the results after it, by facts; nothing if one is unknown.
std::optional<Values> known_values(const Parsed& parsed, const Outline& outline, const Facts& facts);
/// The same, recorded; nothing if the recorded values belong to other names.
std::optional<Values> draw_values(const Parsed& parsed, const Outline& outline, const Facts& facts, Choices& choices);

/// torch.cond and the like may call the function: it is closed and pure, no value requires gradients or is complex, no
/// operand may have the negative bit, and the program doesn't read version counters.
bool fits_control_flow(const Parsed& parsed, const Outline& outline, const Values& values);

/// The range binds no argument that is a Python number.
bool keeps_numbers(const Parsed& parsed, const Outline& outline, const Values& values);

}  // namespace jp::mutate
