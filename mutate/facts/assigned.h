// Tensors that facts saw at a point, under names that can be read there.
#pragma once

#include <string>
#include <vector>

#include "core/dtype.h"
#include "core/facts.h"
#include "mutate/engine/mutation.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// `name = value` in a place where lines may be put behind it, value no walrus or yield; the node of the name, or none.
Node assigned_name(const Parsed& parsed, const Statement& statement);

/// What facts say of a tensor that such a statement gave, or nullptr.
const NameFacts* assigned_tensor(const Parsed& parsed, const Facts& facts, const Statement& statement);

/// All statements with such a tensor that fits.
template <typename Fits>
std::vector<Site> assignment_sites(const Parsed& parsed, const Facts& facts, const Fits& fits) {
  std::vector<Site> found;
  for (const Statement& statement : parsed.statements())
    if (const NameFacts* known = assigned_tensor(parsed, facts, statement); known && fits(*known))
      found.push_back({statement.id, ""});
  return found;
}

}  // namespace jp::mutate
