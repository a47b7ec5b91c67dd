// What runs in which unspecified behaviour is resolved otherwise say of one place.
//
// A place that they change may hold something else in the compiled run, too: mostly anything, since the runs don't show
// all that is possible (what fresh memory contains, in which order a write goes). Where the only choice is which of
// equal elements an index names, further runs list what the place may hold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "oracle/judge/limits.h"

namespace jp::oracle {

enum class Freedom {
  kNone,      // no choice changes the place
  kFree,      // the compiled run may hold what it holds
  kUnlisted,  // as kFree, but no run shows what it holds: runs that list equal elements would tell
  kExcluded,  // only the choice among equal elements changes the place, and none of those listed leads to what it holds
};

/// Whether the compiled run may hold what it holds, as far as runs show.
inline bool is_allowed(Freedom freedom) { return freedom == Freedom::kFree || freedom == Freedom::kUnlisted; }

/// What holds of a place that only a whole list of equal elements can exclude, where so many runs reach it: some may
/// have ended before.
inline Freedom freedom_if_listed(std::size_t runs) {
  if (runs == 0) return Freedom::kUnlisted;
  return runs < static_cast<std::size_t>(kLimits.equal_runs) ? Freedom::kFree : Freedom::kExcluded;
}

/// `chosen`: runs with all choices made otherwise; `equals`: runs that list equal elements, which may be missing.
/// `same(Run, Run)`: whether two of these runs, or eager and one of them, hold the same; `fits(Run)`: whether the
/// compiled run holds what this run holds, rounded otherwise.
template <class Run, class Same, class Fits>
Freedom freedom_of(const Run& eager, const std::vector<Run>& chosen, const std::vector<Run>& equals, const Same& same,
                   const Fits& fits) {
  const auto changed = [&](const Run& run) { return !same(eager, run); };
  if (std::none_of(chosen.begin(), chosen.end(), changed)) return Freedom::kNone;
  if (std::any_of(chosen.begin(), chosen.end(), fits) || std::any_of(equals.begin(), equals.end(), fits))
    return Freedom::kFree;
  if (const Freedom listed = freedom_if_listed(equals.size()); listed != Freedom::kExcluded) return listed;
  const auto is_listed = [&](const Run& shown) {
    return std::any_of(equals.begin(), equals.end(), [&](const Run& run) { return same(shown, run); });
  };
  const auto is_of_another_choice = [&](const Run& run) { return changed(run) && !is_listed(run); };
  return std::any_of(chosen.begin(), chosen.end(), is_of_another_choice) ? Freedom::kFree : Freedom::kExcluded;
}

}  // namespace jp::oracle
