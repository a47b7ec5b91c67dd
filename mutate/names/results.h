// What an operator gives, as far as others may hold it: the table of operators says what torch declares, and that is
// not the whole of it.
#pragma once

#include <string_view>

#include "core/operators.h"

namespace jp::mutate {

/// The operator's result is in new memory whatever its arguments are.
bool gives_new_memory(const OperatorFacts& op);

/// The function or method of that name may give the very tensor that it is called on, not another one in the same
/// memory: `x.contiguous()`, `x.to(dtype)`. True for most names of which nothing is known.
bool may_give_operand(std::string_view name);

}  // namespace jp::mutate
