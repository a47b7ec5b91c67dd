// Whether a result that is only known up to rounding stays that way: nothing behind it jumps or magnifies.
#pragma once

#include <string_view>

#include "core/facts.h"
#include "mutate/calls/operator_call.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// Follows the names that a statement's result goes to, by the text: false when a rounding operator, a comparison, a
/// sort, a conversion to integers, a decomposition, a branch or the like reads one of them. What leaves its function is
/// taken to reach everything.
bool rounding_stays_small(const Parsed& parsed, const Statement& statement);

/// The result of a function or method of that name, perhaps in place, may change by more than rounding where its
/// operands change by rounding.
bool is_discontinuous(std::string_view name);

/// Summing `count` elements of the tensor in another order stays far below float32's absolute tolerance: bounded
/// elements of one sign, of float64, or few or small ones.
bool sums_alike(const NameFacts& facts, std::int64_t count);

}  // namespace jp::mutate
