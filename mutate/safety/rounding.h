// Whether a difference of a rounding in a result stays one: no later operator is discontinuous or magnifies it.
#pragma once

#include <string_view>

#include "core/facts.h"
#include "mutate/calls/operator_call.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// Follows the names that the statement's result flows into, by syntax, through functions nested in its own too. False
/// if one of them is read by a discontinuous operator (a rounding, a comparison, a sort, a conversion to integers or to
/// text), a matrix decomposition, a branch or the like.
/// A value that leaves its function is assumed to reach everything; the entry's function, or the `forward` of its
/// module, returns to nobody. By the facts, comparisons, branches and calls that see no floating value do no harm.
bool rounding_stays_small(const Parsed& parsed, const Facts& facts, const Statement& statement);

/// The function or method of that name (in-place forms included) may change its result by more than a rounding when its
/// operands change by a rounding.
bool is_discontinuous(std::string_view name);

/// Summing `count` elements of the tensor in another order changes the sum by far less than torch.testing's default
/// tolerances for float32: the elements are bounded and have one sign, or are float64, or are few or small.
bool sums_alike(const NameFacts& facts, std::int64_t count);

}  // namespace jp::mutate
