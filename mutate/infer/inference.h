// Whether a program would still run if tensors were others from some statement on: of another dtype, of another shape,
// with or without gradients. What comes of them is followed forwards, operator by operator, beside what facts saw; at
// anything that isn't known (see operator_rules.h) the answer is no.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/facts.h"
#include "mutate/infer/operator_rules.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// Names that are others than facts say, each with what it is.
using AbstractState = std::map<std::string, AbstractValue, std::less<>>;

/// A tensor as facts know it, or nothing.
std::optional<AbstractValue> abstract_value_of(const NameFacts* known);

/// Both are known to be of one kind, dtype, shape and length, and to want gradients alike.
bool alike(const NameFacts& one, const NameFacts& other);

/// Whether the function surely runs on to its end when those of its names are so before the statement.
bool valid_from(const Parsed& parsed, const Facts& facts, const Statement& statement, AbstractState looks);
/// The same from behind the statement.
bool valid_after(const Parsed& parsed, const Facts& facts, const Statement& statement, AbstractState looks);

}  // namespace jp::mutate
