// Functions of torch and methods of tensors that compute a tensor from their operands without side effects or
// randomness.
#pragma once

#include <string_view>

namespace jp::mutate {

/// Whether the function or method of that name is pure, in torch, torch.nn.functional, torch.special, torch.linalg or
/// on a tensor.
bool is_pure_name(std::string_view name);

/// Whether nodes of that kind have no side effects of their own; the functions that are called must be checked
/// separately.
bool is_pure_kind(std::string_view kind);

}  // namespace jp::mutate
