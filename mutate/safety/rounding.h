// Whether a result that is only known up to rounding stays that way: nothing behind it jumps or magnifies.
#pragma once

#include <span>
#include <string_view>

#include "core/facts.h"
#include "mutate/calls/operator_call.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// Follows the names that a statement's result goes to, by the text: false when a rounding operator, a comparison, a
/// sort, a conversion to integers, a decomposition, a branch or the like reads one of them. What leaves its function is
/// taken to reach everything.
bool rounding_stays_small(const Parsed& parsed, const Statement& statement);

/// Names of functions and methods whose results jump or magnify; their forms in place do so too.
std::span<const std::string_view> discontinuous_names();

/// Summing `count` elements of the tensor in another order stays far below float32's absolute tolerance: bounded
/// elements of one sign, of float64, or few or small ones.
bool sums_alike(const NameFacts& facts, std::int64_t count);

}  // namespace jp::mutate
