// Operators that take the same operands, so that one may stand for another.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace jp::mutate {

using OperatorNames = std::vector<std::string_view>;

/// Names whose calls have at most that many positional operands (the object of a method counts).
struct Family {
  std::size_t operands;
  OperatorNames names;
};

/// Python's symbols, those of augmented assignments too.
const std::vector<OperatorNames>& symbol_families();
/// Functions of torch and methods of tensors.
const std::vector<Family>& function_families();
/// Functions of a room of torch, like "nn.functional".
struct TorchNamespace {
  std::string_view name;
  std::vector<Family> families;
};
const std::vector<TorchNamespace>& torch_namespaces();
/// What may stand behind `torch._foreach_`.
const std::vector<OperatorNames>& foreach_families();

}  // namespace jp::mutate
