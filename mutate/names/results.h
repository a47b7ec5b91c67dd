// Which functions may give a tensor object that others hold.
#pragma once

#include <string_view>

namespace jp::mutate {

/// The function or method of that name may give the very tensor that it is called on, not another one in the same
/// memory: `x.contiguous()`, `x.to(dtype)`. True for most names of which nothing is known.
bool may_give_operand(std::string_view name);

}  // namespace jp::mutate
