// Zeros and garbage for a tensor whose shape differs from visit to visit, as that of a layer's argument does: made from
// the tensor alone, and right for every shape of its rank.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/choices.h"
#include "mutate/material/zeros.h"

namespace jp::mutate {

/// The rank that the tensor has at each visit, if no axis is ever empty; otherwise nothing.
std::optional<std::size_t> steady_rank(const NameFacts& facts);

/// Facts know enough of the tensor for the functions below: floating elements within bounds, and a row-major layout.
bool has_any_shape(const NameFacts& facts);

/// Garbage times a zero that holds on every input.
BoundedExpression universal_product(const std::string& torch, const LiveTensor& target, Choices& choices);
/// Garbage times a zero that holds on this input: what lies beyond a bound of all elements or, once in four times, by
/// the tensor's rank.
BoundedExpression product_here(const std::string& torch, const LiveTensor& target, Choices& choices);
/// The tensor itself, chosen from itself and garbage by a test of its elements that is false on this input.
BoundedExpression choice_here(const std::string& torch, const LiveTensor& target, Choices& choices);

}  // namespace jp::mutate
