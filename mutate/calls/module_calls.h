// Calls of torch's modules through attributes of the file's own modules: `self.conv1(x)`, where the class's __init__
// has `self.conv1 = nn.Conv2d(…)`. Only syntax is considered.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/operators.h"
#include "mutate/calls/operator_call.h"
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

/// A call of a module as the call of its operator, without operands: they are the module's parameters.
struct ModuleOperatorCall {
  OperatorCall call;
  ModuleCall module;
};
/// What begins the path of a site at such a call; its number follows.
inline constexpr std::string_view kModulePath = "module";

/// The calls of modules of that class ("Linear") in a simple statement, in source order, with paths "module0" and so
/// on, as calls of that operator. Empty if torch has no name at the statement.
std::vector<ModuleOperatorCall> module_operator_calls(const Parsed& parsed, const Statement& statement,
                                                      std::string_view type, std::string_view op);

/// The name by which the file reads torch.nn: "nn" after `from torch import nn` or `import torch.nn as nn`; "" if there
/// is none.
std::string_view nn_name(const Parsed& parsed);

}  // namespace jp::mutate
