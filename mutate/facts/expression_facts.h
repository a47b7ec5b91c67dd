// What follows from the facts of names for expressions of them: what is known of `self.head.weight.t()` or `x + y`
// before a statement.
#pragma once

#include <optional>

#include "core/facts.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// By syntax, an expression of which facts may know something: a name, an attribute of one, `.t()` or `.transpose(0,
/// 1)` of such an expression, or the sum, difference or product of two, or of one and a number. It has no effects.
bool is_known_expression(const Node& node);

/// Its dtype, layout, bounds, and whether it requires grad; nothing if one of them isn't known. Operands of a sum,
/// difference or product must be of one floating dtype and one shape, with strides that descend; the result is
/// row-major. Whether it requires grad is true where that differed between visits.
std::optional<NameFacts> expression_facts(const Facts& facts, const Statement& statement, const Node& node);

/// The facts of the tensor that is `path` of a name: "self" and "head.weight"; nullptr if they don't know it.
const NameFacts* part_before(const Facts& facts, const Statement& statement, std::string_view name,
                             std::string_view path);

}  // namespace jp::mutate
