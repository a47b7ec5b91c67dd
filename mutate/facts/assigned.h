// Statements that assign a tensor to a name, with the facts of that tensor.
#pragma once

#include <string>
#include <vector>

#include "core/dtype.h"
#include "core/facts.h"
#include "mutate/engine/mutation.h"
#include "mutate/syntax/queries.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// The node of the name, if the statement is `name = value`, lines may be put after it, and the value contains no
/// `yield` or `await`; otherwise no node.
Node assigned_name(const Parsed& parsed, const Statement& statement);

/// The facts of the tensor that such a statement assigned, or nullptr.
const NameFacts* assigned_tensor(const Parsed& parsed, const Facts& facts, const Statement& statement);

/// Sites at all statements with such a tensor for which `fits` returns true.
template <typename Fits>
std::vector<Site> assignment_sites(const Parsed& parsed, const Facts& facts, const Fits& fits) {
  return statement_sites(parsed, [&](const Statement& statement) {
    const NameFacts* known = assigned_tensor(parsed, facts, statement);
    return known && fits(*known);
  });
}

}  // namespace jp::mutate
