// Names of functions of torch and methods of tensors that compute a tensor from their operands: no effects, no chance.
#pragma once

#include <string_view>

namespace jp::mutate {

/// In torch, torch.nn.functional, torch.special, torch.linalg or as a method.
bool is_pure_name(std::string_view name);

/// A kind of syntax node that an expression without effects may be made of, as far as the calls in it have none.
bool is_pure_kind(std::string_view kind);

}  // namespace jp::mutate
