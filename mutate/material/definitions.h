// Composite operators by their definitions, and expressions that are a composite operator's definition.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/facts.h"
#include "mutate/calls/operator_call.h"

namespace jp::mutate {

/// A way to write an operator. In the text `$input` and the like stand for operands, `$torch` for torch's name, `$1`
/// and
/// `$2` for fresh names; parts between " ;; " are lines, the last one is the value.
struct Definition {
  std::string_view name;
  std::string_view text;
  double most = 20;       // elements' magnitude, so that it neither overflows nor cancels
  bool positive = false;  // elements are above 0.01
  bool no_grads = false;  // its gradient differs at ties and kinks
};

/// Those that fit the call's operands by the text.
std::vector<const Definition*> definitions_of(const OperatorCall& call);

/// A composite operator whose definition the call is: `x * sigmoid(x)` is `torch.nn.functional.silu(x)`. The inner
/// operator stands in the call or in the assignment of a name that it reads.
struct Composite {
  std::string text;
  std::vector<Node> tensors;
  double most = 20;
  bool no_grads = false;
};
std::vector<Composite> composites_of(const Parsed& parsed, const OperatorCall& call);

}  // namespace jp::mutate
