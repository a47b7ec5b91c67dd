// Definitions of composite operators in simpler ones, and recognition of expressions that are such a definition.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/facts.h"
#include "mutate/calls/operator_call.h"

namespace jp::mutate {

/// One definition of an operator. In the text `$input` and other parameter names stand for operands, `$torch` for
/// torch's name, `$1` and `$2` for fresh names. Lines are separated by " ;; "; the last one is the value.
struct Definition {
  std::string_view name;
  std::string_view text;
  double most = 20;       // largest magnitude of elements with which it neither overflows nor cancels
  bool positive = false;  // elements must be above 0.01
  bool no_grads = false;  // only without gradients: those differ at ties and kinks
};

/// The definitions that fit the call's operands, by syntax.
std::vector<const Definition*> definitions_of(const OperatorCall& call);
/// Those of layer_norm with weight and bias, for calls of a module nn.LayerNorm over one axis.
std::vector<const Definition*> definitions_of_layer_norm();

/// A composite operator whose definition the call is: `x * sigmoid(x)` is `torch.nn.functional.silu(x)`. The inner call
/// may be an operand itself or the value of a name that is an operand.
struct Composite {
  std::string text;
  std::vector<Node> tensors;
  double most = 20;
  bool no_grads = false;
};
std::vector<Composite> composites_of(const Parsed& parsed, const OperatorCall& call);

}  // namespace jp::mutate
