// Functions of torch and methods of tensors that compute a tensor from their operands without side effects or
// randomness.
#pragma once

#include <string_view>

namespace jp::mutate {

/// Whether the function or method of that name is pure, in torch, torch.nn.functional, torch.special, torch.linalg or
/// on a tensor.
bool is_pure_name(std::string_view name);

}  // namespace jp::mutate
