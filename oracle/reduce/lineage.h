// Stage one: a program that was made by mutations is simplified in its lineage, before its text is edited. Steps of its
// lineage are dropped. A step that stands at a statement of a dropped one is tried where that one stood; one that needs
// it otherwise is skipped by the replay. What remaining steps computed is replaced by the constant that it comes to,
// where the mutation says how, what they drew is made smaller, then the seed, with the same steps on top of it: first
// fewer operators, then small sizes, float32, plain values in its text.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/lineage.h"
#include "oracle/reduce/engine.h"

namespace jp::reduce {

/// Makes the program of a seed again; nothing if that can't be done.
using Regenerate = std::function<std::optional<Parsed>(const Seed&)>;

/// Reduces the program that the steps make of `base`, which is interesting. The result's lineage reproduces it byte for
/// byte, unless the seed's text was changed: then its seed is a file without a name. `regenerate` may be empty: then
/// the number of operators stays. `start` and the result need not be smaller in every step of the lineage, but the
/// program is by order.h.
Reduced reduce_lineage(const Parsed& base, const std::vector<Step>& steps, const Problem& problem,
                       const Regenerate& regenerate);

}  // namespace jp::reduce
