// Names of functions of torch and methods of tensors that compute a tensor from their operands: no effects, no chance.
#pragma once

#include <string_view>

namespace jp::mutate {

/// In torch, torch.nn.functional, torch.special, torch.linalg or as a method.
bool is_pure_name(std::string_view name);

}  // namespace jp::mutate
