// Type inference: whether a function would still run to its end if, from some statement on, some tensors had another
// dtype, another shape or another requires_grad. It is an abstract interpretation, forwards and operator by operator,
// which starts from what facts saw. If a tensor of another dtype or shape reaches an operator without a rule (see
// operator_rules.h), the answer is no.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/facts.h"
#include "mutate/infer/operator_rules.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// The names whose values differ from what facts saw, each with its abstract value.
using AbstractState = std::map<std::string, AbstractValue, std::less<>>;

/// The abstract value of a tensor as facts saw it; nothing if they don't know it.
std::optional<AbstractValue> abstract_value_of(const NameFacts* known);

/// Both are known and have the same kind, dtype, shape, length and requires_grad.
bool alike(const NameFacts& one, const NameFacts& other);

/// Whether the function surely runs to its end without an exception if its names have the values of this state before
/// the statement.
bool valid_from(const Parsed& parsed, const Facts& facts, const Statement& statement, AbstractState state);
/// The same for a state after the statement.
bool valid_after(const Parsed& parsed, const Facts& facts, const Statement& statement, AbstractState state);

}  // namespace jp::mutate
