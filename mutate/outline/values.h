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
#include "mutate/outline/outline_mutation.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// The type of an argument or result.
struct Value {
  std::string name;
  bool tensor = false;  // otherwise a Python number
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::int64_t> shape;
  bool contiguous = false;
  /// True too where that differed between visits.
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

/// The range reads no names of the file except its inputs and the module's names for torch and torch.nn.functional.
bool is_closed(const Parsed& parsed, const BodySignature& signature);
/// Every statement of the range is `name = expression`, and the expressions consist of names, constants and pure
/// functions of torch or methods of tensors: no side effects and no randomness.
bool is_pure(const Parsed& parsed, const BodySignature& signature);

/// The inputs before the range and the outputs after it, by facts; nothing if one is unknown. `varying`: shapes may
/// differ between visits if the tensors are contiguous each time; the least size of each axis is given.
std::optional<Values> known_values(const Parsed& parsed, const BodySignature& signature, const Facts& facts,
                                   bool varying = false);

/// torch.cond and the like may call the function: it is closed and pure, no value is complex, no operand may have the
/// negative bit, and the program doesn't read version counters. Where a value requires gradients, the range is one
/// statement with one result.
bool fits_control_flow(const Parsed& parsed, const BodySignature& signature, const Values& values);

/// The range binds no argument that is a Python number.
bool keeps_numbers(const BodySignature& signature, const Values& values);

/// A mutation of ranges whose arguments and results facts know. The values are recorded.
class ValuesMutation : public FunctionMutation {
 public:
  using FunctionMutation::FunctionMutation;

 protected:
  /// The range becomes a function, and its results those of `call`, one of torch's control flow operators. Where values
  /// require gradients the call runs first and without them, and what it gives is written over the function's own
  /// result, which has them:
  ///
  ///     with torch.no_grad():
  ///         w7 = torch.ops.higher_order.cond(…, f7, g7, (v2, v1))
  ///     v3 = f7(v2, v1)
  ///     with torch.no_grad():
  ///         v3.copy_(w7)
  ///
  /// It is written over a clone if autograd may have saved the result itself.
  static Body control_flow_body(Packing& packing, const Values& values, const std::string& function,
                                const std::vector<std::string>& operands, const Lines& more, const std::string& call);

 private:
  /// Values that require gradients may have a shape that differs between visits.
  virtual bool takes_varying() const { return false; }
  std::optional<Values> values_of(const Parsed& parsed, const BodySignature& signature, const Facts& facts) const;
  bool fits(const Parsed& parsed, const Facts& facts, const BodySignature& signature) const final;
  std::optional<Body> pack(Packing& packing) const final;
  /// The mutation applies to a range with these values.
  virtual bool allows(const Parsed& parsed, const BodySignature& signature, const Values& values) const = 0;
  virtual std::optional<Body> pack_with(Packing& packing, const Values& values) const = 0;
};

}  // namespace jp::mutate
