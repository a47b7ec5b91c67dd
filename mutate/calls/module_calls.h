// Calls of torch's modules through attributes of the file's own modules: `self.conv1(x)`, where the class's __init__
// has `self.conv1 = nn.Conv2d(…)`. Only syntax is considered.
#pragma once

#include <optional>
#include <string_view>

#include "core/operators.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {

/// A call of a module of torch.nn.
struct ModuleCall {
  Call call;
  /// The module's class: "Conv2d".
  std::string_view type;
  /// The call that makes the module: `nn.Conv2d(…)`.
  Call made;
  /// The operator that the module calls, or nullptr.
  const OperatorFacts* op = nullptr;

  /// It writes to none of its arguments, and its result is new memory.
  bool is_fresh() const;
};

/// The node as such a call, in a method of the class that makes the module. Nothing if the attribute may hold something
/// else: another statement assigns to it, or the file sets attributes by name, registers hooks or parametrises modules.
std::optional<ModuleCall> module_call(const Parsed& parsed, const Statement& statement, const Node& node);

/// The name by which the file reads torch.nn: "nn" after `from torch import nn` or `import torch.nn as nn`; "" if there
/// is none.
std::string_view nn_name(const Parsed& parsed);

}  // namespace jp::mutate
