// Expressions as passes see them: which may be replaced, and by what text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mutate/names/scopes.h"
#include "mutate/syntax/syntax.h"

namespace jp::reduce {

/// The node may give way to another expression: it is read, and stands in no type, pattern, decorator, import,
/// formatted string or deletion, nor on the left of an assignment.
bool replaceable(const mutate::Node& node);

/// The text of `expression` for the place of `place`, in parentheses where that is needed.
std::string in_place_of(const mutate::Node& expression, const mutate::Node& place);

/// Names that are bound by imports only ("torch", "F"), and attributes of such ("torch.nn.functional").
bool names_module(const mutate::Parsed& parsed, const mutate::Node& node);

/// The arguments of a call that are neither keywords nor starred.
std::vector<mutate::Node> plain_arguments(const mutate::Node& call);
/// The name that a call calls: "relu" of "torch.relu(x)", or "".
std::string_view called_name(const mutate::Node& call);

/// "name = expression" alone in a statement: the name and the expression; no nodes for anything else.
struct Assignment {
  mutate::Node name;
  mutate::Node value;
};
Assignment plain_assignment(const mutate::Statement& statement);

/// Statements of functions that assign names which nobody reads, but for each other; `but` is a part of the source that
/// counts as not there. Ascending.
std::vector<int> dead_statements(const mutate::Parsed& parsed, const mutate::Node& but = {});

/// The module's function that makes the arguments holds this node.
bool in_inputs(const mutate::Parsed& parsed, const mutate::Node& node);

}  // namespace jp::reduce
