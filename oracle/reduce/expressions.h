// Expressions as passes see them: which may be replaced, and by what text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mutate/names/scopes.h"
#include "mutate/syntax/syntax.h"

namespace jp::reduce {

/// Whether the node may be replaced by another expression: it is read, and is not part of a type, pattern, decorator,
/// import, formatted string or deletion, nor on the left of an assignment.
bool replaceable(const mutate::Node& node);

/// The text of `expression` for the position of `place`, in parentheses if that is needed.
std::string in_place_of(const mutate::Node& expression, const mutate::Node& place);

/// Names that are bound by imports only ("torch", "F"), and attributes of such names ("torch.nn.functional").
bool names_module(const mutate::Parsed& parsed, const mutate::Node& node);

/// "name = expression" alone in a statement: the name and the expression; no nodes for anything else.
struct PlainAssignment {
  mutate::Node name;
  mutate::Node value;
};
PlainAssignment plain_assignment(const mutate::Statement& statement);

/// Statements of functions that assign names which nothing reads, except each other; `but` is a part of the source that
/// is ignored. Ascending.
std::vector<int> dead_statements(const mutate::Parsed& parsed, const mutate::Node& but = {});

/// Whether the function that makes the arguments contains this node.
bool in_inputs(const mutate::Parsed& parsed, const mutate::Node& node);

}  // namespace jp::reduce
